"""A graph that grows: the room for it, and what is done when there is too little.

In: a `Problem`, a start, a packing, commands. Out: `Growing`, whose `grow` expands some nodes
and whose `widen` makes room. The bytes it may use are counted before they are taken, those that
stand side by side for a moment among them.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.lane_steps import LANES, Code, Work
from worldengine.batch.scratch import lane_room
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import State
from worldengine.modelcheck.actions import Actions
from worldengine.modelcheck.frontier import (
    EDGES,
    NODES,
    WINNER,
    Array,
    Graph,
    enter,
    note_all,
)
from worldengine.modelcheck.layers import BROKEN, Bunch, grow
from worldengine.modelcheck.packing import Packing, pack
from worldengine.modelcheck.problem import Problem

ROUNDS = 40
"""Sets of nodes expanded between two looks at the clock."""
FIRST_ROOM = 1 << 14
"""Nodes there is room for at first; it grows by half as needed."""
LOAD = 0.8
"""How full the table of keys may get."""


class Growing:
    """A graph while it grows."""

    def __init__(
        self, problem: Problem, start: State, packing: Packing, actions: Actions,
        first_win: bool, keep_edges: bool,
    ) -> None:  # fmt: skip
        tables = problem.lanes
        self.packing, self.actions = packing, actions
        self.first_win, self.keep_edges = first_win, keep_edges
        self.code = Code(tables.head, tables.code, tables.wide, tables.bits)
        self.asked, self.acting = lane_room(tables), lane_room(tables)
        self.bunch = _bunch(start, packing, self.asked)
        self.graph = _graph(packing, np.array(start, np.int32), FIRST_ROOM, keep_edges)
        pack(packing, self.graph.state, self.graph.key)
        status = start[problem.machine.status]
        enter(self.graph, packing.size, np.int64(0), status, -1)
        self.graph.table[:] = -1
        note_all(self.graph, packing.size, 1)

    @property
    def states(self) -> int:
        return int(self.graph.counts[NODES])

    def grow(self) -> int:
        outcome = int(
            grow(
                self.code, self.packing, self.graph, self.asked, self.acting, self.bunch,
                self.actions.operators, self.actions.numbers, ROUNDS, self.first_win,
                self.keep_edges,
            )
        )  # fmt: skip
        if outcome == BROKEN:
            raise MachineError("a Machine leaves its domains, or a derived variable never settles")
        return outcome

    def widen(self, states: int, memory: int) -> bool:
        """Make room for half as much again, or as much as the bounds allow; False for none."""
        graph, nodes = self.graph, self.states
        room, edges = len(graph.parents), len(graph.edges)
        if nodes + LANES > room:
            room += room // 2
        elif self.keep_edges:  # those of a round that did not fit have been taken back
            edges += edges // 2
        # While an array grows the old one stands beside it: the keys are the largest.
        parts = (*self.asked, *self.acting)
        aside = sum(part.nbytes for part in parts if isinstance(part, np.ndarray))
        needed = _size(self.packing, room, edges, self.keep_edges) + graph.keys.nbytes + aside
        if needed > memory:
            return False
        # One array at a time, and no name but `graph` for what has been outgrown.
        wider = room > len(graph.parents)
        if wider:
            self.graph = graph = graph._replace(table=np.full(1, -1, np.int32))
        self.graph = graph = graph._replace(keys=_extended(graph.keys, room))
        self.graph = graph = graph._replace(parents=_extended(graph.parents, room))
        self.graph = graph = graph._replace(statuses=_extended(graph.statuses, room))
        self.graph = graph = graph._replace(edges=_extended(graph.edges, edges))
        self.graph = graph = graph._replace(sources=_extended(graph.sources, edges))
        if wider:
            self.graph = graph._replace(table=np.full(_table_size(room), -1, np.int32))
            note_all(self.graph, self.packing.size, nodes)
        return True


def _bunch(start: State, packing: Packing, work: Work) -> Bunch:
    kinds = {1: np.int8, 2: np.int16, 4: np.int32}
    row = np.array(start, kinds[work.size])
    states = np.repeat(row.reshape(1, -1), LANES, axis=0)
    return Bunch(
        np.ascontiguousarray(states).view(np.uint8),
        np.zeros_like(states).view(np.uint8),
        np.zeros((LANES, packing.size), np.uint32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int64),
    )


def _graph(packing: Packing, state: Array, room: int, keep_edges: bool) -> Graph:
    counts = np.zeros(8, np.int64)
    counts[WINNER] = -1
    return Graph(
        np.empty((room, packing.size), np.uint32),
        np.empty(room, np.int32),
        np.empty(room, np.uint8),
        np.zeros(1, np.int64),
        np.empty(room * 8 if keep_edges else 1, np.int32),
        np.empty(room * 8 if keep_edges else 1, np.int32),
        np.full(_table_size(room), -1, np.int32),
        counts,
        np.zeros(packing.size, np.uint32),
        state,
    )


def _table_size(room: int) -> int:
    return int(room / LOAD) + 1


def _size(packing: Packing, room: int, edges: int, keep_edges: bool) -> int:
    """Bytes of a graph with that much room."""
    node = 4 * packing.size + 4 + 1 + 4 / LOAD
    return int(room * node) + (24 * edges if keep_edges else 0)


def _extended(rows: Array, room: int) -> Array:
    if len(rows) >= room:
        return rows
    larger = np.empty((room, *rows.shape[1:]), rows.dtype)
    larger[: len(rows)] = rows
    return larger


def sorted_edges(graph: Graph) -> Graph:
    """The graph with its edges by the node that they come from."""
    count, nodes = int(graph.counts[EDGES]), int(graph.counts[NODES])
    sources = graph.sources[:count]
    order = np.argsort(sources, kind="stable")
    starts = np.zeros(nodes + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=nodes), out=starts[1:])
    return graph._replace(starts=starts, edges=graph.edges[:count][order], sources=sources[order])
