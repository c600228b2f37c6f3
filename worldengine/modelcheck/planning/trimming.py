"""Plans without what they do not need.

In: a `Problem`, a start, a plan that wins. Out: one that wins with fewer commands. Commands are
left out one at a time with all that is refused then (action elimination: Nakhost and Müller,
"Action elimination and plan neighborhood graph search", 2010), and two at a time, as there and
back again. No more is claimed of it: a shorter plan may well go another way.
"""

from __future__ import annotations

import numpy as np

from worldengine.machine.schema import WON, State
from worldengine.modelcheck.compiled.kernel import Space, follow, scratch
from worldengine.modelcheck.planning.nodes import Array
from worldengine.modelcheck.problem import Problem

TURNS = 600_000
"""Turns that are played for pairs of commands, a second or two."""

Pairs = tuple[tuple[int, int], ...]
"""A plan as operators and numbers."""


def trimmed(problem: Problem, start: State, plan: Pairs) -> Pairs:
    """The plan with no command, and no two, that the rest wins without, each of the rest being
    accepted. Of plans longer than some 150 commands not all pairs are tried."""
    trial, turns = _Trial(problem, start), 0
    kept = trial.shortened(plan)
    while turns < TURNS:
        shorter, played = trial.without_two(kept, TURNS - turns)
        turns += played
        if shorter is None:
            break
        kept = trial.shortened(shorter)
    return kept


def shortened(problem: Problem, start: State, plan: Pairs) -> Pairs:
    """The plan without what it does not need: each command is left out in turn, with all
    that is refused after it, and stays out if the rest still wins."""
    return _Trial(problem, start).shortened(plan)


class _Trial:
    def __init__(self, problem: Problem, start: State) -> None:
        self.tables = problem.tables
        self.status = problem.machine.status
        self.start = np.array(start, np.int32)
        self.space: Space = scratch(problem.tables)

    def shortened(self, plan: Pairs) -> Pairs:
        """See the function."""
        kept, index = plan, 0
        while index < len(kept):
            shorter = self._played(kept[:index] + kept[index + 1 :])
            if shorter is not None and len(shorter) < len(kept):
                kept = shorter
            else:
                index += 1
        return kept

    def without_two(self, plan: Pairs, most: int) -> tuple[Pairs | None, int]:
        """The plan less two commands, None if it needs all; and how many turns were played."""
        played = 0
        states = self._states(self.start, plan)
        if states[-1][self.status] != WON:
            return None, 0
        for first in range(len(plan)):
            # What the plan comes to without its first command left out, up to a refusal.
            lacking = self._states(states[first], plan[first + 1 :])
            played += len(lacking)
            for place, state in enumerate(lacking):
                second = first + 1 + place
                if second >= len(plan) or played > most:
                    break
                after = self._states(state, plan[second + 1 :])
                played += len(after)
                if after[-1][self.status] == WON:
                    rest = plan[:first] + plan[first + 1 : second]
                    return rest + plan[second + 1 : second + len(after)], played
        return None, played

    def _states(self, state: Array, plan: Pairs) -> list[Array]:
        """The states on the way through a plan, to its win or its first refusal."""
        found = [state]
        for operator, number in plan:
            after = np.zeros_like(state)
            if found[-1][self.status] == WON:
                break
            if not follow(self.tables, found[-1], operator, number, after, self.space):
                break
            found.append(after)
        return found

    def _played(self, plan: Pairs) -> Pairs | None:
        """What is accepted of a plan, up to the win; None if it does not win."""
        state, after = self.start.copy(), np.zeros_like(self.start)
        kept: list[tuple[int, int]] = []
        for operator, number in plan:
            if not follow(self.tables, state, operator, number, after, self.space):
                continue
            kept.append((operator, number))
            state, after = after, state
            if state[self.status] == WON:
                return tuple(kept)
        return None
