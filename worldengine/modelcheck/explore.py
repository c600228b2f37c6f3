"""Exploration of everything that can be reached from a start, within a budget.

In: a `Problem`, a variant's start, reductions, a budget. Out: `Explored`: whether a win was
found (the first one is a shortest), whether everything was seen, and, if asked for, from
which states no win can be reached any more.

Every state is kept with its full key (see `packing`); nothing is decided by a hash. Which
command led to a state is not kept but found again from its parent when a way is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worldengine.machine.schema import LOST, RUNNING, State
from worldengine.modelcheck.actions import Actions
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.cone import Cone, cone_actions
from worldengine.modelcheck.frontier import (
    NODES,
    TRANSITIONS,
    WINNER,
    Array,
    Graph,
    spread_distance,
)
from worldengine.modelcheck.growing import Growing, sorted_edges
from worldengine.modelcheck.kernel import expand, scratch
from worldengine.modelcheck.layers import BUDGET, DONE, FULL
from worldengine.modelcheck.packing import Packing, pack, packing_of, unpack
from worldengine.modelcheck.problem import Problem

FAR = 1 << 30

Plan = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Explored:
    """What an exploration came to.

    `plan` is a shortest win from the start, None if none was seen. `complete`: everything
    reachable was expanded (or, when stopping at the first win, up to that win). `stopped_by`
    is what ran out: states, seconds, bytes, or "". `distance` (after `distances`) holds the
    turns to the nearest win by node, FAR where none can be reached.
    """

    problem: Problem
    packing: Packing
    actions: Actions
    graph: Graph
    complete: bool
    stopped_by: str
    plan: Plan | None
    distance: Array | None = field(default=None)

    @property
    def states(self) -> int:
        return int(self.graph.counts[NODES])

    @property
    def transitions(self) -> int:
        return int(self.graph.counts[TRANSITIONS])

    @property
    def bytes_per_state(self) -> float:
        """Key, parent, status and table, of the states there is room for."""
        graph = self.graph
        parts = (graph.keys, graph.parents, graph.statuses, graph.table)
        return float(sum(part.nbytes for part in parts)) / max(1, len(graph.parents))

    def way(self, node: int) -> Plan:
        """The commands from the start to a node."""
        found: list[tuple[int, int]] = []
        seeker = _Seeker(self)
        while self.graph.parents[node] >= 0:
            parent = int(self.graph.parents[node])
            found.append(self.actions.pair(seeker.between(parent, node)))
            node = parent
        return tuple(reversed(found))

    def state(self, node: int) -> State:
        """The state of a node; what the cone leaves out is as at the start."""
        row = np.array(self.graph.state)
        unpack(self.packing, self.graph.keys[node], row)
        return tuple(int(value) for value in row)

    def distances(self) -> Array:
        """Turns to the nearest win for every node; only for explorations that kept edges."""
        if self.distance is None:
            self.distance = np.empty(self.states, np.int32)
            spread_distance(self.graph, self.distance)
        return self.distance

    def dead_ends(self) -> tuple[int, ...]:
        """Running states from which no win can be reached, in order of discovery. Exact only
        if the exploration is complete."""
        running = self.graph.statuses[: self.states] == RUNNING
        return tuple(np.flatnonzero(running & (self.distances() >= FAR)).tolist())

    def lost(self) -> int:
        return int((self.graph.statuses[: self.states] == LOST).sum())


class _Seeker:
    """Finds the command that leads from one node to another."""

    def __init__(self, explored: Explored) -> None:
        self.explored = explored
        variables = len(explored.problem.machine.variables)
        self.space = scratch(explored.problem.tables)
        self.out = np.zeros((len(explored.actions), variables), np.int32)
        self.which = np.zeros(len(explored.actions), np.int32)

    def between(self, parent: int, child: int) -> int:
        """The first such command."""
        seen = self.explored
        state = np.array(seen.state(parent), np.int32)
        count = expand(
            seen.problem.tables, state, seen.actions.operators, seen.actions.numbers, self.out,
            self.which, self.space,
        )  # fmt: skip
        key = seen.graph.key
        for row in range(count):
            pack(seen.packing, self.out[row], key)
            if (key == seen.graph.keys[child]).all():
                return int(self.which[row])
        raise AssertionError("a node does not follow from its parent")


def explore(
    problem: Problem,
    start: State,
    cone: Cone,
    states: int,
    memory: int,
    clock: Clock,
    first_win: bool = True,
    keep_edges: bool = False,
) -> Explored:
    """Explore from a start; see the module."""
    machine = problem.machine
    packing = packing_of(machine, cone.variables, _values(problem, start), cone.classes)
    actions = cone_actions(machine, cone)
    search = Growing(problem, start, packing, actions, first_win, keep_edges)
    stopped = ""
    while True:
        outcome = search.grow()
        if outcome == DONE:
            break
        if outcome == FULL and not search.widen(states, memory):
            stopped = "bytes"
        elif search.states >= states:
            stopped = "states"
        elif clock.left <= 0 and outcome == BUDGET:
            stopped = "seconds"
        if stopped:
            break
    graph = search.graph if not keep_edges else sorted_edges(search.graph)
    found = Explored(problem, packing, actions, graph, not stopped, stopped, None)
    if graph.counts[WINNER] >= 0:
        found.plan = found.way(int(graph.counts[WINNER]))
    return found


def _values(problem: Problem, start: State) -> dict[int, set[int]] | None:
    """The values that can occur from a start; None where nothing is known of it."""
    reached = problem.reach
    if reached is None:
        return None
    inside = all(value in reached.values[slot] for slot, value in enumerate(start))
    return reached.values if inside else None
