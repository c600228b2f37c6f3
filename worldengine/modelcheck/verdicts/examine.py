"""What is told of a world besides whether it can be won: dead ends, and guesses.

In: a verdict, what is left of the budget. Out: the verdict with both, as far as the budget
went. Surveys (everything that can be reached from a start) are made once and serve both.
"""

from __future__ import annotations

from dataclasses import replace

from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.exploration.survey import Survey, surveyed
from worldengine.modelcheck.guessing.discovery import discover
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.verdicts.deadends import dead_ends
from worldengine.modelcheck.verdicts.verdict import WINNABLE, Verdict

SURVEYED = 100_000
"""States of one variant up to which everything that can be reached is kept."""
SURVEY_SECONDS, LOOK_SECONDS = 3.0, 2.0
"""For the surveys, and for looking for dead ends where there are none; a tenth and a twentieth
of the budget where that is more, and at most a quarter and a tenth of it."""


def examined(verdict: Verdict, budget: Budget) -> Verdict:
    """See the module. `budget.seconds` is what is left for both. Worlds with variants that all
    can be won are asked whether they need a guess."""
    left = clock(budget.seconds)
    problem = Problem(verdict.machine)
    plans = [each.plan for each in verdict.variants]
    if all(plan is None for plan in plans):
        return verdict
    surveys, stopped_by = _surveys(problem, plans, budget)
    look = clock(min(max(LOOK_SECONDS, budget.seconds / 20), budget.seconds / 10))
    ends = dead_ends(problem, plans, surveys, look, stopped_by)
    found = None
    if len(plans) > 1 and all(each.status == WINNABLE for each in verdict.variants):
        known = [plan for plan in plans if plan is not None]
        found = discover(problem, known, surveys, budget.memory // 2, left)
    return replace(verdict, found=found, ends=ends)


def _surveys(
    problem: Problem, plans: list[tuple[str, ...] | None], budget: Budget
) -> tuple[list[Survey | None], str]:
    """By variant, with what ran out; where one is too large the others are not tried."""
    found: list[Survey | None] = [None] * len(plans)
    share = clock(min(max(SURVEY_SECONDS, budget.seconds / 10), budget.seconds / 4))
    states = min(SURVEYED, budget.states)
    memory = budget.memory // (2 * len(plans))
    for variant, plan in enumerate(plans):
        if plan is None:
            continue
        start = problem.machine.start(variant)
        found[variant], stopped_by = surveyed(problem, start, states, memory, share)
        if found[variant] is None:
            return found, stopped_by
    return found, ""
