"""Nodes of an exploration, compiled: full states, deduplicated, in the order of discovery.

In: keys of states (see `packing`). Out: rows of a `Graph` that grow.

**How a state is kept.** A key has two sides. The contents of a side stand once in a `Side`, and
a node is the numbers of its two sides: eight bytes whatever the world's size (the first step of
the tree compression of Blom, Lisser, van de Pol and Weber, "A database approach to distributed
state-space generation", 2009). A side of one word is its own number. Two nodes are one if their
numbers are equal, and equal numbers are equal states: nothing is concluded from a hash.

**What is not kept.** The status stands in the key. The parent of a node is found again: it is
one of the nodes that were being expanded when the node was made, of which `marks` tells where
they begin.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import RUNNING, WON
from worldengine.modelcheck.compiled.fetching import prefetch
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.exploration.numbered import (
    free_place,
    home_of,
    mixed,
    next_to,
    tag_of,
)
from worldengine.modelcheck.exploration.packing import Packing, decoded

Array = npt.NDArray[Any]
MARKED = 256
"""Nodes for which one mark is kept."""
AHEAD = 64
"""Places of a table that are asked for before the first is read."""


class Side(NamedTuple):
    """What has occurred on one side of the keys, in rows; `table` finds them by hash."""

    rows: Array  # [rows, words] uint32
    table: Array  # [size] int32, see `numbered`
    bits: int  # of a number in the table


class Graph(NamedTuple):
    """Nodes in rows; `counts` holds the numbers named below."""

    roots: Array  # [nodes] uint64 the number of the left side, then that of the right
    marks: Array  # [nodes / MARKED] int32 the first node under expansion when it was made
    left: Side
    right: Side
    starts: Array  # [nodes + 1] int64 where a node's edges begin, once all have been found
    edges: Array  # [edges] int32 where they lead to
    sources: Array  # [edges] int32 where they come from
    table: Array  # [size] int32, see `numbered`
    bits: int  # of a node in the table
    counts: Array  # [16] int64
    key: Array  # [words] uint32 scratch
    state: Array  # [variables] int32 the start; what is not kept stays as it is there


NODES, EXPANDED, EDGES, WINNER, TRANSITIONS, LAYER, LEFT, RIGHT, DEPTH, HALT, FIRST = range(11)


@compiled
def found_at(graph: Graph, root: Any, mix: Any) -> Any:
    """The node with these sides, whose hash is `mix`, or -1 - its place in the table."""
    table, bits = graph.table, graph.bits
    at, tag = home_of(table, mix), tag_of(mix, bits)
    while table[at] >= 0:
        number = np.int64(table[at]) ^ tag
        if number >> bits == 0 and graph.roots[number] == root:
            return number
        at = next_to(table, at)
    return np.int64(-1 - at)


@compiled
def enter(graph: Graph, root: Any, mix: Any, status: Any) -> Any:
    """The node with these sides, made if it is new."""
    found = found_at(graph, root, mix)
    if found >= 0:
        return found
    node = graph.counts[NODES]
    graph.table[-1 - found] = tag_of(mix, graph.bits) | node
    graph.roots[node] = root
    if node % MARKED == 0:
        graph.marks[node // MARKED] = graph.counts[EXPANDED]
    graph.counts[NODES] += 1
    if status == WON and graph.counts[WINNER] < 0:
        graph.counts[WINNER] = node
    return node


# -- sides -------------------------------------------------------------------------------


@compiled
def side_mix(side: Side, key: Any, first: Any) -> Any:
    """A hash of what stands in a key from its `first` word on."""
    mix = np.uint64(0)
    for word in range(side.rows.shape[1]):
        mix = mixed(mix ^ np.uint64(key[first + word]))
    return mix


@compiled
def side_at(side: Side, key: Any, first: Any, mix: Any) -> Any:
    """The number of what stands in a key from its `first` word on, or -1 - its place."""
    table, bits = side.table, side.bits
    at, tag = home_of(table, mix), tag_of(mix, bits)
    while table[at] >= 0:
        number = np.int64(table[at]) ^ tag
        if number >> bits == 0:
            equal = True
            for word in range(side.rows.shape[1]):
                if side.rows[number, word] != key[first + word]:
                    equal = False
                    break
            if equal:
                return number
        at = next_to(table, at)
    return np.int64(-1 - at)


@compiled
def side_of(side: Side, counts: Any, which: Any, key: Any, first: Any) -> Any:
    """The number of what stands in a key from its `first` word on, a new one if need be;
    `which` of the counts numbers them."""
    words = side.rows.shape[1]
    if words == 1:
        return np.uint64(key[first])
    mix = side_mix(side, key, first)
    found = side_at(side, key, first, mix)
    if found < 0:
        number = counts[which]
        side.table[-1 - found] = tag_of(mix, side.bits) | number
        found = np.int64(number)
        for word in range(words):
            side.rows[found, word] = key[first + word]
        counts[which] += 1
    return np.uint64(found)


@compiled
def root_of(p: Packing, graph: Graph, key: Any) -> Any:
    """The sides of a key, made if they are new."""
    left = side_of(graph.left, graph.counts, LEFT, key, 0)
    right = side_of(graph.right, graph.counts, RIGHT, key, p.cut)
    return (left << np.uint64(32)) | right


@compiled
def node_of(p: Packing, graph: Graph, key: Any) -> Any:
    """The node with a key, or -1; nothing is made."""
    left, right = np.int64(key[0]), np.int64(key[p.cut])
    if p.cut > 1:
        left = side_at(graph.left, key, 0, side_mix(graph.left, key, 0))
    if p.size - p.cut > 1:
        right = side_at(graph.right, key, p.cut, side_mix(graph.right, key, p.cut))
    if left < 0 or right < 0:
        return np.int64(-1)
    root = (np.uint64(left) << np.uint64(32)) | np.uint64(right)
    return max(np.int64(-1), found_at(graph, root, mixed(root)))


@compiled
def key_of(p: Packing, graph: Graph, root: Any, key: Any) -> None:
    """The key with these sides."""
    left = np.int64(root >> np.uint64(32))
    right = np.int64(root & np.uint64(0xFFFFFFFF))
    if p.cut == 1:
        key[0] = left
    else:
        for word in range(p.cut):
            key[word] = graph.left.rows[left, word]
    if p.size - p.cut == 1:
        key[p.cut] = right
    else:
        for word in range(p.cut, p.size):
            key[word] = graph.right.rows[right, word - p.cut]


# -- over all nodes ----------------------------------------------------------------------


@compiled
def status_of(p: Packing, key: Any, otherwise: Any) -> Any:
    """Whether a key is running, won or lost; `otherwise` where it can be but one of them."""
    if p.status < 0:
        return np.int64(otherwise)
    return np.int64(decoded(p, p.status, key))


@compiled
def note_statuses(p: Packing, graph: Graph, otherwise: Any, statuses: Any) -> None:
    """The status of every node."""
    for node in range(graph.counts[NODES]):
        key_of(p, graph, graph.roots[node], graph.key)
        statuses[node] = status_of(p, graph.key, otherwise)


@compiled
def spread_distance(graph: Graph, statuses: Any, distance: Any) -> None:
    """Turns to the nearest win for every expanded node, by rounds until nothing changes."""
    nodes = graph.counts[EXPANDED]
    for node in range(graph.counts[NODES]):
        distance[node] = 0 if statuses[node] == WON else 1 << 30
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
def note_all(graph: Graph) -> None:
    """Enter all nodes (of the hour, see `clocks`) into an empty table."""
    nodes = graph.counts[NODES]
    for begin in range(graph.counts[FIRST], nodes, AHEAD):
        end = min(begin + AHEAD, nodes)
        for node in range(begin, end):
            prefetch(graph.table, home_of(graph.table, mixed(graph.roots[node])))
        for node in range(begin, end):
            mix = mixed(graph.roots[node])
            graph.table[free_place(graph.table, mix)] = tag_of(mix, graph.bits) | node


@compiled
def note_sides(side: Side, count: Any) -> None:
    """Enter the first rows of a side into an empty table."""
    for number in range(count):
        mix = side_mix(side, side.rows[number], 0)
        side.table[free_place(side.table, mix)] = tag_of(mix, side.bits) | number


@compiled
def begin_hour(p: Packing, graph: Graph, first: Any, otherwise: Any, origins: Any) -> Any:
    """Make nodes anew of those from the `first` on that still run, and forget all others, which
    are not to be met again; how many, and in `origins` of which."""
    graph.table[:] = -1
    begin, count = graph.counts[NODES], 0
    graph.counts[EXPANDED] = graph.counts[FIRST] = begin
    for old in range(first, begin):
        key_of(p, graph, graph.roots[old], graph.key)
        if status_of(p, graph.key, otherwise) == RUNNING:
            root = graph.roots[old]
            enter(graph, root, mixed(root), np.int64(RUNNING))
            origins[count] = old
            count += 1
    graph.counts[LAYER] = graph.counts[NODES]
    return count
