"""Where keys are cut in two, chosen by what has occurred.

In: a graph that has grown a little, its packing. Out: a packing whose two sides have occurred
with few different contents, and the graph with its nodes in that packing.

Variables stay in the order of the Machine, in which those of one thing stand together; of the
places between them that one is taken after which, in a sample of the nodes, the two sides
cost the fewest bytes. What has not varied yet goes with its neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.exploration.frontier import (
    LEFT,
    NODES,
    RIGHT,
    Array,
    Graph,
    Side,
    key_of,
    note_all,
    root_of,
)
from worldengine.modelcheck.exploration.packing import WORD, Packing, cut_after

SAMPLE = 4096
"""Nodes that are looked at."""
ROW = 5.0
"""Bytes of a content besides its words: its place in the table."""


def better_cut(p: Packing, graph: Graph) -> Packing | None:
    """A packing with a better cut; None where there is none that is worth while."""
    count = len(p.variables)
    nodes = int(graph.counts[NODES])
    codes = np.zeros((min(nodes, SAMPLE), count), np.int64)
    note_codes(p, graph, codes)
    bits = np.array([int(mask).bit_length() for mask in p.masks])
    before, after = _contents(codes), _contents(codes[:, ::-1])[::-1]
    words = -(-np.cumsum(bits) // WORD), -(-np.cumsum(bits[::-1])[::-1] // WORD)
    costs = _bytes(before[:-1], words[0][:-1]) + _bytes(after[1:], words[1][1:])
    place = int(np.argmin(costs)) + 1
    now = np.zeros(count, bool)
    now[p.words < p.cut] = True
    spent = _bytes(_contents(codes[:, now])[-1:], np.array([p.cut]))
    spent += _bytes(_contents(codes[:, ~now])[-1:], np.array([p.size - p.cut]))
    return cut_after(p, place) if costs[place - 1] < 0.8 * spent[0] else None


def _contents(codes: Array) -> Array:
    """How many different rows the first columns have, by their number."""
    found = np.ones(codes.shape[1], np.int64)
    rows, kinds = np.zeros(len(codes), np.int64), 1
    for column in range(codes.shape[1]):
        values = codes[:, column]
        if (values != values[0]).any():
            seen, rows = np.unique(rows * (int(values.max()) + 1) + values, return_inverse=True)
            kinds = len(seen)
        found[column] = kinds
    return found


def _bytes(contents: Array, words: Array) -> Array:
    """What a side costs; one word is its own number."""
    return np.where(words > 1, contents * (4.0 * words + ROW), 0.0)


def moved(p: Packing, graph: Graph, new: Packing, left: Side, right: Side) -> Graph:
    """The graph in another packing; the sides are empty and have room for all nodes."""
    counts = graph.counts.copy()
    counts[LEFT] = counts[RIGHT] = 0
    keyed = graph._replace(left=left, right=right, counts=counts, key=np.zeros(new.size, np.uint32))
    put_all(p, graph, new, keyed)
    keyed.table[:] = -1
    note_all(keyed)
    return keyed


@compiled
def note_codes(p: Packing, graph: Graph, codes: Any) -> None:
    """The codes of nodes at equal distances into the rows of `codes`."""
    for row in range(len(codes)):
        node = row * graph.counts[NODES] // len(codes)
        key_of(p, graph, graph.roots[node], graph.key)
        for index in range(len(p.variables)):
            word = np.int64(graph.key[p.words[index]])
            codes[row, index] = (word >> p.shifts[index]) & p.masks[index]


@compiled
def put_all(p: Packing, graph: Graph, new: Packing, keyed: Graph) -> None:
    """Write every node anew; both graphs share their rows of nodes."""
    for node in range(graph.counts[NODES]):
        key_of(p, graph, graph.roots[node], graph.key)
        for place in range(new.size):
            keyed.key[place] = 0
        for index in range(len(p.variables)):
            word = np.int64(graph.key[p.words[index]])
            code = (word >> p.shifts[index]) & p.masks[index]
            keyed.key[new.words[index]] |= np.uint32(code << new.shifts[index])
        keyed.roots[node] = root_of(new, keyed, keyed.key)
