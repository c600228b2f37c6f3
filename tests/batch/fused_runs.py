"""The kernel in Triton beside the numba engine, in Triton's own interpreter; a process of its own.

    TRITON_INTERPRET=1 python -m tests.batch.fused_runs trial|random|shipped SEED ROWS TURNS

The interpreter has to be asked for before triton is loaded, and then holds for the whole process.
"""

from __future__ import annotations

import sys

from triton.runtime import interpreter

from tests.batch.abreast import play
from tests.batch.random_machines import random_machine
from tests.worlds import lamp
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


def main() -> None:
    """Play what the command line says."""
    # A hash overflows as it should: that is not to be looked for in every product.
    options = interpreter.InterpreterOptions(sanitize_overflow=False)
    interpreter.interpreter_builder.options = options
    kind, (seed, rows, turns) = sys.argv[1], map(int, sys.argv[2:5])
    play(machines_of(kind, seed), rows, turns, seed, kernel="triton")


if __name__ == "__main__":
    main()
