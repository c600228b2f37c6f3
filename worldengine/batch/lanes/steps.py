"""One step of a program for many lanes at once: fetching, testing, storing.

The arrays are `Code` (the tables) and `Work` (room for one set of lanes); `h` is the machine's
row of `head`, lanes are `b` to `e`, `source` is where states stand. A function that finds a
derived variable not yet worked out gives back its index and has done nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from worldengine.batch.compiling.jit import i64, inlined, inner, u
from worldengine.batch.lanes.bits import holds_lane
from worldengine.batch.lanes.columns import (
    exact_test,
    number_test,
    put_number,
    put_one,
    put_sum,
    say_number,
    say_row,
)
from worldengine.batch.lanes.fetching import gather
from worldengine.batch.lanes.vectors import BLOCK
from worldengine.batch.slots.reading import selected
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ARGUMENT,
    ASSIGN,
    H_ARGUMENTS,
    H_ASSIGNS,
    H_BOUNDS,
    H_DEPENDENTS,
    H_DERIVED_BASE,
    H_DERIVED_COUNT,
    H_REGISTER_BASE,
    H_ROWS,
    H_SELECTS,
    H_TESTS,
    H_VARIABLES,
    H_WORDS,
    H_ZERO,
    NOTHING,
    SELECT_ROW,
    TEST,
)
from worldengine.batch.tables.lowering import LARGE
from worldengine.machine.schema import CONST, SATURATION, SELECT, UNDEFINED

LANES = 256
"""States that go together: few enough that what they touch stays near, enough that one look at
a step is cheap for each."""


WORDS = LANES // BLOCK
"""Words of a mask."""
PART = 2
"""Of a group of lanes: where it begins, its operator. Behind the last stands where it ends."""


class Code(NamedTuple):
    """Arrays of `tables.Tables`."""

    head: Any
    code: Any
    wide: Any
    bits: Any


class Work(NamedTuple):
    """Room for one set of lanes; see `lanes.Lanes`."""

    cols: Any  # (columns, LANES) int32, slots, then registers of derived variables
    masks: Any  # (rows, LANES / BLOCK) int64
    fresh: Any  # (words,) int64 derived variables, then variables and prior ones
    clean: Any  # (words,) int64 what is fresh when a turn begins
    agreed: Any  # (words,) int64 what is fresh in the lanes of every operator
    dirty: Any  # (words,) int64 variables that have changed
    stack: Any  # int64
    refused: Any  # (LANES,) int32 extra row of the step that refused, NOT_REFUSED, or why
    rows: Any  # (LANES,) int32 the row of `source` in each lane
    saved: Any  # (LANES, bytes) uint8 the states as the turn began, if anybody listens
    parts: Any  # (LANES + 1, PART) int64 the groups that stand in the lanes; see `lanes`
    kept: Any  # (2, LANES / BLOCK) int64 masks put aside
    held: Any  # (1 + frames, LANES) int32 numbers put aside
    size: int  # bytes of one variable in the states
    said: Any  # (LANES,) int64 a hash of what was said (see `naming`), or (0,) if nobody listens


@inner
def is_fresh(w: Work, bit: int) -> bool:
    return bool((w.fresh[u(bit >> 6)] >> (bit & 63)) & 1)


@inner
def set_fresh(w: Work, bit: int) -> None:
    w.fresh[u(bit >> 6)] |= i64(1) << (bit & 63)


@inner
def wants(h: Integers, w: Work, source: Integers, slot: int, b: int, e: int) -> int:
    """Make a slot's row ready; a derived variable that has to be worked out first, or -1."""
    variables = h[H_VARIABLES]
    if slot < 2 * variables:
        bit = (h[H_WORDS] << 6) + slot
        if not is_fresh(w, bit):
            variable = slot - variables if slot >= variables else slot
            gather(w.cols, slot, source, w.rows, variable, w.size, b, e)
            set_fresh(w, bit)
        return -1
    index = slot - h[H_DERIVED_BASE]
    if index < 0 or index >= h[H_DERIVED_COUNT] or is_fresh(w, index):
        return -1
    return i64(index)


@inner
def by_number(h: Integers, right: int, mask: int, offset: int) -> bool:
    """Whether a test compares a slot with a number that is no UNDEFINED."""
    return bool(right == h[H_ZERO] and mask & 7 != 0 and -LARGE <= offset <= LARGE)


@inner
def test_lanes(t: Code, h: Integers, w: Work, at: int, shift: int, m: int, into: int, b: int,
               e: int) -> bool:  # fmt: skip
    """Mask `into` becomes the lanes of mask `m` in which one test holds; its operands are ready.
    Whether there are any."""
    place = h[H_TESTS] + TEST * at
    left, right = i64(t.code[u(place)]), i64(t.code[u(place + 1)])
    mask, offset = i64(t.code[u(place + 2)]), i64(t.code[u(place + 3)])
    low, base = h[H_REGISTER_BASE], h[H_DERIVED_BASE]
    left += shift if low <= left < base else 0
    if by_number(h, right, mask, offset):
        return bool(number_test(w.masks, m, into, w.cols, left, mask, offset, b, e))
    right += shift if low <= right < base else 0
    return bool(exact_test(w.masks, m, into, w.cols, left, right, mask, offset, b, e))


@inlined
def store_lanes(t: Code, h: Integers, w: Work, source: Integers, at: int, shift: int, m: int,
                b: int, e: int) -> int:  # fmt: skip
    """One assignment in the lanes of mask `m`; or a derived variable to be worked out first."""
    place = h[H_ASSIGNS] + ASSIGN * at
    target, op = i64(t.code[u(place)]), i64(t.code[u(place + 1)])
    left, right = i64(t.code[u(place + 2)]), i64(t.code[u(place + 3)])
    constant = i64(t.code[u(place + 4)])
    registers, base, variables = h[H_REGISTER_BASE], h[H_DERIVED_BASE], h[H_VARIABLES]
    if op not in (CONST, NOTHING):
        need = wants(h, w, source, left, b, e)
        if need < 0 and op != SELECT:
            need = wants(h, w, source, right, b, e)
        if need < 0 and op == SELECT:
            need = table_wants(t, h, w, source, constant, b, e)
        if need >= 0:
            return need
    local = i64(registers <= target < base)
    low, high = i64(-SATURATION), i64(SATURATION)
    if local == 0:
        bound = h[H_BOUNDS] + 2 * (target if target < variables else variables + target - base)
        low, high = i64(t.wide[u(bound)]), i64(t.wide[u(bound + 1)])
    elif shift:
        target += shift
    if target < variables:
        wants(h, w, source, target, b, e)
    left += shift if registers <= left < base else 0
    right += shift if registers <= right < base else 0
    if op == NOTHING:
        changed = local != 0 and put_number(w.cols, target, i64(UNDEFINED), w.masks, m, b, e)
    elif op == CONST:
        changed = put_number(w.cols, target, constant, w.masks, m, b, e)
    elif op == SELECT:
        changed = put_selected(t, h, w, target, left, constant, low, high, local, shift, m, b, e)
    else:
        changed = put_sum(w.cols, target, op, left, right, constant, low, high, local, w.masks,
                          m, b, e)  # fmt: skip
    if changed and target < variables:
        stale_lanes(t, h, w, target)
        w.dirty[u(target >> 6)] |= i64(1) << (target & 63)
    return -1


@inlined
def say_lanes(t: Code, h: Integers, w: Work, source: Integers, extra: int, shift: int, m: int,
              b: int, e: int) -> int:  # fmt: skip
    """Say one text in the lanes of mask `m`; or a derived variable to be worked out first."""
    arguments, registers = h[H_ARGUMENTS], h[H_REGISTER_BASE]
    begin, end = i64(t.code[u(extra + 1)]), i64(t.code[u(extra + 2)])
    for at in range(begin, end):
        slot = i64(t.code[u(arguments + ARGUMENT * at)])
        if slot >= 0:
            need = wants(h, w, source, slot, b, e)
            if need >= 0:
                return need
    say_number(w.said, i64(t.code[u(extra)]), w.masks, m, b, e)
    say_number(w.said, end - begin, w.masks, m, b, e)
    for at in range(begin, end):
        slot = i64(t.code[u(arguments + ARGUMENT * at)])
        if slot >= 0:
            slot += shift if registers <= slot < h[H_DERIVED_BASE] else 0
            say_row(w.said, w.cols, slot, w.masks, m, b, e)
        else:
            value = i64(t.code[u(arguments + ARGUMENT * at + 1)])
            say_number(w.said, value, w.masks, m, b, e)
    return -1


@inner
def stale_lanes(t: Code, h: Integers, w: Work, row: int) -> None:
    """What depends on a variable (or, in the row behind them, on the number) is stale."""
    words = h[H_WORDS]
    begin = h[H_DEPENDENTS] + row * words
    for word in range(words):
        w.fresh[u(word)] &= ~t.bits[u(begin + word)]


@inner
def table_wants(t: Code, h: Integers, w: Work, source: Integers, table: int, b: int,
                e: int) -> int:  # fmt: skip
    """Make every slot of a SELECT table ready, or give back what has to be worked out."""
    begin, end = i64(t.code[u(h[H_SELECTS] + table)]), i64(t.code[u(h[H_SELECTS] + table + 1)])
    for at in range(begin, end):
        slot = i64(t.code[u(h[H_ROWS] + SELECT_ROW * at + 1)])
        if slot >= 0:
            need = wants(h, w, source, slot, b, e)
            if need >= 0:
                return need
    return -1


@inner
def put_selected(t: Code, h: Integers, w: Work, target: int, key: int, table: int, low: int,
                 high: int, register: int, shift: int, m: int, b: int, e: int
                 ) -> bool:  # fmt: skip
    """Store what a SELECT table gives, lane by lane."""
    row, keys, changed = w.cols[u(target)], w.cols[u(key)], 0
    for lane in range(b, e):
        if not holds_lane(w.masks, m, lane):
            continue
        found = selected(t.code, h, table, i64(keys[lane]))
        value = i64(UNDEFINED)
        if found >= 0:
            slot = i64(t.code[u(found + 1)])
            if slot == -1:
                value = i64(t.code[u(found + 2)])
            elif slot >= 0:
                slot += shift if h[H_REGISTER_BASE] <= slot < h[H_DERIVED_BASE] else 0
                value = i64(w.cols[u(slot), lane])
        changed |= put_one(row, lane, value, low, high, register)
    return changed != 0
