"""Everything that can be reached from a start, kept so that it can be asked about.

In: a `Problem`, a start, a budget. Out: a `Survey`, if all of it was seen: for a state its
exact distance to a win, a shortest way there, and which states are dead ends.

States are told apart in the cone of win and lose only (see `cone`), which changes how many
there are and neither a distance nor whether a win can be reached. A state that was not
reached from the start may still be answered: if it agrees in the cone with one that was, the
same plays win from it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from worldengine.machine.schema import RUNNING, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.compiled.kernel import expand, scratch
from worldengine.modelcheck.exploration.explore import FAR, Explored, Plan, explore
from worldengine.modelcheck.exploration.frontier import Array, node_of
from worldengine.modelcheck.exploration.packing import pack
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.cone import cone_of, whole


@dataclass(frozen=True, slots=True)
class Survey:
    """See the module. `explored` is complete and kept its edges; `variables` are the cone."""

    explored: Explored
    variables: tuple[int, ...]

    def node(self, state: State) -> int:
        """The node that agrees with a state in the cone, or -1. Values that cannot be reached
        from any start have no key of their own, and states that hold one are not looked up."""
        explored = self.explored
        reached = explored.problem.reach
        if reached is not None and any(
            state[slot] not in reached.values[slot] for slot in self.variables
        ):
            return -1
        pack(explored.packing, np.array(state, np.int32), explored.graph.key)
        return int(node_of(explored.packing, explored.graph, explored.graph.key))

    def distance(self, state: State) -> int | None:
        """Turns to the nearest win, FAR if there is none; None if the state was not seen."""
        node = self.node(state)
        return None if node < 0 else int(self.explored.distances()[node])

    def way(self, state: State) -> Plan | None:
        """A shortest win from a state; None if there is none or the state was not seen."""
        left = self.distance(state)
        if left is None or left >= FAR:
            return None
        machine, actions = self.explored.problem.machine, self.explored.actions
        tables = self.explored.problem.tables
        space = scratch(tables)
        out = np.zeros((len(actions), len(machine.variables)), np.int32)
        which = np.zeros(len(actions), np.int32)
        found: list[tuple[int, int]] = []
        while state[machine.status] == RUNNING:
            now = np.array(state, np.int32)
            count = expand(tables, now, actions.operators, actions.numbers, out, which, space)
            for row in range(count):
                after = tuple(out[row].tolist())
                if self.distance(after) == left - 1:
                    found.append(actions.pair(int(which[row])))
                    state, left = after, left - 1
                    break
            else:
                raise AssertionError("no command leads nearer to the win")
        return tuple(found)

    # -- dead ends -----------------------------------------------------------------------

    @property
    def running(self) -> int:
        return int((self.explored.statuses() == RUNNING).sum())

    def into(self) -> tuple[Array, Array]:
        """Every turn from a state that can still be won into a dead end: (from, to)."""
        explored = self.explored
        graph, count = explored.graph, explored.states
        far = explored.distances() >= FAR
        dead = far & (explored.statuses() == RUNNING)
        starts = graph.starts[: count + 1]
        ends = graph.edges[: int(starts[count])]
        sources = np.repeat(np.arange(count), np.diff(starts))
        fatal = ~far[sources] & dead[ends]
        return sources[fatal], ends[fatal]

    def causes(self, most: int = 2000) -> Counter[int]:
        """How often each action schema leads into a dead end, over at most so many turns."""
        explored, machine = self.explored, self.explored.problem.machine
        tables, actions = explored.problem.tables, explored.actions
        space = scratch(tables)
        out = np.zeros((len(actions), len(machine.variables)), np.int32)
        which = np.zeros(len(actions), np.int32)
        found: Counter[int] = Counter()
        for source in list(dict.fromkeys(self.into()[0].tolist()))[:most]:
            state = np.array(explored.state(source), np.int32)
            count = expand(tables, state, actions.operators, actions.numbers, out, which, space)
            for row in range(count):
                if out[row, machine.status] == RUNNING:
                    after = self.distance(tuple(out[row].tolist()))
                    if after is not None and after >= FAR:
                        operator = int(actions.operators[which[row]])
                        found[machine.operators[operator].schema] += 1
        return found


def survey(
    problem: Problem, start: State, states: int, memory: int, clock: Clock, reduced: bool = True
) -> Survey | None:
    """The survey from a start, None if the budget does not suffice. Without `reduced` all
    states are told apart."""
    return surveyed(problem, start, states, memory, clock, reduced)[0]


def surveyed(
    problem: Problem, start: State, states: int, memory: int, clock: Clock, reduced: bool = True
) -> tuple[Survey | None, str]:
    """As `survey`, with what ran out: states, seconds, bytes, or ""."""
    cone = cone_of(problem.machine) if reduced else whole(problem.machine)
    seen = explore(problem, start, cone, states, memory, clock, first_win=False, keep_edges=True)
    return (Survey(seen, cone.variables), "") if seen.complete else (None, seen.stopped_by)
