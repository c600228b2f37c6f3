"""Loops over lanes: one test or one assignment for many states at once.

A lane is one state. `cols` int32 (slots and more, lanes) holds one slot a row, so that a test
reads two rows from end to end and the machine's vector unit does a block of lanes at a time. A
mask says which lanes take part; see `bits`. Rows are named by their index, lanes are `b` to `e`;
no other lane is changed. The arithmetic is that of `worldengine.runtime.interpreter`.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.compiling.jit import i64, inner, u
from worldengine.batch.lanes.bits import holds_lane, span, start_of, word_at
from worldengine.batch.lanes.vectors import (
    BLOCK,
    block,
    chosen,
    difference_of,
    equal,
    every,
    largest,
    less,
    lowest,
    put,
    smallest,
    sum_of,
)
from worldengine.batch.slots.naming import mixed
from worldengine.batch.slots.reading import combined
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    CAREFUL,
    LESS,
    MASK_OF_OP,
    MORE,
    NOT_REFUSED,
    SAME,
    UNDEFINED_TEST,
    WAS_OVER,
)
from worldengine.machine.schema import ADD, CONST, COPY, RUNNING, SATURATION, SUB, UNDEFINED

GONE = np.int32(UNDEFINED)


@inner
def fill(rows: Integers, c: int, value: int, b: int, e: int) -> None:
    """One value in every lane of a row."""
    row, one = rows[u(c)], every(value)
    for lane in range(start_of(b), e, BLOCK):
        put(row, lane, span(lane, b, e), one)


@inner
def keep_row(rows: Integers, into: int, others: Integers, c: int, b: int, e: int) -> None:
    """Copy a row."""
    target, source = rows[u(into)], others[u(c)]
    for lane in range(start_of(b), e, BLOCK):
        put(target, lane, span(lane, b, e), block(source, lane))


@inner
def keep_accepted(masks: Integers, m: int, refused: Integers, b: int, e: int) -> None:
    """Lanes leave that were refused."""
    keep = masks[u(m)]
    for lane in range(start_of(b), e, BLOCK):
        keep[u(word_at(lane))] &= equal(block(refused, lane), every(NOT_REFUSED))


@inner
def blank(refused: Integers, b: int, e: int) -> None:
    """Nothing is refused yet."""
    for lane in range(start_of(b), e, BLOCK):
        put(refused, lane, span(lane, b, e), every(NOT_REFUSED))


@inner
def running(masks: Integers, m: int, cols: Integers, c: int, refused: Integers, b: int,
            e: int) -> None:  # fmt: skip
    """A mask becomes the lanes whose status, row `c`, says that they can act. Nothing is refused
    in these yet; in the others all is."""
    keep, row = masks[u(m)], cols[u(c)]
    for lane in range(start_of(b), e, BLOCK):
        bits = span(lane, b, e)
        acts = equal(block(row, lane), every(RUNNING))
        keep[u(word_at(lane))] = acts & bits
        put(refused, lane, bits, chosen(acts, every(NOT_REFUSED), every(WAS_OVER)))


@inner
def same(cols: Integers, c: int, others: Integers, r: int, b: int, e: int) -> bool:
    """Whether two rows are equal."""
    row, other, differs = cols[u(c)], others[u(r)], i64(0)
    for lane in range(start_of(b), e, BLOCK):
        differs |= ~equal(block(row, lane), block(other, lane)) & span(lane, b, e)
    return differs == 0


@inner
def number_test(masks: Integers, m: int, into: int, cols: Integers, c: int, mask: int,
                offset: int, b: int, e: int) -> bool:  # fmt: skip
    """Mask `into` becomes the lanes of mask `m` whose value compares so with a number that is
    no UNDEFINED. Whether there are any."""
    row, here, goes, found = cols[u(c)], masks[u(m)], masks[u(into)], i64(0)
    kind = mask & (LESS | SAME | MORE)
    level = kind in (SAME, LESS | MORE)
    flip = i64(-1 if kind & MORE else 0)
    against = every(offset + (1 if kind in (LESS | SAME, MORE) else 0))
    for lane in range(start_of(b), e, BLOCK):
        left = here[u(word_at(lane))]
        if left != 0:
            value = block(row, lane)
            if level:
                left &= equal(value, against) ^ flip
            else:
                left &= less(value, against) ^ flip
            if mask & CAREFUL:
                left &= ~equal(value, every(UNDEFINED))
        goes[u(word_at(lane))] = left
        found |= left
    return found != 0


@inner
def exact_test(masks: Integers, m: int, into: int, cols: Integers, left: int, right: int,
               mask: int, offset: int, b: int, e: int) -> bool:  # fmt: skip
    """As `number_test`, of two slots and a number; all may be undefined or large."""
    row, other, found = cols[u(left)], cols[u(right)], i64(0)
    under = i64(-1 if mask & LESS else 0)
    level = i64(-1 if mask & SAME else 0)
    over = i64(-1 if mask & MORE else 0)
    for lane in range(start_of(b), e, BLOCK):
        word = word_at(lane)
        goes, one = masks[u(m), u(word)], block(row, lane)
        gone = equal(one, every(UNDEFINED))
        if goes != 0 and mask & UNDEFINED_TEST:
            goes &= gone
        elif goes != 0 and offset == 0:
            two = block(other, lane)
            smaller, same = less(one, two), equal(one, two)
            goes &= (smaller & under) | (same & level) | (~(smaller | same) & over)
            goes &= ~(gone | equal(two, every(UNDEFINED)))
        elif goes != 0:
            goes = one_by_one(row, other, lane, goes & ~gone, mask, offset)
        masks[u(into), u(word)] = goes
        found |= goes
    return found != 0


@inner
def one_by_one(row: Integers, other: Integers, first: int, lanes: int, mask: int,
               offset: int) -> int:  # fmt: skip
    """The lanes of a block in which a test holds whose sum may be large."""
    left, found = lanes, i64(0)
    while left != 0:
        bit = left & -left
        lane = first + lowest(left)
        left ^= bit
        value, against = i64(row[u(lane)]), i64(other[u(lane)]) + offset
        holds = LESS if value < against else (MORE if value > against else SAME)
        if other[u(lane)] != GONE and against != UNDEFINED and mask & holds:
            found |= bit
    return found


@inner
def scope_test(masks: Integers, m: int, cols: Integers, c: int, refused: Integers, why: int,
               b: int, e: int) -> None:  # fmt: skip
    """Lanes leave in which a slot is 0; `refused` says why."""
    keep, row, reason = masks[u(m)], cols[u(c)], every(why)
    for lane in range(start_of(b), e, BLOCK):
        stays = keep[u(word_at(lane))]
        out = equal(block(row, lane), every(0)) & stays
        if out != 0:
            put(refused, lane, out, reason)
            keep[u(word_at(lane))] = stays & ~out


@inner
def hush(said: Integers, value: int, masks: Integers, m: int, b: int, e: int) -> None:
    """Begin what is said anew where lanes take part: a hash of nothing yet."""
    for lane in range(b, e):
        old = said[u(lane)]
        said[u(lane)] = value if holds_lane(masks, m, lane) else old


@inner
def say_number(said: Integers, value: int, masks: Integers, m: int, b: int, e: int) -> None:
    """One number is said where lanes take part."""
    for first in range(start_of(b), e, BLOCK):
        left = masks[u(m), u(word_at(first))]
        while left != 0:
            lane = first + lowest(left)
            said[u(lane)] = mixed(said[u(lane)], value)
            left &= left - 1


@inner
def say_row(said: Integers, cols: Integers, c: int, masks: Integers, m: int, b: int,
            e: int) -> None:  # fmt: skip
    """A value is said where lanes take part."""
    row = cols[u(c)]
    for first in range(start_of(b), e, BLOCK):
        left = masks[u(m), u(word_at(first))]
        while left != 0:
            lane = first + lowest(left)
            said[u(lane)] = mixed(said[u(lane)], i64(row[u(lane)]))
            left &= left - 1


@inner
def refuse(masks: Integers, m: int, refused: Integers, why: int, b: int, e: int) -> None:
    """Note why the lanes that take part are refused."""
    keep, reason = masks[u(m)], every(why)
    for lane in range(start_of(b), e, BLOCK):
        put(refused, lane, keep[u(word_at(lane))], reason)


@inner
def put_number(cols: Integers, c: int, value: int, masks: Integers, m: int, b: int,
               e: int) -> bool:  # fmt: skip
    """Store a number where lanes take part; whether that changed anything."""
    row, keep, one, changed = cols[u(c)], masks[u(m)], every(value), i64(0)
    for lane in range(start_of(b), e, BLOCK):
        bits = keep[u(word_at(lane))]
        changed |= ~equal(block(row, lane), one) & bits
        put(row, lane, bits, one)
    return changed != 0


@inner
def put_sum(cols: Integers, c: int, op: int, left: int, right: int, constant: int, low: int,
            high: int, register: int, masks: Integers, m: int, b: int, e: int
            ) -> bool:  # fmt: skip
    """Store what an operator gives, stopped at both ends; undefined goes into registers only.
    One operand and a number, or two operands, stopped at the ends of 32 bits first, then stop
    where the whole sum would."""
    row, keep, changed = cols[u(c)], masks[u(m)], i64(0)
    first, second = cols[u(left)], cols[u(right)]
    short = -SATURATION <= constant <= SATURATION
    simple = (op == COPY and short) or (op in (ADD, SUB) and constant == 0)
    for lane in range(start_of(b), e, BLOCK):
        bits = keep[u(word_at(lane))]
        if bits != 0 and simple:
            old, value, one = block(row, lane), block(first, lane), every(constant)
            gone = equal(value, every(UNDEFINED))
            if op != COPY:
                one = block(second, lane)
                gone |= equal(one, every(UNDEFINED))
            value = difference_of(value, one) if op == SUB else sum_of(value, one)
            value = largest(smallest(value, every(high)), every(low))
            if register != 0:
                value = chosen(gone, every(UNDEFINED), value)
            else:
                bits &= ~gone
            changed |= ~equal(old, value) & bits
            put(row, lane, bits, value)
        while bits != 0 and not simple:
            at = lane + lowest(bits)
            value_at = combined(op, i64(first[u(at)]), i64(second[u(at)]), constant)
            changed |= put_one(row, at, value_at, low, high, register)
            bits &= bits - 1
    return changed != 0


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


assert CONST == 0 and SATURATION < 2**31 and LESS | SAME | MORE not in MASK_OF_OP
