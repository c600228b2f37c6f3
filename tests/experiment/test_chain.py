"""The unseen family of the small experiment: known words, another task."""

from __future__ import annotations

import pytest

import worldengine
from worldengine.experiment import stash
from worldengine.experiment.chain import script
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of


@pytest.mark.parametrize("number", [0, 1, 5])
def test_every_start_is_won_through_two_locks(number: int) -> None:
    machine = worldengine.compile(script(2, number))
    runtime = runtime_of(machine)
    assert len(machine.variants) == 81
    assert len({runtime.opening(machine.start(v)) for v in range(81)}) == 1
    for variant in range(81):
        plan = winning_plan(machine, variant)
        assert plan is not None and 6 <= len(plan) <= 12
        assert sum(command.startswith("unlock") for command in plan) == 2


def test_its_words_are_known_and_its_shape_is_not() -> None:
    known = worldengine.compile(stash.script(0, 0, plain=True))
    chain = worldengine.compile(script(0, 0, plain=True))
    assert chain.shape != known.shape
    assert [schema.forms for schema in chain.schemas] == [schema.forms for schema in known.schemas]
