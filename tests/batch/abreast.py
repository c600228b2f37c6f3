"""A kernel of the torch engine and the numba engine, the same turns played abreast."""

from __future__ import annotations

import random

import numpy as np

from tests.batch.differences import any_action, applicable_action, start_states
from worldengine.batch import Engine, tables_of
from worldengine.batch.tensors.engine import TorchEngine
from worldengine.batch.texts.rendering import renderer
from worldengine.machine import Machine


def play(machines: list[Machine], rows: int, turns: int, seed: int, kernel: str = "plain") -> None:
    """Turns of some machines, and masks every fourth, everything compared."""
    tables, chance = tables_of(machines), random.Random(seed)
    numba, other = Engine(tables), TorchEngine(tables, kernel=kernel)
    worlds = np.array([row % len(machines) for row in range(rows)], np.int32)
    states = start_states(tables, worlds.tolist(), [0] * rows)
    which, there = other.tensor(worlds.astype(np.int64)), other.tensor(states.copy())
    for turn in range(turns):
        actions = []
        for world, row in zip(worlds.tolist(), states.tolist(), strict=True):
            machine, action = machines[world], None
            state = tuple(row[: len(machine.variables)])
            if chance.random() < 0.6 and state[machine.status] == 0:
                action = applicable_action(machine, state, chance)
            actions.append(action or any_action(machine, chance))
        operators = np.array([action[0] for action in actions], np.int32)
        numbers = np.array([action[1] for action in actions], np.int32)
        for required in (True, False) if turn % 4 == 0 else ():
            mask = other.mask(which, there, required).numpy()
            assert (mask == numba.mask(worlds, states, required)).all()
        one = numba.step(worlds, states, operators, numbers)
        two = other.step(
            which,
            there,
            other.tensor(operators.astype(np.int64)),
            other.tensor(numbers.astype(np.int64)),
        )
        assert (there.numpy() == states).all()
        for name in ("outcomes", "failed", "progress"):
            assert (getattr(two, name).numpy() == getattr(one, name)).all(), name
        ids = other.collect(which, two)
        assert (ids == one.texts).all()
        shown = other.texts.texts(ids[ids != 0], renderer(tables))
        assert shown == numba.texts.texts(ids[ids != 0], renderer(tables))
