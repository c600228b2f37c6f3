"""Running one program: the inner loop of the batch engine.

A program runs over one slot vector until it ends or refuses. Derived variables are worked out
when they are first read and stay fresh until something they depend on is stored; one that is
not fresh is run like a called block, on an explicit stack, and then the reading is tried
again. What a step means is told in `worldengine.runtime.interpreter`; this is the same, in
integers.

Arrays: `code`, `wide`, `bits` and `h` (one row of `head`) from `tables.Tables`; `slots` int32
(slots,), `fresh` int64 (words,), `marks` int32 (2 x derived,), `stack` int32, `said` int32
from `scratch.Scratch`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.batch.compiling.apart import apart
from worldengine.batch.compiling.jit import i64, u
from worldengine.batch.slots.frames import begin_block, begin_derived, finish
from worldengine.batch.slots.reading import (
    DONE,
    FIRST,
    GROUP,
    TANGLED,
    TRAIL,
    assign,
    exactly,
    say,
    stale,
)
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    AFTER_CALL,
    AT_ASSIGNS,
    AT_EXTRA,
    AT_TESTS,
    CAREFUL,
    ENDED,
    EXTRA,
    EXTRA_RETURN,
    FULL,
    H_DERIVED_BASE,
    H_EXTRAS,
    H_RUN,
    H_STEPS,
    H_TESTS,
    NO_EXTRA,
    STEP,
    TEST,
    UNSETTLED,
)


def _samples(code: Any) -> tuple[Any, ...]:
    """An argument of each type, where `code` is of this type."""
    narrow, wide = np.zeros(1, np.int32), np.zeros(1, np.int64)
    return (np.zeros(1, code), narrow, wide, wide, narrow, wide, narrow, narrow, narrow, 0, 0)


@apart(H_RUN, _samples, row=3)
def run(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
        fresh: Integers, marks: Integers, stack: Integers, said: Integers,
        step: int, need: int) -> int:  # fmt: skip
    """Run from row `step` to the program's end; first work out derived variable `need` if it
    is not -1. Gives back ENDED, the extra row of the step that refused, FULL or UNSETTLED."""
    base, steps, tests = h[H_DERIVED_BASE], h[H_STEPS], h[H_TESTS]
    extras = h[H_EXTRAS]
    top, stage = i64(FIRST), i64(AT_TESTS)
    stack[GROUP], stack[TRAIL], stack[TANGLED] = -1, -1, 0
    row = steps + STEP * step
    at = i64(code[u(row)])
    step, need = i64(step), i64(need)
    while True:
        if need >= 0:
            top, step = begin_derived(code, h, slots, marks, stack, top, step, at, stage, need)
            need, stage = i64(-1), i64(AT_TESTS)
            row = steps + STEP * step
            at = i64(code[u(row)])
        if stage == AT_TESTS:
            end = code[u(row + STEP)]
            holds = True
            while at < end:
                place = tests + TEST * at
                left, right = i64(code[u(place)]), i64(code[u(place + 1)])
                mask = i64(code[u(place + 2)])
                if mask & CAREFUL:
                    if stale(left, base, fresh, marks, stack):
                        need = i64(left - base)
                        break
                    if stale(right, base, fresh, marks, stack):
                        need = i64(right - base)
                        break
                    holds = exactly(slots, left, right, mask, i64(code[u(place + 3)]))
                else:
                    against = slots[u(right)] + code[u(place + 3)]
                    value = slots[u(left)]
                    holds = (mask >> (1 + i64(value > against) - i64(value < against))) & 1 != 0
                if not holds:
                    break
                at += 1
            if need >= 0:
                continue
            if not holds:
                step = i64(code[u(row + 4)])
                row = steps + STEP * step
                at = i64(code[u(row)])
                continue
            stage, at = i64(AT_ASSIGNS), i64(code[u(row + 1)])
        if stage == AT_ASSIGNS:
            end = code[u(row + STEP + 1)]
            while at < end:
                need = assign(code, wide, bits, h, slots, fresh, marks, stack, at)
                if need >= 0:
                    break
                at += 1
            if need >= 0:
                continue
            stage = i64(AT_EXTRA)
        extra = i64(code[u(row + 2)])
        if extra == EXTRA_RETURN:
            if top == FIRST:
                return ENDED
            top, step, at, stage = finish(code, h, slots, fresh, marks, stack, top)
            if top == UNSETTLED:
                return UNSETTLED
            row = steps + STEP * step
            if at < 0:
                at = i64(code[u(row)])
            continue
        if extra != NO_EXTRA:
            place = extras + EXTRA * extra
            if stage == AT_EXTRA:
                if code[u(place)] >= 0:
                    need = say(code, h, slots, fresh, marks, stack, said, i64(code[u(place)]),
                               i64(code[u(place + 1)]), i64(code[u(place + 2)]))  # fmt: skip
                    if need == FULL:
                        return FULL
                    if need != DONE:
                        continue
                if code[u(place + 3)] >= 0:
                    top = begin_block(stack, top, step, i64(AFTER_CALL))
                    step, stage = i64(code[u(place + 3)]), i64(AT_TESTS)
                    row = steps + STEP * step
                    at = i64(code[u(row)])
                    continue
            if code[u(place + 4)]:
                return extra
        step, stage = i64(code[u(row + 3)]), i64(AT_TESTS)
        row = steps + STEP * step
        at = i64(code[u(row)])
