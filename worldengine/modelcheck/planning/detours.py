"""Back to a plan that is known: short ways from a state to where the plan still wins.

In: a `Problem`, plans, a state. Out: commands of a win, or None, which proves nothing. Two
looks, breadth first over all commands: to a state that agrees with one on the plan's own way
in everything but clocks, and, among the nearest, to one from which the plan wins if what is
refused is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from worldengine.machine.schema import RUNNING, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.compiled.kernel import expand, scratch
from worldengine.modelcheck.exploration.explore import Plan
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.counters import counters
from worldengine.modelcheck.reductions.cone import cone_of

NEAR = 250
"""States from which the whole plan is tried."""
FAR_OFF = 12_000
"""States that are looked at on the way back to the plan."""

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Detour:
    """Ground commands, the state after them, and the plan's place there (-1: from its start,
    what is refused left out)."""

    way: Plan
    state: State
    place: int


class Detours:
    """See the module."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        machine = problem.machine
        clocks = counters(machine) | {machine.turn}
        self._telling = tuple(v for v in cone_of(machine).variables if v not in clocks)
        self._space = scratch(problem.tables)

    def key(self, state: State) -> Key:
        """What tells states apart here."""
        return tuple(state[slot] for slot in self._telling)

    def search(
        self, state: State, trail: dict[Key, int], fits: Callable[[State], bool], clock: Clock
    ) -> Iterator[Detour]:
        """Detours, the nearest first. `trail` gives the plan's place by key; `fits` is asked
        of the nearest states."""
        actions, status = self.problem.helpful, self.problem.machine.status
        out = np.zeros((len(actions), len(state)), np.int32)
        which = np.zeros(len(actions), np.int32)
        states, parents, said = [state], [-1], [-1]
        seen = {self.key(state)}
        at = 0
        while at < len(states) < FAR_OFF and clock.left > 0:
            now = np.array(states[at], np.int32)
            count = expand(
                self.problem.tables, now, actions.operators, actions.numbers, out, which,
                self._space,
            )  # fmt: skip
            for row in range(count):
                after = tuple(out[row].tolist())
                key = self.key(after)
                if key in seen or after[status] != RUNNING:
                    continue
                seen.add(key)
                states.append(after)
                parents.append(at)
                said.append(int(which[row]))
                place = trail.get(key)
                if place is not None or (len(states) <= NEAR and fits(after)):
                    way: list[tuple[int, int]] = []
                    node = len(states) - 1
                    while parents[node] >= 0:
                        way.append(actions.pair(said[node]))
                        node = parents[node]
                    yield Detour(tuple(reversed(way)), after, -1 if place is None else place)
            at += 1
