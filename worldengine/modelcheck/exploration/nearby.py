"""The states next to a start, breadth first, and no more than are asked for.

In: a `Problem`, a start, how many. Out: `Near`: running states with the ways to them. For looks
at the surroundings that `explore`, which goes on in strides of thousands, is too coarse for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worldengine.machine.schema import RUNNING, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.compiled.kernel import expand, scratch
from worldengine.modelcheck.exploration.explore import Plan
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.relaxation.actions import Actions


@dataclass(slots=True)
class Near:
    """Running states in the order of discovery; `said[i]` is the command from the parent."""

    actions: Actions
    states: list[State]
    parents: list[int] = field(default_factory=lambda: [-1])
    said: list[int] = field(default_factory=lambda: [-1])

    def way(self, node: int) -> Plan:
        """The commands from the start."""
        found: list[tuple[int, int]] = []
        while self.parents[node] >= 0:
            found.append(self.actions.pair(self.said[node]))
            node = self.parents[node]
        return tuple(reversed(found))


def near(problem: Problem, start: State, count: int, left: Clock) -> Near:
    """Up to `count` states; fewer if there are no more, or no time."""
    actions, status = problem.everything, problem.machine.status
    found = Near(actions, [start])
    seen = {start}
    space = scratch(problem.tables)
    out = np.zeros((len(actions), len(start)), np.int32)
    which = np.zeros(len(actions), np.int32)
    at = 0
    while at < len(found.states) < count and left.left > 0:
        row = np.array(found.states[at], np.int32)
        many = expand(problem.tables, row, actions.operators, actions.numbers, out, which, space)
        for index in range(many):
            after = tuple(out[index].tolist())
            if after in seen or after[status] != RUNNING:
                continue
            seen.add(after)
            found.states.append(after)
            found.parents.append(at)
            found.said.append(int(which[index]))
        at += 1
    return found
