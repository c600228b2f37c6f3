"""Random machines on the numba engine, turn by turn beside the reference."""

from __future__ import annotations

import os

import pytest

from tests.batch.differences import play
from tests.batch.random_machines import random_machine
from worldengine.batch import Engine, tables_of


@pytest.mark.parametrize("seed", range(12))
def test_turns(seed: int) -> None:
    machines = [random_machine(8 * seed + index) for index in range(8)]
    play(Engine(tables_of(machines)), rows=24, turns=40, seed=seed)


SHARDS = int(os.environ.get("WORLDENGINE_SHARDS", "10"))
"""Shards of the long run: 10 make a million steps; a thousand make a hundred million."""


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_long_run(shard: int) -> None:
    """A hundred thousand steps a shard, most of them drawn from all the actions there are."""
    steps = 0
    for seed in range(1_000 + 25 * shard, 1_025 + 25 * shard):
        machines = [random_machine(64 * seed + index) for index in range(64)]
        steps += play(Engine(tables_of(machines)), rows=128, turns=32, seed=seed, guided=0.1)
    assert steps > 100_000
