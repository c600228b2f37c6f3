"""Breadth-first exploration, compiled: full states, deduplicated, layer by layer.

In: tables, a packing, actions, a start. Out: rows of a `Graph` that grow call by call. Nodes
are expanded in the order in which they were found, many of one layer at a time, so a node's
depth is the least and the first win found is a shortest one.

The states of some nodes are put side by side (see `worldengine.batch.lanes.turns`): each command is
asked of all of them, those that are accepted are gathered until there is a full set, and acted
out together. A key is made from the parent's key and what has changed; a side of it on which
nothing has changed keeps its number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.batch.compiling.jit import i64
from worldengine.batch.lanes.bits import copy_mask, everybody, holds_lane, some
from worldengine.batch.lanes.masks import tried
from worldengine.batch.lanes.steps import LANES, Code, Work
from worldengine.batch.lanes.turns import begin, in_scope, number_lanes
from worldengine.batch.tables.layout import (
    H_OPERATORS,
    H_STATUS,
    OPERATOR,
)
from worldengine.machine.schema import RUNNING
from worldengine.modelcheck.compiled.fetching import prefetch
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.exploration.acting import Bunch, follow_all
from worldengine.modelcheck.exploration.frontier import (
    DEPTH,
    EDGES,
    EXPANDED,
    HALT,
    LAYER,
    LEFT,
    NODES,
    RIGHT,
    TRANSITIONS,
    WINNER,
    Graph,
    enter,
    key_of,
    side_of,
    status_of,
)
from worldengine.modelcheck.exploration.numbered import home_of, mixed, tag_of
from worldengine.modelcheck.exploration.packing import Packing, decoded, set_value
from worldengine.modelcheck.exploration.settling import Order, settle_all

DONE, BUDGET, FULL, BROKEN, PAUSED = range(5)


@compiled
def sides_of(p: Packing, graph: Graph, u: Bunch, turn: Any) -> Any:
    """The sides of the key of a turn; those that are as in its origin are not sought."""
    lane = u.lanes[turn]
    root = graph.roots[u.nodes[lane]]
    left, right = root >> np.uint64(32), root & np.uint64(0xFFFFFFFF)
    for word in range(p.cut):
        if u.keys[turn, word] != u.origins[lane, word]:
            left = side_of(graph.left, graph.counts, LEFT, u.keys[turn], 0)
            break
    for word in range(p.cut, p.size):
        if u.keys[turn, word] != u.origins[lane, word]:
            right = side_of(graph.right, graph.counts, RIGHT, u.keys[turn], p.cut)
            break
    return (left << np.uint64(32)) | right


@compiled
def enter_all(
    p: Packing, graph: Graph, u: Bunch, status: Any, count: Any, keep_edges: bool
) -> None:
    """Enter where the turns of a bunch lead to. What is sought is asked for before it is read:
    first the places in the table, then the nodes that stand there."""
    table, bits = graph.table, graph.bits
    for turn in range(count):
        u.roots[turn] = sides_of(p, graph, u, turn)
        u.mixes[turn] = mixed(u.roots[turn])
        prefetch(table, home_of(table, u.mixes[turn]))
    for turn in range(count):
        number = np.int64(table[home_of(table, u.mixes[turn])]) ^ tag_of(u.mixes[turn], bits)
        if number >> bits == 0:
            prefetch(graph.roots, number)
    for turn in range(count):
        after = enter(graph, u.roots[turn], u.mixes[turn], status_of(p, u.keys[turn], status))
        if keep_edges:
            graph.sources[graph.counts[EDGES]] = u.nodes[u.lanes[turn]]
            graph.edges[graph.counts[EDGES]] = after
            graph.counts[EDGES] += 1
    graph.counts[TRANSITIONS] += count


@compiled
def is_full(p: Packing, graph: Graph, count: Any, keep_edges: bool) -> Any:
    """Whether there may be no room for so many turns."""
    if graph.counts[NODES] + count > len(graph.roots):
        return True
    if p.cut > 1 and graph.counts[LEFT] + count > len(graph.left.rows):
        return True
    if p.size - p.cut > 1 and graph.counts[RIGHT] + count > len(graph.right.rows):
        return True
    return keep_edges and graph.counts[EDGES] + count > len(graph.edges)


@compiled
def expand_all(
    t: Code, p: Packing, graph: Graph, asked: Work, acting: Work, u: Bunch, operators: Any,
    numbers: Any, count: Any, keep_edges: bool, order: Order
) -> Any:  # fmt: skip
    """Expand the nodes in the first `count` lanes. DONE, FULL or BROKEN."""
    h = t.head[0]
    status = graph.state[h[H_STATUS]]
    begin(t, h, asked, u.states, count)
    turns, action = 0, 0
    while action < len(operators):
        operator = operators[action]
        last = action + 1
        while last < len(operators) and operators[last] == operator:
            last += 1
        everybody(asked.masks, i64(0), i64(0), count)
        if not in_scope(t, h, asked, u.states, operator, i64(0), count):
            return BROKEN
        if not some(asked.masks, i64(0), i64(0), count):
            action = last
            continue
        numbered = t.code[h[H_OPERATORS] + OPERATOR * operator + 4] >= 0
        copy_mask(asked.kept, i64(0), asked.masks, i64(0), i64(0), count)
        for at in range(action, last):
            if numbered:
                number_lanes(t, h, asked, i64(numbers[at]), i64(0), count)
            copy_mask(asked.masks, i64(0), asked.kept, i64(0), i64(0), count)
            if not tried(t, h, asked, u.states, operator, i64(0), count):
                return BROKEN
            for lane in range(count):
                if not holds_lane(asked.masks, i64(0), i64(lane)):
                    continue
                u.lanes[turns], u.actions[turns] = lane, at
                turns += 1
                if turns == LANES:
                    came = act_out(t, p, graph, acting, u, operators, numbers, turns, status,
                                   keep_edges, order)  # fmt: skip
                    if came != DONE:
                        return came
                    turns = 0
        if numbered:
            number_lanes(t, h, asked, i64(0), i64(0), count)
        action = last
    if turns > 0:
        return act_out(t, p, graph, acting, u, operators, numbers, turns, status, keep_edges,
                       order)  # fmt: skip
    return DONE


@compiled
def act_out(
    t: Code, p: Packing, graph: Graph, w: Work, u: Bunch, operators: Any, numbers: Any,
    count: Any, status: Any, keep_edges: bool, order: Order
) -> Any:  # fmt: skip
    """Act out and enter the first `count` turns of a bunch. DONE, FULL or BROKEN."""
    if is_full(p, graph, count, keep_edges):
        return FULL
    if not follow_all(t, p, graph, w, u, operators, numbers, count):
        return BROKEN
    settle_all(p, order, u.keys, count)
    enter_all(p, graph, u, status, count, keep_edges)
    return DONE


@compiled
def grow(
    t: Code, p: Packing, graph: Graph, asked: Work, acting: Work, u: Bunch, operators: Any,
    numbers: Any, rounds: Any, first_win: bool, keep_edges: bool, order: Order
) -> Any:  # fmt: skip
    """Expand nodes, many at a time, up to so many times. After FULL, which leaves the nodes it
    was at unexpanded, make room and go on; PAUSED where the nodes at depth HALT come next."""
    start_status = graph.state[t.head[0, H_STATUS]]
    for _ in range(rounds):
        node = graph.counts[EXPANDED]
        if node >= graph.counts[NODES] or (first_win and graph.counts[WINNER] >= 0):
            return DONE
        if node == graph.counts[LAYER]:
            if graph.counts[DEPTH] + 1 == graph.counts[HALT]:
                return PAUSED
            graph.counts[DEPTH] += 1
            graph.counts[LAYER] = graph.counts[NODES]
        edges, transitions = graph.counts[EDGES], graph.counts[TRANSITIONS]
        count = 0
        while node < graph.counts[LAYER] and count < LANES:
            key_of(p, graph, graph.roots[node], u.origins[count])
            if status_of(p, u.origins[count], start_status) == RUNNING:
                for index in range(len(p.variables)):
                    value = decoded(p, index, u.origins[count])
                    set_value(u.states, asked.size, count, p.variables[index], value)
                u.nodes[count] = node
                asked.rows[count] = count
                count += 1
            node += 1
        if count > 0:
            came = expand_all(t, p, graph, asked, acting, u, operators, numbers, count, keep_edges,
                              order)  # fmt: skip
            if came != DONE:
                graph.counts[EDGES], graph.counts[TRANSITIONS] = edges, transitions
                return came
        graph.counts[EXPANDED] = node
    return BUDGET
