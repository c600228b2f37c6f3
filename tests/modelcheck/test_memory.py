"""A search never takes a tenth more memory than it may, and keeps what it has learnt.

Peaks are those of all that Python and numpy hold, above what was held before the search.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.modelcheck.test_distance import machine_of
from worldengine.modelcheck.beliefs import NEVER, Game
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.cone import cone_of
from worldengine.modelcheck.explore import explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.sights import Sights
from worldengine.modelcheck.tails import Tails
from worldengine.modelcheck.typed import Typed

ALLOWED = 1.1
BOUNDS = (16 << 20, 32 << 20)


@contextmanager
def peak() -> Iterator[Callable[[], int]]:
    """The most bytes held since it began, above those held then."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    try:
        yield lambda: tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("edges", [False, True])
def test_exploration(bound: int, edges: bool) -> None:
    machine = machine_of("lagos_market")
    problem, cone = Problem(machine), cone_of(machine)
    warm = explore(problem, machine.start(0), cone, 10, 1 << 22, clock(60), False, edges)
    assert warm.stopped_by
    with peak() as held:
        seen = explore(problem, machine.start(0), cone, 10**9, bound, clock(60), False, edges)
        assert held() <= bound * ALLOWED
    assert seen.stopped_by == "bytes" and not seen.complete
    assert seen.states > 1000
    assert all(0 <= seen.graph.parents[node] < node for node in range(1, min(seen.states, 500)))


@pytest.mark.parametrize("bound", [BOUNDS[0], pytest.param(BOUNDS[1], marks=pytest.mark.slow)])
def test_beliefs(bound: int) -> None:
    machine = machine_of("lagos_market")
    problem = Problem(machine)
    tails = Tails(problem, [()] * 4, [None] * 4, clock(60))
    sights = Sights(machine, problem.everything)
    starts = [machine.start(variant) for variant in range(4)]
    for state in starts:
        tails.bounds(0, state)
    sights.see(sights.rows(starts))
    with peak() as held:
        game = Game(sights, Typed(machine, problem.everything), tails.bounds)
        game.enter((0, 1, 2, 3), sights.rows(starts))
        assert not game.explore(clock(60), 10**9, bound)
        assert held() <= bound * ALLOWED
    assert game.stopped == "bytes"
    least, most = game.bounds()
    assert least <= machine.turns and most == NEVER
