"""Values of tests and assignments, one at a time and as sets.

In: parts of programs, values. Out: what a test says, what an assignment computes, where a
stored value stops. The arithmetic is that of the interpreter. Refused with `TooWide`: sets
that are too large to be told apart.
"""

from __future__ import annotations

import operator
from collections.abc import Collection

from worldengine.machine.schema import (
    ADD,
    COPY,
    DIV,
    EQ,
    IS_UNDEFINED,
    MAX,
    MIN,
    MUL,
    SATURATION,
    SUB,
    UNDEFINED,
    Assign,
    Machine,
    Test,
)

WIDE = 300_000
"""Values of one register or variable that are told apart."""

Values = frozenset[int]
_NONE: Values = frozenset()
_GONE: Values = frozenset((UNDEFINED,))
_COMPARED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
"""By the operator of `machine.schema`."""
Env = dict[int, Values]
"""What is known of slots at a point of a program beyond the sets: subsets of them."""


class TooWide(ValueError):
    """Some slot may hold more values than are told apart; nothing can be concluded."""


def whole_range(low: int, high: int) -> Values:
    """All numbers of a range."""
    if high - low > WIDE:
        raise TooWide(f"{high - low} values are too many to be told apart")
    return frozenset(range(low, high + 1))


def merged(left: Env | None, right: Env) -> Env:
    """What is known where two ways meet."""
    if left is None:
        return dict(right)
    return {slot: values | right[slot] for slot, values in left.items() if slot in right}


def true(test: Test, left: int, right: int | None = None) -> bool:
    """One test on values."""
    if test.op == IS_UNDEFINED:
        return left == UNDEFINED
    if left == UNDEFINED or right == UNDEFINED:
        return False
    against = test.offset + (right or 0)
    return (
        left == against,
        left != against,
        left < against,
        left <= against,
        left > against,
        left >= against,
    )[test.op]


def holding(test: Test, values: Collection[int]) -> Values:
    """Those of some values for which a test against a constant holds."""
    if test.op == IS_UNDEFINED:
        return _GONE if UNDEFINED in values else _NONE
    against = test.offset
    if test.op == EQ:
        return frozenset((against,)) if against in values and against != UNDEFINED else _NONE
    compare = _COMPARED[test.op]
    return frozenset([v for v in values if compare(v, against) and v != UNDEFINED])


def computed(assign: Assign, left: int, right: int) -> int:
    """One assignment on values, stopped at the ends of a register."""
    if assign.op in (MIN, MAX):
        if UNDEFINED in (left, right):
            return right if left == UNDEFINED else left
        return min(left, right) if assign.op == MIN else max(left, right)
    if left == UNDEFINED or (assign.op in (ADD, SUB) and right == UNDEFINED):
        return UNDEFINED
    constant = assign.constant
    if assign.op == COPY:
        value = left + constant
    elif assign.op == ADD:
        value = left + right + constant
    elif assign.op == SUB:
        value = left - right + constant
    elif assign.op == MUL:
        value = left * constant
    else:
        value = left // constant if assign.op == DIV else left % constant
    return max(-SATURATION, min(SATURATION, value))


def spread(assign: Assign, lefts: tuple[int, ...], rights: tuple[int, ...]) -> Values:
    """All that lies between the smallest and the largest result of a large sum."""
    defined = [[v for v in side if v != UNDEFINED] for side in (lefts, rights)]
    results: set[int] = {UNDEFINED} if any(UNDEFINED in side for side in (lefts, rights)) else set()
    if all(defined):
        ends = [
            computed(assign, left, right)
            for left in (min(defined[0]), max(defined[0]))
            for right in (min(defined[1]), max(defined[1]))
        ]
        results |= whole_range(min(ends), max(ends))
    elif assign.op in (MIN, MAX):
        results.update(*defined)
    return frozenset(results)


def whole(machine: Machine, slot: int) -> set[int]:
    """Every value a slot can hold."""
    if slot < len(machine.variables):
        variable = machine.variables[slot]
        if variable.kind not in ("bool", "int"):
            return set(variable.domain)
        return set(whole_range(variable.low, variable.high))
    derived = machine.derived[slot - machine.derived_base]
    return set(range(derived.low, derived.high + 1)) if derived.kind in ("bool", "int") else set()


def bounded(machine: Machine, slot: int, values: Values) -> Values:
    """Values as they are stored; UNDEFINED is not."""
    if slot < len(machine.variables):
        part = machine.variables[slot]
        ends = (part.low, part.high) if part.kind in ("bool", "int") else None
    else:
        derived = machine.derived[slot - machine.derived_base]
        ends = (derived.low, derived.high) if derived.kind in ("bool", "int") else None
    defined = (value for value in values if value != UNDEFINED)
    if ends is None:
        return frozenset(defined)
    low, high = ends
    return frozenset(min(max(value, low), high) for value in defined)
