"""Room for what one turn says: enough for every turn, since one engine cannot make more of it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.batch.differences import play
from tests.batch.random_machines import random_machine
from tests.batch.test_shipped import WORLDS
from tests.batch.test_shipped import machine as shipped
from tests.worlds import TINY
from worldengine.batch import BatchEnv, Engine, tables_of
from worldengine.batch.lanes.scratch import Scratch
from worldengine.batch.tables.facts import longest_saying
from worldengine.compiler import compile
from worldengine.machine.schema import Machine


@cache
def crowded(count: int) -> Machine:
    """A world with so many things in one place."""
    things = "".join(f'thing bead{at} "bead {at}" in hall\n' for at in range(count))
    return compile(TINY + things)


def test_what_is_needed_grows_as_the_world_does() -> None:
    needs = [longest_saying(crowded(count)) for count in (10, 60, 110)]
    assert needs[1] - needs[0] == needs[2] - needs[1] > 0


def test_a_long_text_is_shown_by_every_engine() -> None:
    shown = []
    pytest.importorskip("torch", reason="torch is not installed: the torch engine is untested")
    for engine in ("numba", "torch"):
        env: Any = BatchEnv([crowded(60)], size=2, engine=engine)
        env.reset(seed=0)
        turn = env.step_texts(["look", "wait"])
        shown.append(env.texts(turn if engine == "torch" else turn.texts))
    assert shown[0] == shown[1] and "bead 59" in shown[0][0]


@pytest.mark.parametrize("name", [*WORLDS, "random"])
def test_no_turn_asks_for_more(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def more(_: Scratch) -> None:
        raise AssertionError("there was too little room for what a turn says")

    monkeypatch.setattr(Scratch, "grow_said", more)
    machines = [random_machine(seed) for seed in range(30)] if name == "random" else [shipped(name)]
    assert play(Engine(tables_of(machines)), 30, 8, 3) > 0
