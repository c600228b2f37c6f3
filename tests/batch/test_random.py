"""Random machines on the numba engine, turn by turn beside the reference."""

from __future__ import annotations

import pytest

from tests.batch.differences import play
from tests.batch.random_machines import random_machine
from worldengine.batch import Engine, tables_of


@pytest.mark.parametrize("seed", range(12))
def test_turns(seed: int) -> None:
    machines = [random_machine(8 * seed + index) for index in range(8)]
    play(Engine(tables_of(machines)), rows=24, turns=40, seed=seed)


@pytest.mark.slow
def test_a_long_run() -> None:
    """A hundred thousand steps; turn `range` up for a longer one."""
    for seed in range(1_000, 1_050):
        machines = [random_machine(64 * seed + index) for index in range(64)]
        play(Engine(tables_of(machines)), rows=64, turns=32, seed=seed)
