"""Loops over lanes: one test or one assignment for many states at once.

A lane is one state. `cols` int32 (slots and more, lanes) holds one slot a row, so that a test
reads two rows from end to end and the machine's vector unit does a block of lanes at a time. A
mask is a row of int32: -1 where a lane takes part, 0 where not. Rows are named by their index,
lanes are `b` to `e`; no other lane is changed. The arithmetic is that of
`worldengine.runtime.interpreter`.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.compiling.jit import i64, inner, u
from worldengine.batch.lanes.vectors import (
    BLOCK,
    apart,
    before,
    block,
    both,
    chosen,
    compared,
    difference_of,
    either,
    equal,
    every,
    largest,
    put,
    smallest,
    sum_of,
    united,
)
from worldengine.batch.slots.naming import mixed
from worldengine.batch.slots.reading import combined
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import LESS, MORE, NOT_REFUSED, SAME, UNDEFINED_TEST, WAS_OVER
from worldengine.machine.schema import ADD, CONST, COPY, RUNNING, SATURATION, SUB, UNDEFINED

YES, NO = np.int32(-1), np.int32(0)
GONE = np.int32(UNDEFINED)


@inner
def some(masks: Integers, m: int, b: int, e: int) -> bool:
    """Whether any lane takes part."""
    row, found = masks[u(m)], every(0)
    for lane in range(b, e, BLOCK):
        found = either(found, both(block(row, lane), before(lane, e)))
    return bool(united(found) != NO)


@inner
def fill(rows: Integers, c: int, value: int, b: int, e: int) -> None:
    """One value in every lane of a row."""
    row, one = rows[u(c)], every(value)
    for lane in range(b, e, BLOCK):
        put(row, lane, e, one)


@inner
def take(masks: Integers, into: int, m: int, b: int, e: int) -> None:
    """One mask becomes another, which is emptied."""
    target, source = masks[u(into)], masks[u(m)]
    for lane in range(b, e, BLOCK):
        put(target, lane, e, block(source, lane))
        put(source, lane, e, every(0))


@inner
def keep_row(rows: Integers, into: int, others: Integers, m: int, b: int, e: int) -> None:
    """Copy a row."""
    target, source = rows[u(into)], others[u(m)]
    for lane in range(b, e, BLOCK):
        put(target, lane, e, block(source, lane))


@inner
def join(masks: Integers, into: int, others: Integers, m: int, b: int, e: int) -> None:
    """Lanes of one mask join another."""
    target, source = masks[u(into)], others[u(m)]
    for lane in range(b, e, BLOCK):
        put(target, lane, e, either(block(target, lane), block(source, lane)))


@inner
def leave(masks: Integers, m: int, others: Integers, without: int, b: int,
          e: int) -> None:  # fmt: skip
    """Lanes of another mask leave this one."""
    target, source = masks[u(m)], others[u(without)]
    for lane in range(b, e, BLOCK):
        put(target, lane, e, chosen(block(source, lane), every(0), block(target, lane)))


@inner
def keep_accepted(masks: Integers, m: int, refused: Integers, b: int, e: int) -> None:
    """Lanes leave that were refused."""
    keep = masks[u(m)]
    for lane in range(b, e, BLOCK):
        stays = equal(block(refused, lane), every(NOT_REFUSED))
        put(keep, lane, e, both(block(keep, lane), stays))


@inner
def blank(refused: Integers, b: int, e: int) -> None:
    """Nothing is refused yet."""
    for lane in range(b, e, BLOCK):
        put(refused, lane, e, every(NOT_REFUSED))


@inner
def running(masks: Integers, m: int, cols: Integers, c: int, refused: Integers, b: int,
            e: int) -> None:  # fmt: skip
    """A mask becomes the lanes whose status, row `c`, says that they can act. Nothing is refused
    in these yet; in the others all is."""
    keep, row = masks[u(m)], cols[u(c)]
    for lane in range(b, e, BLOCK):
        acts = equal(block(row, lane), every(RUNNING))
        put(keep, lane, e, acts)
        put(refused, lane, e, chosen(acts, every(NOT_REFUSED), every(WAS_OVER)))


@inner
def same(cols: Integers, c: int, masks: Integers, m: int, b: int, e: int) -> bool:
    """Whether two rows are equal."""
    row, other, found = cols[u(c)], masks[u(m)], every(0)
    for lane in range(b, e, BLOCK):
        difference = apart(block(row, lane), block(other, lane))
        found = either(found, both(difference, before(lane, e)))
    return bool(united(found) == NO)


@inner
def constant_test(masks: Integers, m: int, cols: Integers, c: int, mask: int, offset: int,
                  b: int, e: int) -> None:  # fmt: skip
    """Keep the lanes whose value compares so with a number that is no UNDEFINED."""
    row, keep, against = cols[u(c)], masks[u(m)], every(offset)
    under, over = every(-(mask & LESS)), every(-((mask & MORE) >> 2))
    level = every(-((mask & SAME) >> 1))
    for lane in range(b, e, BLOCK):
        value = block(row, lane)
        holds = compared(value, against, under, level, over)
        holds = chosen(equal(value, every(UNDEFINED)), every(0), holds)
        put(keep, lane, e, both(block(keep, lane), holds))


@inner
def exact_test(masks: Integers, m: int, cols: Integers, left: int, right: int, mask: int,
               offset: int, b: int, e: int) -> None:  # fmt: skip
    """Keep the lanes in which a test holds whose operands may be undefined or large."""
    keep, row, other = masks[u(m)], cols[u(left)], cols[u(right)]
    if mask & UNDEFINED_TEST:
        for lane in range(b, e, BLOCK):
            gone = equal(block(row, lane), every(UNDEFINED))
            put(keep, lane, e, both(block(keep, lane), gone))
        return
    if offset == 0:
        under, over = every(-(mask & LESS)), every(-((mask & MORE) >> 2))
        level = every(-((mask & SAME) >> 1))
        for lane in range(b, e, BLOCK):
            one, two = block(row, lane), block(other, lane)
            holds = compared(one, two, under, level, over)
            gone = either(equal(one, every(UNDEFINED)), equal(two, every(UNDEFINED)))
            put(keep, lane, e, both(block(keep, lane), chosen(gone, every(0), holds)))
        return
    less_holds = YES if mask & LESS else NO
    same_holds = YES if mask & SAME else NO
    more_holds = YES if mask & MORE else NO
    for lane in range(b, e):
        value, against = i64(row[u(lane)]), i64(other[u(lane)]) + offset
        holds = less_holds if value < against else (more_holds if value > against else same_holds)
        gone = row[u(lane)] == GONE or other[u(lane)] == GONE or against == UNDEFINED
        keep[u(lane)] = NO if gone else np.int32(keep[u(lane)] & holds)


@inner
def scope_test(masks: Integers, m: int, cols: Integers, c: int, refused: Integers, why: int,
               b: int, e: int) -> None:  # fmt: skip
    """Lanes leave in which a slot is 0; `refused` says why."""
    keep, row, reason = masks[u(m)], cols[u(c)], every(why)
    for lane in range(b, e, BLOCK):
        stays = block(keep, lane)
        out = both(equal(block(row, lane), every(0)), stays)
        put(refused, lane, e, chosen(out, reason, block(refused, lane)))
        put(keep, lane, e, chosen(out, every(0), stays))


@inner
def hush(said: Integers, value: int, masks: Integers, m: int, b: int, e: int) -> None:
    """Begin what is said anew where lanes take part: a hash of nothing yet."""
    keep = masks[u(m)]
    for lane in range(b, e):
        said[u(lane)] = value if keep[u(lane)] != NO else said[u(lane)]


@inner
def say_number(said: Integers, value: int, masks: Integers, m: int, b: int, e: int) -> None:
    """One number is said where lanes take part."""
    keep = masks[u(m)]
    for lane in range(b, e):
        old = said[u(lane)]
        new = mixed(old, value)
        said[u(lane)] = new if keep[u(lane)] != NO else old


@inner
def say_row(said: Integers, cols: Integers, c: int, masks: Integers, m: int, b: int,
            e: int) -> None:  # fmt: skip
    """A value is said where lanes take part."""
    row, keep = cols[u(c)], masks[u(m)]
    for lane in range(b, e):
        old = said[u(lane)]
        new = mixed(old, i64(row[u(lane)]))
        said[u(lane)] = new if keep[u(lane)] != NO else old


@inner
def refuse(masks: Integers, m: int, refused: Integers, why: int, b: int, e: int) -> None:
    """Note why the lanes that take part are refused."""
    keep, reason = masks[u(m)], every(why)
    for lane in range(b, e, BLOCK):
        put(refused, lane, e, chosen(block(keep, lane), reason, block(refused, lane)))


@inner
def put_number(cols: Integers, c: int, value: int, masks: Integers, m: int, b: int,
               e: int) -> bool:  # fmt: skip
    """Store a number where lanes take part; whether that changed anything."""
    row, keep, one, changed = cols[u(c)], masks[u(m)], every(value), every(0)
    for lane in range(b, e, BLOCK):
        old = block(row, lane)
        difference = both(apart(old, one), both(block(keep, lane), before(lane, e)))
        put(row, lane, e, apart(old, difference))
        changed = either(changed, difference)
    return bool(united(changed) != NO)


@inner
def put_sum(cols: Integers, c: int, op: int, left: int, right: int, constant: int, low: int,
            high: int, register: int, masks: Integers, m: int, b: int, e: int
            ) -> bool:  # fmt: skip
    """Store what an operator gives, stopped at both ends; undefined goes into registers only.
    One operand and a number, or two operands, stopped at the ends of 32 bits first, then stop
    where the whole sum would."""
    row, keep = cols[u(c)], masks[u(m)]
    first, second = cols[u(left)], cols[u(right)]
    short = -SATURATION <= constant <= SATURATION
    if (op == COPY and short) or (op in (ADD, SUB) and constant == 0):
        changed, one = every(0), every(constant)
        for lane in range(b, e, BLOCK):
            old, value = block(row, lane), block(first, lane)
            gone = equal(value, every(UNDEFINED))
            if op != COPY:
                one = block(second, lane)
                gone = either(gone, equal(one, every(UNDEFINED)))
            value = difference_of(value, one) if op == SUB else sum_of(value, one)
            value = largest(smallest(value, every(high)), every(low))
            value = chosen(gone, every(UNDEFINED) if register != 0 else old, value)
            difference = both(apart(old, value), both(block(keep, lane), before(lane, e)))
            put(row, lane, e, apart(old, difference))
            changed = either(changed, difference)
        return bool(united(changed) != NO)
    difference = i64(0)
    for lane in range(b, e):
        if keep[u(lane)] != NO:
            value = combined(op, i64(first[u(lane)]), i64(second[u(lane)]), constant)
            difference |= put_one(row, lane, value, low, high, register)
    return difference != 0


@inner
def put_one(row: Integers, lane: int, value: int, low: int, high: int, register: int) -> int:
    """Store one value; what it changed."""
    if value == UNDEFINED:
        if register == 0:
            return i64(0)
        new = GONE
    else:
        new = np.int32(min(max(value, low), high))
    difference = row[u(lane)] ^ new
    row[u(lane)] = new
    return i64(difference)


assert CONST == 0 and SATURATION < 2**31
