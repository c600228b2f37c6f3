"""The kernel in Triton beside the numba engine, in Triton's own interpreter; a process of its own.

    TRITON_INTERPRET=1 python -m tests.batch.fused_runs trial|random|shipped SEED ROWS TURNS

The interpreter has to be asked for before triton is loaded, and then holds for the whole process.
"""

from __future__ import annotations

import random
import sys

import numpy as np
from triton.runtime import interpreter

from tests.batch.differences import any_action, applicable_action, start_states
from tests.batch.random_machines import random_machine
from tests.worlds import lamp
from worldengine.batch import Engine, tables_of
from worldengine.batch.tensors.engine import TorchEngine
from worldengine.batch.texts.rendering import renderer
from worldengine.bench import trial_shape
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds


def machines_of(kind: str, seed: int) -> list[Machine]:
    """Some machines of a kind."""
    if kind == "trial":
        return [trial_shape(seed, operators=12)]
    if kind == "random":
        return [random_machine(2 * seed), random_machine(2 * seed + 1), lamp()]
    paths = shipped_worlds()[seed : seed + 2]
    return [compile(path.read_text(encoding="utf-8")) for path in paths]


def play(machines: list[Machine], rows: int, turns: int, seed: int) -> None:
    """Turns and masks of some machines, everything compared."""
    tables, chance = tables_of(machines), random.Random(seed)
    numba, other = Engine(tables), TorchEngine(tables, kernel="triton")
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
        for required in (True, False) if turn == 0 else ():
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


def main() -> None:
    """Play what the command line says."""
    # A hash overflows as it should: that is not to be looked for in every product.
    options = interpreter.InterpreterOptions(sanitize_overflow=False)
    interpreter.interpreter_builder.options = options
    kind, (seed, rows, turns) = sys.argv[1], map(int, sys.argv[2:5])
    play(machines_of(kind, seed), rows, turns, seed)


if __name__ == "__main__":
    main()
