"""Breadth-first exploration, compiled: full keys, deduplicated, in the order of discovery.

In: tables, a packing, actions, a start. Out: rows of a `Graph` that grow call by call. A node
is expanded in the order in which it was found, so the first win found is a shortest one, and
the successors of a node stand together in `edges`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import RUNNING, WON
from worldengine.modelcheck.kernel import accepted, copy, load, perform
from worldengine.modelcheck.packing import Packing, pack, unpack
from worldengine.modelcheck.steps import compiled
from worldengine.modelcheck.tables import STATUS, Tables

Array = npt.NDArray[Any]


class Graph(NamedTuple):
    """Nodes in rows; `counts` holds nodes, expanded, edges, first won node, transitions."""

    keys: Array  # [nodes, words] int64
    parents: Array  # [nodes] int32
    actions: Array  # [nodes] int32
    statuses: Array  # [nodes] uint8
    starts: Array  # [nodes + 1] int64 where a node's edges begin
    edges: Array  # [edges] int32
    table: Array  # [size] int32
    counts: Array  # [8] int64
    key: Array  # [words] int64 scratch
    state: Array  # [variables] int32 scratch, what is not kept as at the start


NODES, EXPANDED, EDGES, WINNER, TRANSITIONS = range(5)
DONE, BUDGET, FULL = range(3)


@compiled
def node_of(graph: Graph, words: Any) -> Any:
    """The node with the key in `graph.key`, or -1 - its place in the table."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words):
        mixed ^= np.uint64(graph.key[word])
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    mask = len(graph.table) - 1
    at = np.int64(mixed >> np.uint64(17)) & mask
    while graph.table[at] >= 0:
        node = graph.table[at]
        equal = True
        for word in range(words):
            if graph.keys[node, word] != graph.key[word]:
                equal = False
                break
        if equal:
            return np.int64(node)
        at = (at + 1) & mask
    return -1 - at


@compiled
def enter(graph: Graph, words: Any, status: Any, parent: Any, action: Any) -> Any:
    """The node with the key in `graph.key`, made if it is new."""
    found = node_of(graph, words)
    if found >= 0:
        return found
    node = graph.counts[NODES]
    graph.table[-1 - found] = node
    for word in range(words):
        graph.keys[node, word] = graph.key[word]
    graph.parents[node] = parent
    graph.actions[node] = action
    graph.statuses[node] = status
    graph.counts[NODES] += 1
    if status == WON and graph.counts[WINNER] < 0:
        graph.counts[WINNER] = node
    return node


@compiled
def grow(
    t: Tables,
    p: Packing,
    graph: Graph,
    operators: Any,
    numbers: Any,
    space: Any,
    steps: Any,
    first_win: bool,
    keep_edges: bool,
) -> Any:
    """Expand up to `steps` nodes."""
    slots, marks, work, work_marks = space
    status_variable = t.sizes[STATUS]
    for _ in range(steps):
        node = graph.counts[EXPANDED]
        if node >= graph.counts[NODES] or (first_win and graph.counts[WINNER] >= 0):
            return DONE
        if graph.counts[NODES] + len(operators) >= len(graph.parents):
            return FULL
        if keep_edges and graph.counts[EDGES] + len(operators) >= len(graph.edges):
            return FULL
        if keep_edges:
            graph.starts[node] = graph.counts[EDGES]
        graph.counts[EXPANDED] += 1
        if graph.statuses[node] == RUNNING:
            unpack(p, graph.keys[node], graph.state)
            load(t, slots, marks, graph.state)
            for action in range(len(operators)):
                if not accepted(t, slots, marks, operators[action], numbers[action]):
                    continue
                copy(work, slots)
                copy(work_marks, marks)
                perform(t, work, work_marks, operators[action])
                graph.counts[TRANSITIONS] += 1
                pack(p, work, graph.key)
                after = enter(graph, p.size, work[status_variable], node, action)
                if keep_edges:
                    graph.edges[graph.counts[EDGES]] = after
                    graph.counts[EDGES] += 1
        if keep_edges:
            graph.starts[node + 1] = graph.counts[EDGES]
    return BUDGET


@compiled
def spread_distance(graph: Graph, distance: Any) -> None:
    """Turns to the nearest win for every expanded node, by rounds until nothing changes."""
    nodes = graph.counts[EXPANDED]
    for node in range(graph.counts[NODES]):
        distance[node] = 0 if graph.statuses[node] == WON else 1 << 30
    changed = True
    while changed:
        changed = False
        for back in range(nodes):
            node = nodes - 1 - back
            for at in range(graph.starts[node], graph.starts[node + 1]):
                through = distance[graph.edges[at]] + 1
                if through < distance[node]:
                    distance[node] = through
                    changed = True


@compiled
def note_all(graph: Graph, words: Any, nodes: Any) -> None:
    """Enter the first nodes into an empty table."""
    for node in range(nodes):
        for word in range(words):
            graph.key[word] = graph.keys[node, word]
        place = node_of(graph, words)
        graph.table[-1 - place] = node
