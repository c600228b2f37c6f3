"""Exploration of everything that can be reached from a start, within a budget.

In: a `Problem`, a variant's start, reductions, a budget. Out: `Explored`: whether a win was
found (the first one is a shortest), whether everything was seen, and, if asked for, from
which states no win can be reached any more.

Every state is kept in full (see `packing` and `frontier`); nothing is decided by a hash. From
which state and by which command one was come to is not kept but found again when a way is
asked for (see `retrace`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worldengine.machine.schema import LOST, RUNNING, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.exploration.frontier import (
    NODES,
    TRANSITIONS,
    WINNER,
    Array,
    Graph,
    key_of,
    note_statuses,
    spread_distance,
)
from worldengine.modelcheck.exploration.growing import Growing, sorted_edges
from worldengine.modelcheck.exploration.layers import DONE, FULL, PAUSED
from worldengine.modelcheck.exploration.merging import merging_of
from worldengine.modelcheck.exploration.packing import Packing, packing_of, unpack
from worldengine.modelcheck.exploration.settling import order_of
from worldengine.modelcheck.exploration.ways import Plan as Plan
from worldengine.modelcheck.exploration.ways import Trace, played_to
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.clocks import Hours
from worldengine.modelcheck.reductions.cone import Cone, cone_actions
from worldengine.modelcheck.relaxation.actions import Actions

FAR = 1 << 30


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
    trace: Trace | None = field(default=None)
    _statuses: Array | None = field(default=None)

    @property
    def states(self) -> int:
        return int(self.graph.counts[NODES])

    @property
    def transitions(self) -> int:
        return int(self.graph.counts[TRANSITIONS])

    @property
    def bytes_per_state(self) -> float:
        """All that is kept: a node's sides, its place in the table and its mark, of the nodes
        there is room for; and what stands on the sides, shared among the states seen."""
        graph = self.graph
        nodes = graph.roots.nbytes + graph.marks.nbytes + graph.table.nbytes
        sides = sum(s.rows.nbytes + s.table.nbytes for s in (graph.left, graph.right))
        return nodes / max(1, len(graph.roots)) + sides / max(1, self.states)

    def way(self, node: int) -> Plan:
        """The commands from the start to a node."""
        found = played_to(self, node)
        assert found is not None, "a node does not follow from any before it"
        return found

    def state(self, node: int) -> State:
        """The state of a node; what the cone leaves out is as at the start."""
        row = np.array(self.graph.state)
        key_of(self.packing, self.graph, self.graph.roots[node], self.graph.key)
        unpack(self.packing, self.graph.key, row)
        return tuple(int(value) for value in row)

    def statuses(self) -> Array:
        """Whether each node is running, won or lost."""
        if self._statuses is None:
            self._statuses = np.empty(self.states, np.uint8)
            start = self.graph.state[self.problem.machine.status]
            note_statuses(self.packing, self.graph, start, self._statuses)
        return self._statuses

    def distances(self) -> Array:
        """Turns to the nearest win for every node; only for explorations that kept edges."""
        if self.distance is None:
            self.distance = np.empty(self.states, np.int32)
            spread_distance(self.graph, self.statuses(), self.distance)
        return self.distance

    def dead_ends(self) -> tuple[int, ...]:
        """Running states from which no win can be reached, in order of discovery. Exact only
        if the exploration is complete."""
        running = self.statuses() == RUNNING
        return tuple(np.flatnonzero(running & (self.distances() >= FAR)).tolist())

    def lost(self) -> int:
        return int((self.statuses() == LOST).sum())


def explore(
    problem: Problem,
    start: State,
    cone: Cone,
    states: int,
    memory: int,
    clock: Clock,
    first_win: bool = True,
    keep_edges: bool = False,
    clocks: bool = False,
    symmetry: bool = False,
) -> Explored:
    """Explore from a start; see the module. With `clocks` or `symmetry` fewer states are told
    apart, so that verdict and shortest length are kept and nothing else is."""
    assert not (keep_edges and (clocks or symmetry)), "merged states have no edges of their own"
    machine = problem.machine
    merging = merging_of(problem, cone, start, clocks, symmetry)
    values = merging.widened(_values(problem, start))
    packing = packing_of(machine, merging.kept(cone.variables), values, cone.classes)
    order = order_of(packing, merging.alike)
    actions = cone_actions(machine, cone)
    search = Growing(problem, start, packing, actions, first_win, keep_edges, order)
    stopped = _grown(search, merging.hours, states, memory, clock)
    graph = search.graph if not keep_edges else sorted_edges(search.graph)
    found = Explored(problem, search.packing, actions, graph, not stopped, stopped, None)
    found.trace = Trace(order, merging, tuple(search.hours), start, cone.idle)
    if graph.counts[WINNER] >= 0:
        found.plan = played_to(found, int(graph.counts[WINNER]))
        if found.plan is None:
            assert merging.hours.clocks, "a node does not follow from any before it"
            return explore(
                problem, start, cone, states, memory, clock, first_win, symmetry=symmetry
            )
    return found


def _grown(search: Growing, hours: Hours, states: int, memory: int, clock: Clock) -> str:
    """Grow hour by hour until all is seen; what ran out before, or nothing."""
    ends = (*hours.begins[1:], -1)
    search.set_clocks(ends[0], dict(zip(hours.clocks, hours.values[0], strict=True)))
    hour = 0
    while True:
        outcome = search.grow()
        if outcome == PAUSED or (outcome == DONE and not search.won and ends[hour] >= 0):
            hour += 1
            clocks = dict(zip(hours.clocks, hours.values[hour], strict=True))
            if not search.next_hour(hours.begins[hour], ends[hour], clocks, memory):
                return "bytes"
        elif outcome == DONE:
            return ""
        if outcome == FULL and not search.widen(states, memory):
            return "bytes"
        if search.states >= states:
            return "states"
        if clock.left <= 0 and outcome != FULL:
            return "seconds"


def _values(problem: Problem, start: State) -> dict[int, set[int]] | None:
    """The values that can occur from a start; None where nothing is known of it."""
    reached = problem.reach
    if reached is None:
        return None
    inside = all(value in reached.values[slot] for slot, value in enumerate(start))
    return reached.values if inside else None
