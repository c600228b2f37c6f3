"""Exploration of everything that can be reached from a start, within a budget.

In: a `Problem`, a variant's start, reductions, a budget. Out: `Explored`: whether a win was
found (the first one is a shortest), whether everything was seen, and, if asked for, from
which states no win can be reached any more.

Every state is kept with its full key (see `packing`); nothing is decided by a hash.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worldengine.machine.schema import LOST, RUNNING, State
from worldengine.modelcheck.actions import Actions
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.cone import Cone, cone_actions
from worldengine.modelcheck.frontier import (
    BUDGET,
    DONE,
    EDGES,
    FULL,
    NODES,
    TRANSITIONS,
    WINNER,
    Array,
    Graph,
    enter,
    grow,
    note_all,
    spread_distance,
)
from worldengine.modelcheck.kernel import scratch
from worldengine.modelcheck.packing import Packing, pack, packing_of, unpack
from worldengine.modelcheck.problem import Problem

STEPS = 2000
"""Expansions between two looks at the clock."""
FIRST_ROOM = 1 << 14
"""Nodes there is room for at first; it doubles as needed."""
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
        """Key, parent, action, status and table, of the states there are."""
        graph = self.graph
        parts = (graph.keys, graph.parents, graph.actions, graph.statuses, graph.table)
        return float(sum(part.nbytes for part in parts)) / max(1, len(graph.parents))

    def way(self, node: int) -> Plan:
        """The commands from the start to a node."""
        found: list[tuple[int, int]] = []
        while self.graph.parents[node] >= 0:
            found.append(self.actions.pair(int(self.graph.actions[node])))
            node = int(self.graph.parents[node])
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
    packing = packing_of(problem.machine, cone.variables)
    actions = cone_actions(problem.machine, cone)
    space = scratch(problem.tables)
    room = max(FIRST_ROOM, 2 * len(actions) + 2)
    graph = _graph(packing, np.array(start, np.int32), room, keep_edges)
    pack(packing, graph.state, graph.key)
    enter(graph, packing.size, start[problem.machine.status], -1, -1)
    stopped = ""
    while True:
        outcome = grow(
            problem.tables,
            packing,
            graph,
            actions.operators,
            actions.numbers,
            space,
            STEPS,
            first_win,
            keep_edges,
        )
        if outcome == DONE:
            break
        if outcome == FULL:
            if _bytes(graph) * 3 > memory:  # old and new stand side by side while it grows
                stopped = "bytes"
                break
            graph = _larger(graph, len(actions))
        if graph.counts[NODES] >= states:
            stopped = "states"
        elif clock.left <= 0 and outcome == BUDGET:
            stopped = "seconds"
        if stopped:
            break
    complete = not stopped
    found = Explored(problem, packing, actions, graph, complete, stopped, None)
    if graph.counts[WINNER] >= 0:
        found.plan = found.way(int(graph.counts[WINNER]))
    return found


def _graph(packing: Packing, state: Array, room: int, keep_edges: bool) -> Graph:
    counts = np.zeros(8, np.int64)
    counts[WINNER] = -1
    return Graph(
        np.empty((room, packing.size), np.int64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.uint8),
        np.zeros(room + 1 if keep_edges else 2, np.int64),
        np.empty(room * 8 if keep_edges else 1, np.int32),
        np.full(_table_size(room), -1, np.int32),
        counts,
        np.zeros(packing.size, np.int64),
        state,
    )


def _table_size(room: int) -> int:
    """A power of two that leaves a quarter of the table free."""
    return 1 << (room * 4 // 3).bit_length()


def _bytes(graph: Graph) -> int:
    return sum(part.nbytes for part in graph)


def _larger(graph: Graph, actions: int) -> Graph:
    """The same graph with room for twice as much of what is short."""
    nodes, edges = int(graph.counts[NODES]), int(graph.counts[EDGES])
    room = len(graph.parents)
    if nodes + actions >= room:
        room *= 2
    kept = len(graph.edges) > 1
    edge_room = len(graph.edges)
    if kept and edges + actions >= edge_room:
        edge_room = edge_room * 2 + actions
    table = graph.table
    if _table_size(room) != len(table):
        table = np.full(_table_size(room), -1, np.int32)
    larger = Graph(
        _extended(graph.keys, room),
        _extended(graph.parents, room),
        _extended(graph.actions, room),
        _extended(graph.statuses, room),
        _extended(graph.starts, room + 1) if kept else graph.starts,
        _extended(graph.edges, edge_room),
        table,
        graph.counts,
        graph.key,
        graph.state,
    )
    if table is not graph.table:
        _refill(larger, nodes)
    return larger


def _extended(rows: Array, room: int) -> Array:
    if len(rows) == room:
        return rows
    larger = np.empty((room, *rows.shape[1:]), rows.dtype)
    larger[: len(rows)] = rows
    return larger


def _refill(graph: Graph, nodes: int) -> None:
    note_all(graph, graph.keys.shape[1], nodes)
