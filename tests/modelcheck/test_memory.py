"""An exploration stays within the bytes it is given."""

from __future__ import annotations

import tracemalloc

import pytest

from worldengine.compiler import compile
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.cone import cone_of
from worldengine.resources import shipped_worlds


@pytest.mark.parametrize("edges", [False, True])
def test_memory_stays_within_its_bound(edges: bool) -> None:
    path = next(path for path in shipped_worlds() if path.stem == "atc_trainee")
    machine = compile(path.read_text(encoding="utf-8"))
    problem, cone = Problem(machine), cone_of(machine)
    explore(problem, machine.start(), cone, 60_000, 1 << 30, clock(60), not edges, edges)
    bound = 24 << 20
    tracemalloc.start()
    try:
        seen = explore(
            problem, machine.start(), cone, 10**8, bound, clock(600), not edges, keep_edges=edges
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seen.stopped_by == "bytes" and not seen.complete
    assert seen.states > 50_000, "what was learned is kept"
    assert peak < 1.1 * bound
