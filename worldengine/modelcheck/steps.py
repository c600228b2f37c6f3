"""One step of a program, compiled: tests, assignments, and programs of fresh slots.

The arithmetic is the interpreter's, word for word. See `worldengine.modelcheck.kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from worldengine.machine.schema import (
    ADD,
    CONST,
    COPY,
    DIV,
    EQ,
    GE,
    GT,
    IS_UNDEFINED,
    LE,
    LT,
    MAX,
    MIN,
    MUL,
    NE,
    SELECT,
    SUB,
    UNDEFINED,
)
from worldengine.modelcheck.tables import (
    ASSIGN0,
    ASSIGN1,
    DERIVED_BASE,
    OTHER,
    REFUSE,
    REGISTER_BASE,
    TEST0,
    TEST1,
    THEN,
    VARIABLES,
    Tables,
)

Function = TypeVar("Function")

if TYPE_CHECKING:

    def compiled(function: Function) -> Function:
        """For the type checker a compiled function is the function."""
        return function
else:
    from worldengine.modelcheck.jit import compiled


@compiled
def holds(value: Any, op: Any, against: Any) -> Any:
    """One test of two defined values."""
    if op == EQ:
        return value == against
    if op == NE:
        return value != against
    if op == LT:
        return value < against
    if op == LE:
        return value <= against
    if op == GT:
        return value > against
    return value >= against and op == GE


@compiled
def passes(t: Tables, slots: Any, step: Any) -> Any:
    """Whether every test of a step holds; what it reads is fresh."""
    for index in range(t.steps[step, TEST0], t.steps[step, TEST1]):
        value = slots[t.tests[index, 0]]
        op = t.tests[index, 1]
        if op == IS_UNDEFINED:
            if value != UNDEFINED:
                return False
            continue
        right = t.tests[index, 2]
        against = np.int64(t.tests[index, 3])
        if right >= 0:
            if slots[right] == UNDEFINED:
                return False
            against += slots[right]
        if value == UNDEFINED or not holds(value, op, against):
            return False
    return True


@compiled
def computed(t: Tables, slots: Any, index: Any) -> Any:
    """What an assignment would store, before any end of a range."""
    op = t.assigns[index, 1]
    constant = np.int64(t.assigns[index, 4])
    if op == CONST:
        return constant
    first = np.int64(slots[t.assigns[index, 2]])
    if op == SELECT:
        for row in range(t.row_starts[constant], t.row_starts[constant + 1]):
            if t.rows[row, 0] == first:
                slot = t.rows[row, 1]
                return np.int64(slots[slot]) if slot >= 0 else np.int64(t.rows[row, 2])
        return np.int64(UNDEFINED)
    if op in (MIN, MAX):
        second = np.int64(slots[t.assigns[index, 3]])
        if first == UNDEFINED:
            return second
        if second == UNDEFINED:
            return first
        return min(first, second) if op == MIN else max(first, second)
    if first == UNDEFINED:
        return np.int64(UNDEFINED)
    if op == COPY:
        return first + constant
    if op in (ADD, SUB):
        second = np.int64(slots[t.assigns[index, 3]])
        if second == UNDEFINED:
            return np.int64(UNDEFINED)
        return first + second + constant if op == ADD else first - second + constant
    if op == MUL:
        return first * constant
    if op == DIV:
        return first // constant
    return first % constant


@compiled
def store(t: Tables, slots: Any, marks: Any, index: Any) -> None:
    """Carry out one assignment; a changed variable makes what depends on it stale."""
    target = t.assigns[index, 0]
    value = computed(t, slots, index)
    base = t.sizes[REGISTER_BASE]
    if value == UNDEFINED:
        if target >= t.sizes[DERIVED_BASE] + len(marks) or base <= target < t.sizes[DERIVED_BASE]:
            slots[target] = UNDEFINED
        return
    value = min(max(value, np.int64(t.low[target])), np.int64(t.high[target]))
    if slots[target] == value:
        return
    slots[target] = value
    if target < t.sizes[VARIABLES]:
        for at in range(t.dependent_starts[target], t.dependent_starts[target + 1]):
            marks[t.dependents[at]] = 0


@compiled
def run_plain(t: Tables, slots: Any, marks: Any, at: Any, end: Any) -> Any:
    """Run steps whose derived variables are fresh. Gives back the class of a refusal or 0."""
    while at < end:
        if not passes(t, slots, at):
            at = t.steps[at, OTHER]
            continue
        for index in range(t.steps[at, ASSIGN0], t.steps[at, ASSIGN1]):
            store(t, slots, marks, index)
        if t.steps[at, REFUSE] != 0:
            return t.steps[at, REFUSE]
        at = t.steps[at, THEN]
    return 0
