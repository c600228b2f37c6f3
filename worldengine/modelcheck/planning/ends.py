"""Which end of a known plan still wins from a state, compiled.

In: tables, a plan as ground commands, a state. Out: the place in the plan from which the fewest
commands win, those left out that are refused. What it says is of ground commands: whoever
shows it plays the texts first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.machine.schema import RUNNING, WON, State
from worldengine.modelcheck.compiled.kernel import Space, copy, follow, scratch
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.compiled.tables import STATUS, Tables
from worldengine.modelcheck.exploration.frontier import Array
from worldengine.modelcheck.problem import Problem
from worldengine.runtime import runtime_of

Commands = tuple[str, ...]


@compiled
def best_end(
    t: Tables, space: Space, state: Any, operators: Any, numbers: Any, starts: Any, rows: Any
) -> Any:
    """The place, below `starts`, from which on the fewest commands win, or -1. `rows`
    [2, variables] is scratch."""
    found, fewest = -1, len(operators) + 1
    for start in range(starts):
        copy(rows[0], state)
        now, kept = 0, 0
        for at in range(start, len(operators)):
            if kept + 1 >= fewest:
                break
            if not follow(t, rows[now], operators[at], numbers[at], rows[1 - now], space):
                continue
            now, kept = 1 - now, kept + 1
            status = rows[now, t.sizes[STATUS]]
            if status == WON:
                found, fewest = start, kept
            if status != RUNNING:
                break
    return found


class Ends:
    """Plans in ground commands, as they mean it where they win."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._space = scratch(problem.tables)
        self._rows = np.zeros((2, len(problem.machine.variables)), np.int32)
        self._plans: dict[Commands, tuple[Array, Array]] = {}
        self._places: dict[Commands, list[int]] = {}

    def best(self, state: State, plan: Commands, whole: bool = False) -> int:
        """Where the best end of a plan that was taken up begins, or -1; if `whole`, 0 or -1."""
        operators, numbers = self._plans[plan]
        starts = 1 if whole else len(operators)
        row = np.array(state, np.int32)
        tables = self._problem.tables
        found = int(best_end(tables, self._space, row, operators, numbers, starts, self._rows))
        return found if found <= 0 else self._places[plan][found]

    def note(self, plan: Commands, start: State) -> None:
        """Take up a plan as it is understood from a start; what is no action there is left out,
        and what comes after the end of the play there."""
        runtime = runtime_of(self._problem.machine)
        pairs: list[tuple[int, int]] = []
        self._places[plan] = []
        for place, command in enumerate(plan):
            turn = runtime.step(start, command)
            if turn.operator >= 0:
                pairs.append((turn.operator, turn.number))
                self._places[plan].append(place)
            start = turn.state
            if turn.status != "running":
                break
        table = np.array(pairs, np.int32).reshape(-1, 2)
        self._plans[plan] = table[:, 0].copy(), table[:, 1].copy()
