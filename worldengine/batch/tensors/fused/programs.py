"""One step of a program in many lanes: its tests, its assignments, what it says.

The meaning is that of `worldengine.batch.slots.reading` and `kernel`. Where a derived variable has
to be worked out first its index is given back, and nothing was done.
"""

from __future__ import annotations

import triton.language as tl

from worldengine.batch.tables import layout as at
from worldengine.batch.tensors.fused.parts import (
    coded,
    column,
    first_test,
    jit,
    keep,
    slot,
    some,
    stale,
    utter,
)
from worldengine.machine import schema as op


@jit
def try_tests(t, h, room, step, place, stage, need, tangled, m):
    """Let lanes test until all tests of a step hold or something must be worked out first; where
    one fails they go on at another step."""
    m = m & (stage == at.AT_TESTS)
    while some(m):
        row = h.steps + at.STEP * step
        over = m & (place >= coded(t, row + at.STEP, m))
        place = tl.where(over, coded(t, row + 1, over), place)
        stage = tl.where(over, at.AT_ASSIGNS, stage)
        m = m & ~over
        spot = h.tests + at.TEST * place
        left, right = coded(t, spot, m), coded(t, spot + 1, m)
        mask, offset = coded(t, spot + 2, m), coded(t, spot + 3, m)
        careful = m & ((mask & (at.CAREFUL | at.UNDEFINED_TEST)) != 0)
        waits = careful & (mask < 0)
        if some(careful):
            waits, tangled = stale(h, room, left, tangled, careful)
            other, tangled = stale(h, room, right, tangled, careful & ~waits)
            need = tl.where(waits, left - h.base, tl.where(other, right - h.base, need))
            waits = waits | other
        value, beside = slot(room, left, m).to(tl.int64), slot(room, right, m).to(tl.int64)
        against = beside + offset
        order = 1 + (value > against).to(tl.int32) - (value < against).to(tl.int32)
        holds = ((mask >> order) & 1) != 0
        gone = value == op.UNDEFINED
        undefined = gone | (beside == op.UNDEFINED) | (against == op.UNDEFINED)
        holds = holds & ~(careful & undefined)
        holds = tl.where((mask & at.UNDEFINED_TEST) != 0, gone, holds)
        m = m & ~waits
        fails = m & ~holds
        place = tl.where(m & holds, place + 1, place)
        step = tl.where(fails, coded(t, row + 4, fails), step)
        place = tl.where(fails, first_test(t, h, step, fails), place)
    return step, place, stage, need, tangled


@jit
def selected(t, h, table, value, m):
    """Where the row of a SELECT table for a value stands in `code`, or -1."""
    spot = column(h, at.H_SELECTS) + table
    rows = column(h, at.H_ROWS)
    low, end = coded(t, spot, m), coded(t, spot + 1, m)
    high = end
    while some(m & (low < high)):
        middle = (low + high) >> 1
        halves = m & (low < high)
        smaller = coded(t, rows + at.SELECT_ROW * middle, halves) < value
        low, high = (
            tl.where(halves & smaller, middle + 1, low),
            tl.where(halves & ~smaller, middle, high),
        )
    there = m & (low < end)
    found = rows + at.SELECT_ROW * low
    return tl.where(there & (coded(t, found, there) == value), found, -1)


@jit
def divided(value, by):
    """Division that rounds down, by a number that is not 0."""
    size, parts = tl.abs(value), tl.abs(by)
    whole = size // parts
    uneven = (whole * parts != size).to(tl.int64)
    return tl.where((value < 0) == (by < 0), whole, -whole - uneven)


@jit
def combined(kind, first, second, k):
    """What an operator with one or two operands gives, before any end of a range."""
    gone, other_gone = first == op.UNDEFINED, second == op.UNDEFINED
    value = first + k
    value = tl.where(kind == op.ADD, first + second + k, value)
    value = tl.where(kind == op.SUB, first - second + k, value)
    value = tl.where(kind == op.MUL, first * k, value)
    split = (kind == op.DIV) | (kind == op.MOD)
    if some(split):
        by = tl.where(split & (k != 0), k, 1)
        whole = divided(first, by)
        value = tl.where(kind == op.DIV, whole, value)
        value = tl.where(kind == op.MOD, first - whole * by, value)
    both = (kind == op.ADD) | (kind == op.SUB)
    value = tl.where(gone | (both & other_gone), op.UNDEFINED, value)
    either = tl.where(kind == op.MIN, tl.minimum(first, second), tl.maximum(first, second))
    either = tl.where(gone, second, tl.where(other_gone, first, either))
    return tl.where((kind == op.MIN) | (kind == op.MAX), either, value)


@jit
def assign(t, h, room, place, need, tangled, m):
    """One assignment in these lanes; gives back which of them have to wait."""
    spot = h.assigns + at.ASSIGN * place
    kind, constant = coded(t, spot + 1, m), coded(t, spot + 4, m)
    selects = m & (kind == op.SELECT)
    reads = m & (kind != op.CONST) & (kind != at.NOTHING)
    left = coded(t, spot + 2, reads)
    right = coded(t, spot + 3, reads & ~selects)
    waits, tangled = stale(h, room, left, tangled, reads)
    other, tangled = stale(h, room, right, tangled, reads & ~selects & ~waits)
    need = tl.where(waits, left - h.base, tl.where(other, right - h.base, need))
    waits = waits | other
    k = constant.to(tl.int64)
    first = slot(room, left, reads).to(tl.int64)
    second = slot(room, right, reads & ~selects).to(tl.int64)
    value = combined(kind, first, second, k)
    value = tl.where(kind == op.CONST, k, value)
    value = tl.where(kind == at.NOTHING, op.UNDEFINED, value)
    picks = selects & ~waits
    if some(picks):
        found = selected(t, h, constant, first, picks)
        hit = picks & (found >= 0)
        chosen = coded(t, found + 1, hit)
        reads = hit & (chosen >= 0)
        later, tangled = stale(h, room, chosen, tangled, reads)
        need = tl.where(later, chosen - h.base, need)
        waits = waits | later
        picked = tl.where(chosen == -1, coded(t, found + 2, hit), op.UNDEFINED)
        picked = tl.where(reads, slot(room, chosen, reads), picked)
        value = tl.where(picks, tl.where(hit, picked, op.UNDEFINED).to(tl.int64), value)
    keep(t, h, room, coded(t, spot, m), value, m & ~waits)
    return need, tangled, waits


@jit
def carry_out(t, h, room, step, place, stage, need, tangled, m):
    """Let lanes assign until a step's assignments are done or one has to wait."""
    m = m & (stage == at.AT_ASSIGNS)
    while some(m):
        end = coded(t, h.steps + at.STEP * step + at.STEP + 1, m)
        over = m & (place >= end)
        stage = tl.where(over, at.AT_EXTRA, stage)
        m = m & ~over
        need, tangled, waits = assign(t, h, room, place, need, tangled, m)
        m = m & ~waits
        place = tl.where(m, place + 1, place)
    return place, stage, need, tangled


@jit
def say(t, h, room, extra, need, tangled, name, used, m):
    """Say a text in these lanes, unless a value has to be worked out first."""
    begin, end = coded(t, extra + 1, m), coded(t, extra + 2, m)
    lines = column(h, at.H_ARGUMENTS)
    told = m
    for position in range(t.arguments):
        there = told & (begin + position < end)
        index = coded(t, lines + at.ARGUMENT * (begin + position), there)
        waits, tangled = stale(h, room, index, tangled, there & (index >= 0))
        need = tl.where(waits, index - h.base, need)
        told = told & ~waits
    name, used = utter(t, room, coded(t, extra, told), name, used, told)
    name, used = utter(t, room, end - begin, name, used, told)
    for position in range(t.arguments):
        there = told & (begin + position < end)
        line = lines + at.ARGUMENT * (begin + position)
        index = coded(t, line, there)
        reads = there & (index >= 0)
        value = tl.where(reads, slot(room, index, reads), coded(t, line + 1, there))
        name, used = utter(t, room, value, name, used, there)
    return need, tangled, name, used
