"""The compiled search against the interpreter, on seeded random machines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.batch.random_machines import Maker, random_machine
from tests.build_machine import form
from tests.modelcheck.brute import brute
from worldengine.machine import Machine
from worldengine.machine.schema import CONST, COPY, GE, LT, NONE, Assign, Operator, Step
from worldengine.machine.schema import Test as Comparison
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import FAR, Explored, explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.values import TooWide
from worldengine.modelcheck.reductions.cone import Cone, cone_of, whole
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.modelcheck.relaxation.abstract import reach

SMALL = 300
"""Machines with more states are left to the exploration alone."""
BATCHES = 25
SEEDS = 100
"""Seeds of one test."""
REDUCED = ((True, False), (False, True), (True, True))
"""Folding and dominance, each alone and both."""


def seen(problem: Problem, cone: Cone, keep: bool) -> Explored:
    start = problem.machine.start(0)
    return explore(
        problem, start, cone, 10**6, 1 << 28, clock(600), first_win=not keep, keep_edges=keep
    )


def shortest(machine: Machine, fold: bool, dominance: bool) -> int | None:
    """The length of a shortest win, with the reductions that keep nothing else."""
    less = reduced(machine, fold, dominance)
    return length(seen(Problem(less), cone_of(less), keep=False))


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
        for slim in (False, True):
            for split in (False, True):
                cone = cone_of(machine, slim, split)
                found = seen(problem, cone, keep=False)
                assert length(found) == judge.shortest, (seed, slim, split)
                assert found.states <= full.states, (seed, slim, split)
        for fold, dominance in REDUCED:
            assert shortest(machine, fold, dominance) == judge.shortest, (seed, fold, dominance)
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


def test_values_are_told_apart_only_where_something_does() -> None:
    """Each reduction leaves states out on some machines, or nothing here would be tried. Commands
    are only dropped where hands can be full: those worlds are scripts (`test_reductions`)."""
    fewer = {"slim": 0, "split": 0, "fold": 0}
    for seed in range(24):
        machine = Slack(seed).machine()
        judge = brute(machine, machine.start(0), 4 * SMALL)
        if judge is None:
            continue
        problem = Problem(machine)
        plain = seen(problem, cone_of(machine, False, False), keep=True)
        assert (plain.states, length(plain)) == (judge.states, judge.shortest), seed
        for name, cone in (
            ("slim", cone_of(machine, True, False)),
            ("split", cone_of(machine, False, True)),
        ):
            less = seen(problem, cone, keep=True)
            assert length(less) == judge.shortest, (seed, name)
            assert less.distances()[0] == plain.distances()[0], (seed, name)
            fewer[name] += less.states < plain.states
        for name, fold in (("fold", True), ("dominance", False)):
            assert shortest(machine, fold, not fold) == judge.shortest, (seed, name)
        fewer["fold"] += reduced(machine, True, False) != reduced(machine, False, False)
    assert min(fewer.values()) > 2, fewer


class Slack(Maker):
    """Random machines with room for the reductions: a command that does nothing, a number that
    nothing asks for, one that is only asked whether it is 0, and a load that only hinders."""

    def variables(self) -> None:
        self.idle = self.b.integer("idle", 0, 2, 0)
        self.large = self.b.integer("large", 0, 3, 0)
        self.load = self.b.integer("load", 0, 2, 0)
        super().variables()

    def readable(self, derived: int) -> list[int]:
        """Nothing else reads or writes the three numbers."""
        count = len(self.b.variables)
        apart = (self.idle, self.large, self.load)
        extra = {*apart, *(slot + count for slot in apart)}
        return [slot for slot in super().readable(derived) if slot not in extra]

    def tables(self) -> None:
        super().tables()
        self.b.tables = [tuple(map(self.unread, table)) for table in self.b.tables]

    def scopes(self) -> None:
        super().scopes()
        self.b.scopes = [
            replace(scope, rows=tuple(map(self.unread, scope.rows))) for scope in self.b.scopes
        ]

    def unread(self, row: Any) -> Any:
        """A row of a table or scope that reads none of the three numbers."""
        apart = (self.idle, self.large, self.load)
        return row._replace(slot=-1) if row.slot in apart else row

    def actions(self) -> None:
        super().actions()
        spun, turned = ((Assign(slot, COPY, slot, -1, 1),) for slot in (self.idle, self.large))
        lifted = Assign(self.load, COPY, self.load, -1, 1)
        asked = Comparison(self.large, GE, -1, 1)
        light = Comparison(self.load, LT, -1, 2)
        flag = Assign(self.free[0], CONST, -1, -1, 1)
        for name, steps in (
            ("rest", ()),
            ("spin", (Step((), spun, -1, (), -1, 0, 1, 1),)),
            ("turn", (Step((), turned, -1, (), -1, 0, 1, 1),)),
            ("lift", (Step((), (lifted,), -1, (), -1, 0, 1, 1),)),
            ("press", (Step((asked, light), (flag,), -1, (), -1, 0, 1, 1),)),
        ):
            schema = self.b.schema(name, (), form(name), own=True)
            self.b.operators.append(Operator(schema, (), (), 0, steps, NONE))
