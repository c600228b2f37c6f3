"""The compiled search against the interpreter, on seeded random machines."""

from __future__ import annotations

import pytest

from tests.batch.random_machines import random_machine
from tests.modelcheck.brute import brute
from worldengine.modelcheck.abstract import reach
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.cone import Cone, cone_of, whole
from worldengine.modelcheck.explore import FAR, Explored, explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.values import TooWide

SMALL = 300
"""Machines with more states are left to the exploration alone."""
BATCHES = 25
SEEDS = 100
"""Seeds of one test."""


def seen(problem: Problem, cone: Cone, keep: bool) -> Explored:
    start = problem.machine.start(0)
    return explore(
        problem, start, cone, 10**6, 1 << 28, clock(600), first_win=not keep, keep_edges=keep
    )


def length(explored: Explored) -> int | None:
    return None if explored.plan is None else len(explored.plan)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_verdict_length_and_counts_agree(batch: int) -> None:
    judged = 0
    for seed in range(batch * SEEDS, (batch + 1) * SEEDS):
        machine = random_machine(seed)
        judge = brute(machine, machine.start(0), SMALL)
        if judge is None:
            continue
        judged += 1
        problem = Problem(machine)
        full = seen(problem, whole(machine), keep=True)
        assert (full.states, length(full)) == (judge.states, judge.shortest), seed
        assert len(full.dead_ends()) == judge.dead, seed
        assert full.distances()[0] == (FAR if judge.shortest is None else judge.shortest), seed
        assert length(seen(problem, cone_of(machine), keep=False)) == judge.shortest, seed
        check_sets(problem, judge.reached, seed)
    assert judged > SEEDS // 2


def check_sets(problem: Problem, reached: tuple[tuple[int, ...], ...], seed: int) -> None:
    """No play leaves the sets of the relaxed world."""
    try:
        sets = reach(problem.machine, [problem.machine.start(0)]).values
    except TooWide:
        return
    for state in reached:
        assert all(value in sets[slot] for slot, value in enumerate(state)), seed
