"""Which operators a state offers, for many states at once; see `masks` for the words.

The states of one machine stand side by side in lanes, and each operator is tried on all of them
before the next is looked at. What is derived is worked out once a set of lanes.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import compiled, i64, spliced, u
from worldengine.batch.lanes.bits import copy_mask, everybody, holds_lane, join, leave, nobody, some
from worldengine.batch.lanes.columns import blank, fill
from worldengine.batch.lanes.fetching import value_of
from worldengine.batch.lanes.steps import LANES, Code, Work
from worldengine.batch.lanes.turns import begin, in_scope, number_lanes, required
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    H_OPERATOR_COUNT,
    H_OPERATORS,
    H_RANGES,
    H_REGISTER_BASE,
    H_STATUS,
    OPERATOR,
)
from worldengine.machine.schema import RUNNING


@spliced
def mask_operator(t: Code, h: Integers, w: Work, source: Integers, operator: int, demanding: bool,
                  b: int, e: int) -> bool:  # fmt: skip
    """Keep in mask 0 the lanes in which an operator is scoped or, if `demanding`, accepted with
    some number. False if a group never settles."""
    place = h[H_OPERATORS] + OPERATOR * operator
    everybody(w.masks, i64(0), b, e)
    if not in_scope(t, h, w, source, operator, b, e):
        return False
    first = i64(t.code[u(place)])
    if not demanding or first == t.code[u(place + 6)] or not some(w.masks, i64(0), b, e):
        return True
    low, high = i64(0), i64(0)
    if t.code[u(place + 4)] >= 0:
        bounds = h[H_RANGES] + 2 * t.code[u(place + 4)]
        low = i64(t.wide[u(bounds)])
        high = i64(t.wide[u(bounds + 1)]) if t.code[u(place + 5)] else low
    if low == high and t.code[u(place + 4)] < 0:
        return tried(t, h, w, source, operator, b, e)
    copy_mask(w.kept, i64(0), w.masks, i64(0), b, e)
    nobody(w.kept, i64(1), b, e)
    for number in range(low, high + 1):
        number_lanes(t, h, w, number, b, e)
        copy_mask(w.masks, i64(0), w.kept, i64(0), b, e)
        if not some(w.masks, i64(0), b, e):
            break
        if not tried(t, h, w, source, operator, b, e):
            return False
        join(w.kept, i64(1), w.masks, i64(0), b, e)
        leave(w.kept, i64(0), w.masks, i64(0), b, e)
    copy_mask(w.masks, i64(0), w.kept, i64(1), b, e)
    number_lanes(t, h, w, i64(0), b, e)
    return True


@spliced
def tried(t: Code, h: Integers, w: Work, source: Integers, operator: int, b: int,
          e: int) -> bool:  # fmt: skip
    """As `required`, for one of many operators that the same lanes are asked about."""
    for register in range(t.code[u(h[H_OPERATORS] + OPERATOR * operator + 8)]):
        fill(w.cols, h[H_REGISTER_BASE] + register, i64(0), b, e)
    blank(w.refused, b, e)
    return required(t, h, w, source, operator, b, e)


@compiled
def mask_lanes(t: Code, w: Work, order: Integers, machines: Integers, states: Integers,
               demanding: bool, mask: Integers, start: int, end: int) -> int:  # fmt: skip
    """Fill the rows `order[start:end]` of `mask` (n, operators), zero before, with 1 where an
    operator is scoped or, if `demanding`, applicable. Gives back `end`, or the place of a row
    with a group that never settles."""
    at = i64(start)
    while at < end:
        machine, count = i64(machines[order[at]]), i64(0)
        h = t.head[machine]
        while at < end and count < LANES and machines[order[at]] == machine:
            if value_of(states, w.size, i64(order[at]), h[H_STATUS]) == RUNNING:
                w.rows[count] = order[at]
                count += 1
            at += 1
        if count == 0:
            continue
        begin(t, h, w, states, count)
        for operator in range(h[H_OPERATOR_COUNT]):
            if not mask_operator(t, h, w, states, operator, demanding, i64(0), count):
                return at - 1
            if not some(w.masks, i64(0), i64(0), count):
                continue
            for lane in range(count):
                mask[u(w.rows[u(lane)]), u(operator)] = holds_lane(w.masks, i64(0), lane)
    return at
