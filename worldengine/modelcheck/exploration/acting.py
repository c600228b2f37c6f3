"""Turns acted out side by side, compiled: from the keys of states to the keys of what follows.

In: states in lanes and their keys, commands that have been accepted. Out: the keys after the turns,
made from the keys before them and what has changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from worldengine.batch.compiling.jit import i64
from worldengine.batch.lanes.bits import everybody
from worldengine.batch.lanes.columns import blank, fill
from worldengine.batch.lanes.steps import Code, Work
from worldengine.batch.lanes.sweep import sweep
from worldengine.batch.lanes.turns import act, afresh, begin, put_back, required
from worldengine.batch.tables.layout import (
    ENDED,
    H_OPERATORS,
    H_PRIOR_COUNT,
    H_PRIORS,
    H_RULES,
    H_RULES_END,
    H_VARIABLES,
    OPERATOR,
)
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.exploration.frontier import Array, Graph
from worldengine.modelcheck.exploration.packing import Packing, coded
from worldengine.modelcheck.exploration.recall import Recall, recalled, remember


class Bunch(NamedTuple):
    """Room for some nodes and for some turns from them."""

    states: Array  # [LANES, bytes] uint8 of the nodes
    after: Array  # [LANES, bytes] uint8 of the turns
    keys: Array  # [LANES, words] uint32 of the turns
    origins: Array  # [LANES, words] uint32 the keys of the nodes
    nodes: Array  # [LANES] int32 the node in each lane
    lanes: Array  # [LANES] int32 the lane each turn starts from
    actions: Array  # [LANES] int32 the command of each turn
    roots: Array  # [LANES] uint64 the sides that each turn leads to
    mixes: Array  # [LANES] uint64 their hashes
    recall: Recall


@compiled
def rekey(p: Packing, w: Work, keys: Any, b: Any, e: Any) -> None:
    """Put what has changed in the lanes into the keys of their turns."""
    for index in range(len(p.variables)):
        variable = p.variables[index]
        if (w.dirty[variable >> 6] >> (variable & 63)) & 1 == 0:
            continue
        word, shift = p.words[index], p.shifts[index]
        keep = ~np.uint32(p.masks[index] << shift)
        row = w.cols[variable]
        for lane in range(b, e):
            value = np.uint32(coded(p, index, np.int64(row[lane])) << shift)
            turn = w.rows[lane]
            keys[turn, word] = np.uint32(keys[turn, word] & keep) | value


@compiled
def close_up(t: Code, w: Work, left: Any) -> None:
    """What was as the turn began goes with the turns that are left, which are `w.rows`."""
    h = t.head[0]
    for at in range(h[H_PRIOR_COUNT]):
        row = w.cols[i64(t.code[h[H_PRIORS] + at])]
        for lane in range(left):
            row[lane] = row[w.rows[lane]]


@compiled
def follow_all(
    t: Code, p: Packing, graph: Graph, w: Work, u: Bunch, operators: Any, numbers: Any, count: Any
) -> Any:
    """The keys of the first `count` turns of a bunch, which stand by command, after these turns;
    False if the Machine is at fault."""
    h = t.head[0]
    for turn in range(count):
        lane = u.lanes[turn]
        for byte in range(u.states.shape[1]):
            u.after[turn, byte] = u.states[lane, byte]
        for word in range(p.size):
            u.keys[turn, word] = u.origins[lane, word]
        w.rows[turn] = turn
    begin(t, h, w, u.after, count)
    b = 0
    while b < count:
        action = u.actions[b]
        e = b + 1
        while e < count and u.actions[e] == action:
            e += 1
        place = h[H_OPERATORS] + OPERATOR * operators[action]
        afresh(w)
        everybody(w.masks, i64(0), b, e)
        if t.code[place + 4] >= 0:
            fill(w.cols, 2 * h[H_VARIABLES], numbers[action], b, e)
        if t.code[place + 9]:  # what the requirements left in registers is needed again
            blank(w.refused, b, e)
            if not required(t, h, w, u.after, operators[action], b, e):
                return False
        if not act(t, h, w, u.after, operators[action], b, e):
            return False
        if not put_back(h, w, u.after, b, e):
            return False
        rekey(p, w, u.keys, b, e)
        b = e
    if h[H_RULES] != h[H_RULES_END]:
        remembers = len(u.recall.known) > 0
        left = count
        if remembers:
            left = recalled(p, u.recall, u.keys, u.origins, u.lanes, w.rows, count)
            if left == 0:
                return True
            close_up(t, w, left)
        afresh(w)
        everybody(w.masks, i64(0), i64(0), left)
        if sweep(t, h, w, u.after, h[H_RULES], h[H_RULES_END], i64(-1), 0, left) != ENDED:
            return False
        if not put_back(h, w, u.after, 0, left):
            return False
        rekey(p, w, u.keys, 0, left)
        if remembers:
            remember(u.recall, u.keys, w.rows, left)
    return True
