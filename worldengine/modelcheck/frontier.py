"""Nodes of an exploration, compiled: full keys, deduplicated, in the order of discovery.

In: keys. Out: rows of a `Graph`. Two nodes are one if their keys are equal, which is looked up
through a table by hash and decided by the keys themselves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import WON
from worldengine.modelcheck.steps import compiled

Array = npt.NDArray[Any]


class Graph(NamedTuple):
    """Nodes in rows; `counts` holds the numbers named below."""

    keys: Array  # [nodes, words] uint32
    parents: Array  # [nodes] int32
    statuses: Array  # [nodes] uint8
    starts: Array  # [nodes + 1] int64 where a node's edges begin, once all have been found
    edges: Array  # [edges] int32 where they lead to
    sources: Array  # [edges] int32 where they come from
    table: Array  # [size] int32
    counts: Array  # [8] int64
    key: Array  # [words] uint32 scratch
    state: Array  # [variables] int32 the start; what is not kept stays as it is there


NODES, EXPANDED, EDGES, WINNER, TRANSITIONS, LAYER = range(6)


@compiled
def home_of(graph: Graph, words: Any) -> Any:
    """Where in the table the key in `graph.key` is sought first."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words):
        mixed ^= np.uint64(graph.key[word])
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(((mixed >> np.uint64(32)) * np.uint64(len(graph.table))) >> np.uint64(32))


@compiled
def found_at(graph: Graph, words: Any, home: Any) -> Any:
    """The node with the key in `graph.key`, or -1 - its place in the table."""
    at, last = home, len(graph.table) - 1
    while graph.table[at] >= 0:
        node = graph.table[at]
        equal = True
        for word in range(words):
            if graph.keys[node, word] != graph.key[word]:
                equal = False
                break
        if equal:
            return np.int64(node)
        at = 0 if at == last else at + 1
    return -1 - at


@compiled
def node_of(graph: Graph, words: Any) -> Any:
    """The node with the key in `graph.key`, or -1 - its place in the table."""
    return found_at(graph, words, home_of(graph, words))


@compiled
def enter(graph: Graph, words: Any, home: Any, status: Any, parent: Any) -> Any:
    """The node with the key in `graph.key`, made if it is new."""
    found = found_at(graph, words, home)
    if found >= 0:
        return found
    node = graph.counts[NODES]
    graph.table[-1 - found] = node
    for word in range(words):
        graph.keys[node, word] = graph.key[word]
    graph.parents[node] = parent
    graph.statuses[node] = status
    graph.counts[NODES] += 1
    if status == WON and graph.counts[WINNER] < 0:
        graph.counts[WINNER] = node
    return node


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
