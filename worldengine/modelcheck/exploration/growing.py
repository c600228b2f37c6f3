"""A graph that grows: the room for it, and what is done when there is too little.

In: a `Problem`, a start, a packing, commands. Out: `Growing`, whose `grow` expands some nodes
and whose `widen` makes room. The bytes it may use are counted before they are taken, those that
stand side by side for a moment among them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from worldengine.batch.lanes.scratch import lane_room
from worldengine.batch.lanes.steps import LANES, Code, Work
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import State
from worldengine.modelcheck.exploration.acting import Bunch
from worldengine.modelcheck.exploration.frontier import (
    DEPTH,
    EDGES,
    HALT,
    LEFT,
    MARKED,
    NODES,
    RIGHT,
    WINNER,
    Array,
    Graph,
    Side,
    begin_hour,
    enter,
    note_all,
    note_sides,
    root_of,
)
from worldengine.modelcheck.exploration.layers import BROKEN, grow
from worldengine.modelcheck.exploration.numbered import bits_for, mixed
from worldengine.modelcheck.exploration.packing import Packing, pack, set_value
from worldengine.modelcheck.exploration.recall import recall_of
from worldengine.modelcheck.exploration.settling import Order, settle
from worldengine.modelcheck.exploration.sides import better_cut, moved
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.relaxation.actions import Actions

ROUNDS = 40
"""Sets of nodes expanded between two looks at the clock."""
FIRST_ROOM, FIRST_SIDES = 1 << 14, 1 << 10
"""Nodes, and contents of a side, that there is room for at first; it grows as needed."""
STEPS = (0.5, 0.2, 0.07)
"""By what share room grows: the largest for which there are bytes."""
CUTS, DEAR = (FIRST_ROOM // 2, FIRST_ROOM * 8), 1 / 32
"""Nodes with which it is looked for a better cut, if more than this share of them are contents."""
LOAD = 0.8
"""How full the tables may get."""
NODE = 8 + 4 / LOAD + 4 / MARKED
"""Bytes of a node: its sides, its place in the table, its share of a mark."""
EDGE, ASKED = 28, 21
"""Bytes of an edge, and what a node takes besides where edges are kept: room to sort them included,
where they begin, a node's status and distance."""


@dataclass(frozen=True, slots=True)
class Hour:
    """The first node of an hour (see `clocks`), the turns before it, and for its first nodes
    the ones of the hour before that they come from by waiting."""

    first: int
    turn: int
    origins: Array


class Growing:
    """A graph while it grows."""

    def __init__(
        self, problem: Problem, start: State, packing: Packing, actions: Actions,
        first_win: bool, keep_edges: bool, order: Order,
    ) -> None:  # fmt: skip
        tables = problem.lanes
        self._problem, self._start, self._cuts = problem, start, list(CUTS)
        self.packing, self.actions = packing, actions
        self.first_win, self.keep_edges, self.order = first_win, keep_edges, order
        self.clocks: dict[int, int] = {}
        self.hours = [Hour(0, 0, np.zeros(0, np.int32))]
        self.code = Code(tables.head, tables.code, tables.wide, tables.bits)
        self.asked, self.acting = lane_room(tables), lane_room(tables)
        self.bunch = _bunch(problem, start, packing, self.asked)
        self.graph = _graph(packing, np.array(start, np.int32), FIRST_ROOM, keep_edges)
        pack(packing, self.graph.state, self.graph.key)
        settle(packing, order, self.graph.key)
        root = np.uint64(root_of(packing, self.graph, self.graph.key))
        self._status = start[problem.machine.status]
        enter(self.graph, root, np.uint64(mixed(root)), self._status)

    @property
    def states(self) -> int:
        return int(self.graph.counts[NODES])

    @property
    def won(self) -> bool:
        """Whether the search is at an end because a win was seen."""
        return self.first_win and bool(self.graph.counts[WINNER] >= 0)

    def grow(self) -> int:
        outcome = int(
            grow(
                self.code, self.packing, self.graph, self.asked, self.acting, self.bunch,
                self.actions.operators, self.actions.numbers, ROUNDS, self.first_win,
                self.keep_edges, self.order,
            )
        )  # fmt: skip
        if outcome == BROKEN:
            raise MachineError("a Machine leaves its domains, or a derived variable never settles")
        return outcome

    def widen(self, states: int, memory: int) -> bool:
        """Make room for half as much again, or as much as the bounds allow; False for none."""
        if self._cut(memory):
            return True
        room = self._room()
        full = self._full(room)
        parts = [*self.asked, *self.acting, *self.bunch.recall]
        aside = sum(part.nbytes for part in parts if isinstance(part, np.ndarray))
        for step in STEPS:
            wider = [int(size * (1 + step)) if full[i] else size for i, size in enumerate(room)]
            if any(full[i] and wider[i] < size + LANES for i, size in enumerate(room)):
                continue
            # While the nodes grow the old ones stand beside them, and no table does.
            beside = max(0, 8 * room[0] - 4 * _table_size(wider[0]))
            if self._bytes(wider, self.packing) + beside + aside <= memory:
                self._grow_to(room, wider)
                return True
        return False

    def next_hour(self, turn: int, until: int, clocks: dict[int, int], memory: int) -> bool:
        """Begin an hour (see `clocks`) after so many turns, which ends after `until` (-1: never),
        with every state of the last one that still runs; False if there is no room for them."""
        first, nodes, room = self.hours[-1].first, self.states, self._room()
        wider = [max(room[0], 2 * nodes - first + LANES), *room[1:]]
        if self._bytes(wider, self.packing) + 8 * room[0] + 4 * (nodes - first) > memory:
            return False
        self._grow_to(room, wider)
        origins = np.empty(nodes - first, np.int32)
        count = begin_hour(self.packing, self.graph, first, self._status, origins)
        self.hours.append(Hour(nodes, turn, origins[:count].copy()))
        self.graph.counts[DEPTH] = turn
        self.set_clocks(until, clocks)
        return True

    def set_clocks(self, until: int, clocks: dict[int, int]) -> None:
        """What the clocks are from here on, and after how many turns to pause."""
        self.graph.counts[HALT], self.clocks = until, clocks
        self.bunch.recall.known[:] = 0  # what is not in the keys is another from here on
        for variable, value in clocks.items():
            self.graph.state[variable] = value
            for lane in range(LANES):
                set_value(self.bunch.states, self.asked.size, lane, variable, value)

    def _cut(self, memory: int) -> bool:
        """Cut the keys elsewhere if that saves room; whether it was done."""
        counts, p = self.graph.counts, self.packing
        nodes, contents = self.states, int(counts[LEFT]) + int(counts[RIGHT])
        if not self._cuts or nodes < self._cuts[0] or p.size <= 2 or contents < DEAR * nodes:
            return False
        del self._cuts[0]
        if (better := better_cut(p, self.graph)) is None:
            return False
        sizes = better.cut, better.size - better.cut
        room = nodes + LANES
        if self._bytes([0, room, room, 0], better) + self._bytes(self._room(), p) > memory:
            return False
        left, right = (_side(words, room) for words in sizes)
        graph = moved(p, self.graph, better, left, right)
        used = [int(graph.counts[which]) for which in (LEFT, RIGHT)]
        left, right = (
            _wider(side._replace(rows=side.rows[:count]), count, max(FIRST_SIDES, count * 3 // 2))
            for side, count in zip((graph.left, graph.right), used, strict=True)
        )
        self.graph, self.packing = graph._replace(left=left, right=right), better
        self.bunch = _bunch(self._problem, self._start, better, self.asked)
        self.set_clocks(int(graph.counts[HALT]), self.clocks)
        return True

    def _room(self) -> list[int]:
        graph = self.graph
        return [len(graph.roots), len(graph.left.rows), len(graph.right.rows), len(graph.edges)]

    def _full(self, room: list[int]) -> list[bool]:
        counts, p = self.graph.counts, self.packing
        used = [counts[NODES], counts[LEFT], counts[RIGHT], counts[EDGES]]
        kept = [True, p.cut > 1, p.size - p.cut > 1, self.keep_edges]
        found = [
            asked and int(count) + LANES > size
            for asked, count, size in zip(kept, used, room, strict=True)
        ]
        if not any(found):  # the edges of a round that did not fit have been taken back
            found[3] = True
        return found

    def _bytes(self, room: list[int], p: Packing) -> int:
        """Of a graph with that much room."""
        found = room[0] * (NODE + (ASKED if self.keep_edges else 0))
        found += room[1] * _side_bytes(p.cut) + room[2] * _side_bytes(p.size - p.cut)
        return int(found) + (EDGE * room[3] if self.keep_edges else 0)

    def _grow_to(self, room: list[int], wider: list[int]) -> None:
        # One array at a time, and no name for what has been outgrown.
        if wider[0] > room[0]:
            self.graph = self.graph._replace(table=np.full(1, -1, np.int32))
            self.graph = self.graph._replace(roots=_extended(self.graph.roots, wider[0]))
            marks = wider[0] // MARKED + 1
            self.graph = self.graph._replace(marks=_extended(self.graph.marks, marks))
            table = np.full(_table_size(wider[0]), -1, np.int32)
            self.graph = self.graph._replace(table=table, bits=bits_for(wider[0]))
            note_all(self.graph)
        if wider[1] > room[1]:
            left = _wider(self.graph.left, self.graph.counts[LEFT], wider[1])
            self.graph = self.graph._replace(left=left)
        if wider[2] > room[2]:
            right = _wider(self.graph.right, self.graph.counts[RIGHT], wider[2])
            self.graph = self.graph._replace(right=right)
        self.graph = self.graph._replace(edges=_extended(self.graph.edges, wider[3]))
        self.graph = self.graph._replace(sources=_extended(self.graph.sources, wider[3]))


def _bunch(problem: Problem, start: State, packing: Packing, work: Work) -> Bunch:
    kinds = {1: np.int8, 2: np.int16, 4: np.int32}
    row = np.array(start, kinds[work.size])
    states = np.repeat(row.reshape(1, -1), LANES, axis=0)
    return Bunch(
        np.ascontiguousarray(states).view(np.uint8),
        np.zeros_like(states).view(np.uint8),
        np.zeros((LANES, packing.size), np.uint32),
        np.zeros((LANES, packing.size), np.uint32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.uint64),
        np.zeros(LANES, np.uint64),
        recall_of(problem.machine, packing),
    )


def _graph(packing: Packing, state: Array, room: int, keep_edges: bool) -> Graph:
    counts = np.zeros(16, np.int64)
    counts[WINNER] = counts[DEPTH] = counts[HALT] = -1
    return Graph(
        np.empty(room, np.uint64),
        np.empty(room // MARKED + 1, np.int32),
        _side(packing.cut, FIRST_SIDES),
        _side(packing.size - packing.cut, FIRST_SIDES),
        np.zeros(1, np.int64),
        np.empty(room * 8 if keep_edges else 1, np.int32),
        np.empty(room * 8 if keep_edges else 1, np.int32),
        np.full(_table_size(room), -1, np.int32),
        bits_for(room),
        counts,
        np.zeros(packing.size, np.uint32),
        state,
    )


def _side(words: int, room: int) -> Side:
    room = room if words > 1 else 1
    table = np.full(_table_size(room), -1, np.int32)
    return Side(np.empty((room, words), np.uint32), table, bits_for(room))


def _wider(side: Side, count: int, room: int) -> Side:
    rows = _extended(side.rows, room)
    found = Side(rows, np.full(_table_size(room), -1, np.int32), bits_for(len(rows)))
    note_sides(found, count)
    return found


def _table_size(room: int) -> int:
    return int(room / LOAD) + 1


def _side_bytes(words: int) -> float:
    return 4 * words + 4 / LOAD


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
