"""States side by side: turns and masks equal to the reference, and to one state at a time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.batch.differences import any_action, compare, start_states
from tests.batch.random_machines import random_machine
from worldengine.batch import Engine, tables_of
from worldengine.batch.engine import WORTH_LANES
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.texts.rendering import renderer
from worldengine.machine import Machine
from worldengine.runtime import runtime_of

ROWS = 600
"""More than go together at a time, and many of each operator."""


def alone(engine: Engine, machines: Integers, states: Integers, required: bool) -> Integers:
    """The same masks, a few rows at a time: too few to be put side by side."""
    parts = [
        engine.mask(machines[at : at + 3], states[at : at + 3], required)
        for at in range(0, len(states), 3)
    ]
    return np.concatenate(parts)


def choose(machine: Machine, chance: random.Random, offered: Integers) -> tuple[int, int]:
    """Mostly one of the applicable operators, sometimes any, with any number."""
    operator, number = any_action(machine, chance)
    if chance.random() < 0.7 and offered.any():
        operator = int(chance.choice(np.flatnonzero(offered).tolist()))
        number = chance.choice((0, 1, 2, -1, 3))
    return operator, number


def play_lanes(machine: Machine, turns: int, seed: int) -> int:
    """Play many rows of one machine, every tenth compared with the reference at every turn."""
    engine, chance = Engine(tables_of([machine])), random.Random(seed)
    machines = np.zeros(ROWS, np.int32)
    starts = [chance.randrange(len(machine.variants)) for _ in range(ROWS)]
    states = start_states(engine.tables, [0] * ROWS, starts)
    judged = 0
    for turn in range(turns):
        offered = engine.mask(machines, states)
        assert (offered == alone(engine, machines, states, True)).all(), machine.name
        scoped = engine.mask(machines, states, False)
        assert (scoped == alone(engine, machines, states, False)).all(), machine.name
        few = [choose(machine, chance, offered[chance.randrange(ROWS)]) for _ in range(8)]
        actions = [chance.choice(few) for _ in range(ROWS)]
        operators = np.array([action[0] for action in actions], np.int32)
        numbers = np.array([action[1] for action in actions], np.int32)
        before = states.copy()
        step = engine.step(machines, states, operators, numbers, texts=turn % 2 == 0)
        for row in range(0, ROWS, 10):
            known = tuple(before[row].tolist())
            if known[machine.status] != 0:
                assert step.outcomes[row] == 4
                continue
            compare(engine, 0, row, known, actions[row], states[row].tolist(), step)
            judged += 1
        over = states[:, machine.status] != 0
        states[over] = start_states(engine.tables, [0] * ROWS, starts)[over]
    return judged


@pytest.mark.parametrize("seed", range(16))
def test_lanes_do_what_the_reference_does(seed: int) -> None:
    assert ROWS > 8 * WORTH_LANES  # so that rows are put side by side
    assert play_lanes(random_machine(seed), 6, seed) > 100


@pytest.mark.slow
def test_lanes_on_many_machines() -> None:
    for seed in range(100, 300):
        play_lanes(random_machine(seed), 8, seed)


def test_worlds_mixed_side_by_side_and_alone() -> None:
    """Many machines in one batch: rows that go together and rows that do not agree."""
    machines = [random_machine(seed) for seed in range(500, 506)]
    engine, chance = Engine(tables_of(machines)), random.Random(0)
    which = np.array([chance.randrange(6) for _ in range(2_000)], np.int32)
    states = start_states(engine.tables, which.tolist(), [0] * len(which))
    for _ in range(6):
        operators = np.array([chance.randrange(3) for _ in which], np.int32)
        numbers = np.zeros(len(which), np.int32)
        together, apart = states.copy(), states.copy()
        step = engine.step(which, together, operators, numbers)
        for begin in range(0, len(which), 5):
            part = slice(begin, begin + 5)
            few = apart[part].copy()
            other = engine.step(which[part], few, operators[part], numbers[part])
            apart[part] = few
            assert (other.outcomes == step.outcomes[part]).all()
            assert (other.failed == step.failed[part]).all()
            assert (other.progress == step.progress[part]).all()
            assert (other.texts == step.texts[part]).all()
        assert (together == apart).all()
        states = together


def test_threads_and_parts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor how many rows' states are kept at a time, by which texts are worked out."""
    machine = random_machine(3)
    tables, chance = tables_of([machine]), random.Random(1)
    machines = np.zeros(5_000, np.int32)
    states = start_states(tables, [0] * 5_000, [0] * 5_000)
    operators = np.array([chance.randrange(len(machine.operators)) for _ in machines], np.int32)
    numbers = np.ones(5_000, np.int32)
    results = []
    for threads, part in ((1, 65_536), (3, 65_536), (1, 70), (3, 1_999)):
        monkeypatch.setattr("worldengine.batch.engine.AT_A_TIME", part)
        after = states.copy()
        engine = Engine(tables, threads=threads)
        step = engine.step(machines, after, operators, numbers)
        texts = engine.texts.texts(step.texts, renderer(tables))  # every one has been met
        results.append((after, step.texts, texts))
    one, ids, texts = results[0]
    for other, others, same in results[1:]:
        assert (one == other).all() and (ids == others).all() and texts == same
    assert runtime_of(machine).act(tuple(states[0].tolist()), int(operators[0]), 1)
