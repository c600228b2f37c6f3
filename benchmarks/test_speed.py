"""Ratios that must hold on any machine, and figures for this one.

Run with `make bench`. What is asserted are ratios of work done side by side in one run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from worldengine import bench
from worldengine.batch import BatchEnv
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds

pytest.importorskip("pytest_benchmark")


@cache
def worlds() -> tuple[Machine, ...]:
    from worldengine.compiler import compile

    return tuple(compile(path.read_text(encoding="utf-8")) for path in shipped_worlds()[:5])


def once(benchmark: Any, work: Callable[[], float]) -> float:
    """A measure that times itself, taken once."""
    speed: float = benchmark.pedantic(work, rounds=1)
    return speed


def test_state_steps_beside_the_reference(benchmark: Any) -> None:
    base = bench.reference(worlds()[0])
    assert once(benchmark, lambda: bench.state_steps(worlds()[:1], 10_000, 6)) > 40 * base


def test_text_turns_beside_the_reference(benchmark: Any) -> None:
    base = bench.reference(worlds()[0])
    assert once(benchmark, lambda: bench.text_turns(worlds()[:1], 10_000, 4)) > 10 * base


def test_one_player_beside_the_reference(benchmark: Any) -> None:
    base = bench.reference(worlds()[0])
    assert once(benchmark, lambda: bench.single_turns(worlds()[:1], False, 0)[0]) > 5 * base


def test_mixed_worlds_cost_little_more_than_one(benchmark: Any) -> None:
    alone = sum(1 / bench.state_steps([world], 5_000, 4) for world in worlds()) / len(worlds())
    mixed = once(benchmark, lambda: bench.state_steps(worlds(), 5_000, 4))
    assert 1 / mixed < 3 * alone


def test_a_step_of_ten_thousand(benchmark: Any) -> None:
    env = BatchEnv(worlds(), size=10_000, texts=False)
    env.reset(seed=0)
    operators = np.zeros(10_000, np.int32)
    benchmark(env.step, operators)


def test_masks_of_ten_thousand(benchmark: Any) -> None:
    env = BatchEnv(worlds()[:1], size=10_000, texts=False)
    env.reset(seed=0)
    benchmark(env.applicable_mask)
