"""Which actions a state offers, for many states at once.

An operator is *scoped* where all its arguments are within their scope words, *applicable*
where it would also be accepted (with at least one number, if it takes one). Nothing is
offered in a state that is over. Scopes come first and in bulk: for every slot that tells a
scope and is 0, one set of operators falls away.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import compiled, i64, inner, u
from worldengine.batch.slots.kernel import run
from worldengine.batch.slots.reading import store
from worldengine.batch.slots.turns import load, read
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ENDED,
    H_MASK_WORDS,
    H_OPERATOR_COUNT,
    H_OPERATORS,
    H_RANGES,
    H_SCOPE_COUNT,
    H_SCOPE_MASKS,
    H_STATUS,
    H_VARIABLES,
    OPERATOR,
)
from worldengine.machine.schema import RUNNING


@inner
def find_dead(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
              fresh: Integers, marks: Integers, stack: Integers, said: Integers,
              dead: Integers) -> None:  # fmt: skip
    """Fill `dead` with the operators that have an argument out of scope."""
    words = h[H_MASK_WORDS]
    for word in range(words):
        dead[u(word)] = 0
    place = h[H_SCOPE_MASKS]
    for _ in range(h[H_SCOPE_COUNT]):
        slot = i64(bits[u(place)])
        if read(code, wide, bits, h, slots, fresh, marks, stack, said, slot) == 0:
            for word in range(words):
                dead[u(word)] |= bits[u(place + 1 + word)]
        place += 1 + words


@inner
def accepts(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
            fresh: Integers, marks: Integers, stack: Integers, said: Integers,
            operator: int, number: int) -> bool:  # fmt: skip
    """Whether no requirement refuses. They write registers only, so nothing changes."""
    variables = h[H_VARIABLES]
    store(h, bits, slots, fresh, variables, 2 * variables, i64(number))
    step = i64(code[u(h[H_OPERATORS] + OPERATOR * operator)])
    said[0] = 0
    return run(code, wide, bits, h, slots, fresh, marks, stack, said, step, i64(-1)) == ENDED


@inner
def applies(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
            fresh: Integers, marks: Integers, stack: Integers, said: Integers,
            operator: int) -> bool:  # fmt: skip
    """Whether an operator in scope would be accepted with some number."""
    place = h[H_OPERATORS] + OPERATOR * operator
    low, high = i64(0), i64(0)
    if code[u(place + 4)] >= 0:
        bounds = h[H_RANGES] + 2 * code[u(place + 4)]
        low = i64(wide[u(bounds)])
        high = i64(wide[u(bounds + 1)]) if code[u(place + 5)] else low
    for number in range(low, high + 1):
        if accepts(code, wide, bits, h, slots, fresh, marks, stack, said, operator, number):
            return True
    return False


@compiled
def mask_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
              fresh: Integers, marks: Integers, stack: Integers, said: Integers, dead: Integers,
              machines: Integers, states: Integers, required: bool, mask: Integers,
              begin: int, end: int) -> int:  # fmt: skip
    """Fill rows `begin` to `end` of `mask` (n, operators) with 1 where an operator is scoped
    or, if `required`, applicable."""
    for row in range(begin, end):
        h = head[i64(machines[row])]
        count = h[H_OPERATOR_COUNT]
        mask[row, :] = 0
        if states[row, h[H_STATUS]] != RUNNING:
            continue
        load(states, i64(row), h, slots, fresh)
        said[0] = 0
        find_dead(code, wide, bits, h, slots, fresh, marks, stack, said, dead)
        for operator in range(count):
            if (dead[u(operator >> 6)] >> (operator & 63)) & 1:
                continue
            if not required or applies(
                code, wide, bits, h, slots, fresh, marks, stack, said, operator
            ):
                mask[row, operator] = 1
    return end


@compiled
def number_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
                fresh: Integers, marks: Integers, stack: Integers, said: Integers,
                machine: int, states: Integers, row: int, operator: int, low: int,
                taken: Integers) -> None:  # fmt: skip
    """For one row and an operator in scope: whether number `low + i` would be accepted, in
    `taken` (numbers,)."""
    h = head[machine]
    load(states, i64(row), h, slots, fresh)
    for at in range(len(taken)):
        taken[at] = accepts(
            code, wide, bits, h, slots, fresh, marks, stack, said, operator, low + at
        )
