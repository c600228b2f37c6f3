"""Every shipped world on the numba engine, turn by turn beside the reference."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from tests.batch.differences import any_action, applicable_action, play, start_states
from worldengine.batch import Engine, successors, tables_of
from worldengine.machine.schema import Machine, State
from worldengine.resources import shipped_worlds
from worldengine.runtime import runtime_of

WORLDS = tuple(path.stem for path in shipped_worlds())


@cache
def machine(name: str) -> Machine:
    from worldengine.compiler import compile

    (path,) = (path for path in shipped_worlds() if path.stem == name)
    return compile(path.read_text(encoding="utf-8"))


@cache
def engine(name: str) -> Engine:
    return Engine(tables_of([machine(name)]))


@pytest.mark.parametrize("name", WORLDS)
def test_turns(name: str) -> None:
    assert play(engine(name), rows=4, turns=30, seed=1) == 120


@pytest.mark.parametrize("name", WORLDS)
def test_command_sets(name: str) -> None:
    """Masks, numbers and successors in states met on a walk."""
    world, batch = machine(name), engine(name)
    runtime, chance = runtime_of(world), random.Random(2)
    state: State = world.start(0)
    for _ in range(4):
        rows = start_states(batch.tables, [0], [0])
        rows[0, : len(state)] = state
        zero = np.zeros(1, np.int32)
        scoped, applicable = runtime.scoped(state), runtime.applicable(state)
        assert np.flatnonzero(batch.mask(zero, rows, False)[0]).tolist() == [a[0] for a in scoped]
        assert np.flatnonzero(batch.mask(zero, rows)[0]).tolist() == [a[0] for a in applicable]
        expected = []
        for operator, intervals in applicable:
            if intervals is not None:
                assert batch.numbers(0, rows, 0, operator) == intervals
            for low, high in intervals or ((0, 0),):
                for number in range(low, high + 1):
                    after = runtime.act(state, operator, number).state
                    expected.append((operator, number, after))
        found = successors(batch.tables, 0, rows)
        got = zip(
            found.operators.tolist(), found.numbers.tolist(), map(tuple, found.states.tolist()),
            strict=True,
        )  # fmt: skip
        assert list(got) == expected
        action = applicable_action(world, state, chance) or any_action(world, chance)
        state = runtime.act(state, *action).state


def test_all_in_one_batch() -> None:
    everything = Engine(tables_of([machine(name) for name in WORLDS]))
    play(everything, rows=2 * len(WORLDS), turns=10, seed=3)
