"""Loops over lanes: one test or one assignment for many states at once.

A lane is one state. `cols` int32 (slots and more, lanes) holds one slot a row, so that a test
reads two rows from end to end and the machine's vector unit does many lanes at a time. A mask
is a row of int32: -1 where a lane takes part, 0 where not. Rows are named by their index, lanes
are `b` to `e`. The arithmetic is that of `worldengine.runtime.interpreter`.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.arrays import Integers
from worldengine.batch.jit import i64, inner, u
from worldengine.batch.layout import LESS, MORE, NOT_REFUSED, SAME, UNDEFINED_TEST
from worldengine.batch.naming import mixed
from worldengine.batch.reading import combined
from worldengine.machine.schema import ADD, CONST, COPY, SATURATION, SUB, UNDEFINED

YES, NO = np.int32(-1), np.int32(0)
GONE = np.int32(UNDEFINED)


@inner
def some(masks: Integers, m: int, b: int, e: int) -> bool:
    """Whether any lane takes part."""
    row, found = masks[u(m)], NO
    for lane in range(b, e):
        found |= row[u(lane)]
    return bool(found != NO)


@inner
def fill(rows: Integers, c: int, value: int, b: int, e: int) -> None:
    """One value in every lane of a row."""
    row, one = rows[u(c)], np.int32(value)
    for lane in range(b, e):
        row[u(lane)] = one


@inner
def move(masks: Integers, into: int, m: int, b: int, e: int) -> None:
    """Lanes of one mask join another and leave the first."""
    target, source = masks[u(into)], masks[u(m)]
    for lane in range(b, e):
        target[u(lane)] |= source[u(lane)]
        source[u(lane)] = NO


@inner
def take(masks: Integers, into: int, m: int, b: int, e: int) -> None:
    """One mask becomes another, which is emptied."""
    target, source = masks[u(into)], masks[u(m)]
    for lane in range(b, e):
        target[u(lane)] = source[u(lane)]
        source[u(lane)] = NO


@inner
def keep_row(rows: Integers, into: int, others: Integers, m: int, b: int, e: int) -> None:
    """Copy a row."""
    target, source = rows[u(into)], others[u(m)]
    for lane in range(b, e):
        target[u(lane)] = source[u(lane)]


@inner
def join(masks: Integers, into: int, others: Integers, m: int, b: int, e: int) -> None:
    """Lanes of one mask join another."""
    target, source = masks[u(into)], others[u(m)]
    for lane in range(b, e):
        target[u(lane)] |= source[u(lane)]


@inner
def leave(masks: Integers, m: int, others: Integers, without: int, b: int,
          e: int) -> None:  # fmt: skip
    """Lanes of another mask leave this one."""
    target, source = masks[u(m)], others[u(without)]
    for lane in range(b, e):
        stays, old = source[u(lane)] == NO, target[u(lane)]
        target[u(lane)] = old if stays else NO


@inner
def keep_accepted(masks: Integers, m: int, refused: Integers, b: int, e: int) -> None:
    """Lanes leave that were refused."""
    keep = masks[u(m)]
    for lane in range(b, e):
        stays, old = refused[u(lane)] == NOT_REFUSED, keep[u(lane)]
        keep[u(lane)] = old if stays else NO


@inner
def blank(refused: Integers, b: int, e: int) -> None:
    """Nothing is refused yet."""
    for lane in range(b, e):
        refused[u(lane)] = np.int32(NOT_REFUSED)


@inner
def same(cols: Integers, c: int, masks: Integers, m: int, b: int, e: int) -> bool:
    """Whether two rows are equal."""
    row, other, found = cols[u(c)], masks[u(m)], NO
    for lane in range(b, e):
        found |= row[u(lane)] ^ other[u(lane)]
    return bool(found == NO)


@inner
def constant_test(masks: Integers, m: int, cols: Integers, c: int, mask: int, offset: int,
                  b: int, e: int) -> None:  # fmt: skip
    """Keep the lanes whose value compares so with a number; none is undefined."""
    row, keep, against = cols[u(c)], masks[u(m)], np.int32(offset)
    if mask == LESS:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] < against else NO
    elif mask == LESS | SAME:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] <= against else NO
    elif mask == SAME:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] == against else NO
    elif mask == LESS | MORE:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] != against else NO
    elif mask == MORE:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] > against else NO
    else:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] >= against else NO


@inner
def exact_test(masks: Integers, m: int, cols: Integers, left: int, right: int, mask: int,
               offset: int, b: int, e: int) -> None:  # fmt: skip
    """Keep the lanes in which a test holds whose operands may be undefined or large."""
    keep, row, other = masks[u(m)], cols[u(left)], cols[u(right)]
    if mask & UNDEFINED_TEST:
        for lane in range(b, e):
            keep[u(lane)] = keep[u(lane)] if row[u(lane)] == GONE else NO
        return
    less = YES if mask & 1 else NO
    equal = YES if mask & 2 else NO
    more = YES if mask & 4 else NO
    for lane in range(b, e):
        value, against = i64(row[u(lane)]), i64(other[u(lane)]) + offset
        holds = less if value < against else (more if value > against else equal)
        gone = row[u(lane)] == GONE or other[u(lane)] == GONE or against == UNDEFINED
        keep[u(lane)] = NO if gone else np.int32(keep[u(lane)] & holds)


@inner
def scope_test(masks: Integers, m: int, cols: Integers, c: int, refused: Integers, why: int,
               b: int, e: int) -> None:  # fmt: skip
    """Lanes leave in which a slot is 0; `refused` says why."""
    keep, row, reason = masks[u(m)], cols[u(c)], np.int32(why)
    for lane in range(b, e):
        out = row[u(lane)] == NO and keep[u(lane)] != NO
        refused[u(lane)] = reason if out else refused[u(lane)]
        keep[u(lane)] = NO if out else keep[u(lane)]


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
    keep, reason = masks[u(m)], np.int32(why)
    for lane in range(b, e):
        refused[u(lane)] = reason if keep[u(lane)] != NO else refused[u(lane)]


@inner
def put(cols: Integers, c: int, value: int, masks: Integers, m: int, b: int, e: int) -> bool:
    """Store a number where lanes take part; whether that changed anything."""
    row, keep, one, changed = cols[u(c)], masks[u(m)], np.int32(value), NO
    for lane in range(b, e):
        difference = (row[u(lane)] ^ one) & keep[u(lane)]
        row[u(lane)] ^= difference
        changed |= difference
    return bool(changed != NO)


@inner
def put_sum(cols: Integers, c: int, op: int, left: int, right: int, constant: int, low: int,
            high: int, register: int, masks: Integers, m: int, b: int, e: int
            ) -> bool:  # fmt: skip
    """Store what an operator gives, stopped at both ends; undefined goes into registers only."""
    row, keep, changed = cols[u(c)], masks[u(m)], NO
    first, second = cols[u(left)], cols[u(right)]
    if op in (COPY, ADD, SUB):
        for lane in range(b, e):
            one = i64(first[u(lane)])
            two = i64(second[u(lane)]) if op != COPY else i64(0)
            value = one + constant + (two if op == ADD else -two)
            value = low if value < low else value
            value = high if value > high else value
            gone = (one == UNDEFINED) | (two == UNDEFINED)
            old = row[u(lane)]
            new = (GONE if register != 0 else old) if gone else np.int32(value)
            new = new if keep[u(lane)] != NO else old
            row[u(lane)] = new
            changed |= new ^ old
        return bool(changed != NO)
    for lane in range(b, e):
        if keep[u(lane)] != NO:
            changed |= put_one(row, lane, combined(op, i64(first[u(lane)]), i64(second[u(lane)]),
                                                   constant), low, high, register)  # fmt: skip
    return bool(changed != NO)


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


@inner
def value_of(source: Integers, size: int, row: int, variable: int) -> int:
    """One variable of one state. States come as bytes, `size` of them a variable, so that
    kernels are compiled once and not once for every type of states."""
    at = variable * size
    if size == 1:
        return int(np.int8(source[u(row), u(at)]))
    low = i64(source[u(row), u(at)]) | i64(source[u(row), u(at + 1)]) << 8
    if size == 2:
        return int(np.int16(low))
    high = i64(source[u(row), u(at + 2)]) | i64(source[u(row), u(at + 3)]) << 8
    return int(np.int32(low | high << 16))


@inner
def gather(cols: Integers, c: int, source: Integers, rows: Integers, variable: int, size: int,
           b: int, e: int) -> None:  # fmt: skip
    """Fetch one variable of the states `source[rows[lane]]`."""
    row = cols[u(c)]
    if size == 1:
        for lane in range(b, e):
            row[u(lane)] = np.int8(source[u(rows[u(lane)]), u(variable)])
        return
    for lane in range(b, e):
        row[u(lane)] = value_of(source, size, i64(rows[u(lane)]), variable)


@inner
def scatter(cols: Integers, c: int, target: Integers, rows: Integers, variable: int, size: int,
            b: int, e: int) -> bool:  # fmt: skip
    """Put one variable back; False if a value does not fit the type of states."""
    row, lost, least = cols[u(c)], False, i64(-1) << (8 * size - 1)
    for lane in range(b, e):
        value, at = i64(row[u(lane)]), variable * size
        lost |= (value < least) | (value >= -least)
        for byte in range(size):
            target[u(rows[u(lane)]), u(at + byte)] = (value >> (8 * byte)) & 255
    return not lost


assert CONST == 0 and SATURATION < 2**31
