"""Small worlds are looked at without reductions first: the verdict is what it is with them."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from tests.modelcheck.scripts import Draw, Timely, Twins, script
from worldengine.compiler import compile_source
from worldengine.machine import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.verdicts import decide as deciding
from worldengine.source import Source

SEEDS = 12


def machines(draw: type[Draw]) -> list[Machine]:
    found = [compile_source(Source("drawn.world", script(s, draw))).machine for s in range(SEEDS)]
    return [machine for machine in found if machine is not None]


def told(machine: Machine, shortest: bool) -> list[Any]:
    found = deciding.decide(machine, Budget(seconds=60), proofs=False, shortest=shortest)
    return [
        (each.status, each.plan and len(each.plan), each.optimal, each.reason)
        for each in found.variants
    ]


@pytest.mark.parametrize("draw", [Draw, Timely, Twins])
def test_verdicts_are_the_same_with_reductions(
    draw: type[Draw], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0
    plain = deciding._Work._by_plain_look

    def counted(self: Any, variant: int, waiting: int) -> Any:
        nonlocal looked
        found = plain(self, variant, waiting)
        looked += found is not None
        return found

    monkeypatch.setattr(deciding._Work, "_by_plain_look", counted)
    for number, machine in enumerate(machines(draw)):
        found = []
        for bits in (inf, -inf):
            monkeypatch.setattr(deciding, "PLAIN_BITS", bits)
            found.append(told(machine, shortest=number % 2 == 0))
        assert found[0] == found[1], machine.name
    assert looked >= 5
