"""Parts of the kernel that every program needs: reading, comparing, assigning, saying.

All arrays are those of `tables.Tables` and `scratch.Scratch`; `h` is the machine's row of
`head`. A function that finds a derived variable not yet worked out gives back its index and
has done nothing; the caller works it out and asks again.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import i64, inlined, inner, u
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ARGUMENT,
    ASSIGN,
    FULL,
    H_ARGUMENTS,
    H_ASSIGNS,
    H_BOUNDS,
    H_DEPENDENTS,
    H_DERIVED_BASE,
    H_DERIVED_COUNT,
    H_REGISTER_BASE,
    H_ROWS,
    H_SELECTS,
    H_VARIABLES,
    H_WORDS,
    NOTHING,
    RUNNING_MARK,
    SELECT_ROW,
    STALE,
    UNDEFINED_TEST,
)
from worldengine.machine.schema import (
    ADD,
    CONST,
    COPY,
    DIV,
    MAX,
    MIN,
    MUL,
    SATURATION,
    SELECT,
    SUB,
    UNDEFINED,
)

DONE = -1
"""What these functions give back when nothing has to be worked out first."""
GROUP, TRAIL, TANGLED, FIRST = 0, 1, 2, 3
"""The first integers of the stack: the recursive group being worked out, the member begun
last, whether a member was asked for while it was running. Frames begin at FIRST."""


@inlined
def stale(slot: int, base: int, fresh: Integers, marks: Integers, stack: Integers) -> bool:
    """Whether a slot is a derived variable that has to be worked out before it is read."""
    index = slot - base
    if index < 0 or (fresh[u(index >> 6)] >> (index & 63)) & 1:
        return False
    if marks[u(index)] == STALE:
        return True
    if marks[u(index)] == RUNNING_MARK:
        stack[TANGLED] = 1
    return False


@inlined
def store(h: Integers, bits: Integers, slots: Integers, fresh: Integers, row: int, slot: int,
          value: int) -> None:  # fmt: skip
    """Store into a variable or the number; what depends on it (`row`) is fresh no longer."""
    if slots[u(slot)] != value:
        slots[u(slot)] = value
        words = h[H_WORDS]
        begin = h[H_DEPENDENTS] + row * words
        for word in range(words):
            fresh[u(word)] &= ~bits[u(begin + word)]


@inlined
def exactly(slots: Integers, left: int, right: int, mask: int, offset: int) -> bool:
    """A test with operands that may be undefined; see `layout` for the mask."""
    value = i64(slots[u(left)])
    if mask & UNDEFINED_TEST:
        return value == UNDEFINED
    other = i64(slots[u(right)])
    against = other + offset
    if value == UNDEFINED or other == UNDEFINED or against == UNDEFINED:
        return False
    return (mask >> (1 + i64(value > against) - i64(value < against))) & 1 != 0


@inlined
def selected(code: Integers, h: Integers, table: int, value: int) -> int:
    """Where the row of a SELECT table for a value stands in `code`, or -1."""
    low = i64(code[u(h[H_SELECTS] + table)])
    high = i64(code[u(h[H_SELECTS] + table + 1)])
    while low < high:
        middle = (low + high) >> 1
        if code[u(h[H_ROWS] + SELECT_ROW * middle)] < value:
            low = middle + 1
        else:
            high = middle
    place = h[H_ROWS] + SELECT_ROW * low
    if low < code[u(h[H_SELECTS] + table + 1)] and code[u(place)] == value:
        return i64(place)
    return -1


@inlined
def combined(op: int, first: int, second: int, constant: int) -> int:
    """What an operator with one or two operands gives, before any end of a range."""
    if op in (MIN, MAX):
        if first == UNDEFINED or second == UNDEFINED:
            return second if first == UNDEFINED else first
        return min(first, second) if op == MIN else max(first, second)
    if first == UNDEFINED or (op in (ADD, SUB) and second == UNDEFINED):
        return UNDEFINED
    if op == COPY:
        return first + constant
    if op == ADD:
        return first + second + constant
    if op == SUB:
        return first - second + constant
    if op == MUL:
        return first * constant
    if op == DIV:
        return first // constant
    return first % constant


@inlined
def assign(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
           fresh: Integers, marks: Integers, stack: Integers, at: int) -> int:  # fmt: skip
    """Carry out one assignment, or give back the derived variable to be worked out first."""
    place = h[H_ASSIGNS] + ASSIGN * at
    base = h[H_DERIVED_BASE]
    op = i64(code[u(place + 1)])
    value = i64(code[u(place + 4)])
    if op == SELECT:
        key = i64(code[u(place + 2)])
        if stale(key, base, fresh, marks, stack):
            return i64(key - base)
        found = selected(code, h, value, i64(slots[u(key)]))
        value = i64(UNDEFINED)
        if found >= 0:
            slot = i64(code[u(found + 1)])
            if slot == -1:
                value = i64(code[u(found + 2)])
            elif slot < 0:
                value = i64(UNDEFINED)
            elif stale(slot, base, fresh, marks, stack):
                return i64(slot - base)
            else:
                value = i64(slots[u(slot)])
    elif op == NOTHING:
        value = i64(UNDEFINED)
    elif op != CONST:
        left, right = i64(code[u(place + 2)]), i64(code[u(place + 3)])
        if stale(left, base, fresh, marks, stack):
            return i64(left - base)
        if stale(right, base, fresh, marks, stack):
            return i64(right - base)
        value = combined(op, i64(slots[u(left)]), i64(slots[u(right)]), value)
    keep(wide, bits, h, slots, fresh, i64(code[u(place)]), value)
    return DONE


@inlined
def keep(wide: Integers, bits: Integers, h: Integers, slots: Integers, fresh: Integers,
         target: int, value: int) -> None:  # fmt: skip
    """Store a value, stopping at the ends of the target's range."""
    variables, base = h[H_VARIABLES], h[H_DERIVED_BASE]
    if h[H_REGISTER_BASE] <= target < base:
        if value != UNDEFINED:
            value = min(max(value, -SATURATION), SATURATION)
        slots[u(target)] = value
    elif value != UNDEFINED:
        row = target if target < variables else variables + target - base
        bound = h[H_BOUNDS] + 2 * row
        value = min(max(value, i64(wide[u(bound)])), i64(wide[u(bound + 1)]))
        if target < variables:
            store(h, bits, slots, fresh, target, target, value)
        else:
            slots[u(target)] = value


@inner
def say(code: Integers, h: Integers, slots: Integers, fresh: Integers, marks: Integers,
        stack: Integers, said: Integers, text: int, begin: int, end: int) -> int:  # fmt: skip
    """Append (text, count, values…) to `said`, whose first integer is its length; where that
    is 0 nobody listens."""
    if said[0] == 0:
        return DONE
    base, arguments = h[H_DERIVED_BASE], h[H_ARGUMENTS]
    for at in range(begin, end):
        slot = i64(code[u(arguments + ARGUMENT * at)])
        if slot >= 0 and stale(slot, base, fresh, marks, stack):
            return i64(slot - base)
    length = said[0]
    if length + 2 + end - begin > len(said):
        return FULL
    said[u(length)] = text
    said[u(length + 1)] = end - begin
    for at in range(begin, end):
        slot = i64(code[u(arguments + ARGUMENT * at)])
        value = i64(slots[u(slot)]) if slot >= 0 else i64(code[u(arguments + ARGUMENT * at + 1)])
        said[u(length + 2 + at - begin)] = value
    said[0] = length + 2 + end - begin
    return DONE


@inlined
def freshen(fresh: Integers, index: int) -> None:
    """Mark one derived variable as up to date."""
    fresh[u(index >> 6)] |= 1 << (index & 63)


@inlined
def nothing_fresh(h: Integers, fresh: Integers) -> None:
    """No derived variable is known; the slot that is always 0 counts as one that is."""
    for word in range(h[H_WORDS]):
        fresh[u(word)] = 0
    freshen(fresh, h[H_DERIVED_COUNT])
