"""Running one program for many lanes at once.

All lanes walk through the steps together. Each step has a mask of the lanes that have come to
it; the lanes in which its tests hold go on at `then`, the others at `other`, both ahead, so one
pass in order takes every lane to the end. A step that no lane has come to costs one look. What
a step means is told in `worldengine.runtime.interpreter`; `worldengine.batch.slots.kernel` does the
same for one state, and says things as well, which is left out here.

Variables are fetched when they are first read or written, derived variables worked out for all
lanes when any program first reads them, and again after any lane has changed what they depend
on. Working one out too often changes nothing: its value follows from the lane's variables.
Recursive groups are worked out in rounds, which agrees with the other way (see there).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.batch.compiling.apart import apart
from worldengine.batch.compiling.jit import i64, inlined, u
from worldengine.batch.lanes.bits import copy_mask, divide, join, nobody, some
from worldengine.batch.lanes.columns import refuse
from worldengine.batch.lanes.frames import (
    AT,
    AT_ASSIGNS,
    AT_END,
    AT_TESTS,
    AT_TEXT,
    END,
    FIRST,
    KIND,
    LANE_FRAME,
    MAIN,
    MASKS,
    POSITION,
    SHIFT,
    SPARE,
    STAGE,
    act_of,
    close_frame,
    frame_of,
    open_block,
    open_derived,
    open_frame,
)
from worldengine.batch.lanes.steps import (
    LANES,
    Code,
    Work,
    say_lanes,
    store_lanes,
    test_lanes,
    wants,
)
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ENDED,
    EXTRA,
    H_EXTRAS,
    H_STEPS,
    H_SWEEP,
    H_TESTS,
    H_ZERO,
    STEP,
    TEST,
    UNSETTLED,
)

SOME_HOLD, NONE_HOLDS = -1, -2
"""What is found of the tests of a step."""


def _samples(code: Any) -> tuple[Any, ...]:
    """An argument of each type, where `code` is of this type."""
    rows, wide, lane = np.zeros((1, LANES), np.int32), np.zeros(1, np.int64), np.zeros(1, np.int32)
    tables = Code(np.zeros((1, 1), np.int64), np.zeros(1, code), lane, wide)
    parts = np.zeros((1, 1), np.int64)
    states = np.zeros((1, 1), np.uint8)
    work = Work(
        rows, parts, wide, wide, wide, wide, wide, lane, lane, states, parts, parts, rows, 1, wide
    )
    return (tables, wide, work, states, 0, 0, 0, 0, 0)


@apart(H_SWEEP, _samples, row=1)
def sweep(t: Code, h: Integers, w: Work, source: Integers, first: int, end: int, need: int,
          b: int, e: int) -> int:  # fmt: skip
    """Run steps `first` to `end` for the lanes in mask 0; first work out derived variable `need`
    if it is not -1. Gives back ENDED or UNSETTLED; refused lanes are noted in `w.refused`."""
    if first == end and need < 0:
        return ENDED
    steps = h[H_STEPS]
    low = i64(1 + len(w.stack) // LANE_FRAME)
    f = open_frame(w, i64(0), i64(first), i64(end), low, i64(MAIN), i64(0))
    w.stack[SHIFT], w.stack[SPARE] = 0, h[H_ZERO] + 1
    if first != end:
        copy_mask(w.masks, low, w.masks, i64(0), b, e)
    if need >= 0:
        f = open_derived(t, h, w, f, i64(need), b, e)
    first, end, at, stage, position, base = frame_of(w, f)
    while True:
        if at == end:
            if w.stack[u(f + KIND)] == MAIN:
                return ENDED
            f = close_frame(t, h, w, f, b, e)
            if f < 0:
                return UNSETTLED
            first, end, at, stage, position, base = frame_of(w, f)
            continue
        mask, act = base + at - first, act_of(f)
        row = steps + STEP * at
        need = i64(-1)
        if stage == AT_TESTS:
            if not some(w.masks, mask, b, e):
                at += 1
                continue
            need = tested(t, h, w, source, row, f, mask, act, b, e)
            if need == NONE_HOLDS:
                at += 1
                continue
            if need < 0:
                stage, position = i64(AT_ASSIGNS), i64(t.code[u(row + 1)])
        if need < 0 and stage == AT_ASSIGNS:
            last = i64(t.code[u(row + STEP + 1)])
            while position < last:
                need = store_lanes(t, h, w, source, position, w.stack[u(f + SHIFT)], act, b, e)
                if need >= 0:
                    break
                position += 1
            if need < 0:
                stage = i64(AT_TEXT)
        if need < 0 and stage == AT_TEXT:
            extra = i64(t.code[u(row + 2)])
            if extra >= 0 and len(w.said) > 0 and t.code[u(h[H_EXTRAS] + EXTRA * extra)] >= 0:
                place = h[H_EXTRAS] + EXTRA * extra
                need = say_lanes(t, h, w, source, place, w.stack[u(f + SHIFT)], act, b, e)
            if need < 0:
                stage = i64(AT_END)
                if extra >= 0 and t.code[u(h[H_EXTRAS] + EXTRA * extra + 3)] >= 0:
                    w.stack[u(f + AT)], w.stack[u(f + STAGE)] = at, stage
                    f = open_block(t, h, w, f, h[H_EXTRAS] + EXTRA * extra, act, b, e)
                    first, end, at, stage, position, base = frame_of(w, f)
                    continue
        if need >= 0:
            w.stack[u(f + AT)], w.stack[u(f + STAGE)] = at, stage
            w.stack[u(f + POSITION)] = position
            f = open_derived(t, h, w, f, need, b, e)
            first, end, at, stage, position, base = frame_of(w, f)
            continue
        extra = i64(t.code[u(row + 2)])
        if extra >= 0 and t.code[u(h[H_EXTRAS] + EXTRA * extra + 4)]:
            refuse(w.masks, act, w.refused, extra, b, e)
        else:
            then = i64(t.code[u(row + 3)])
            if at < then < end:
                join(w.masks, base + then - first, w.masks, act, b, e)
        at += 1
        stage = i64(AT_TESTS)


@inlined
def tested(t: Code, h: Integers, w: Work, source: Integers, row: int, f: int, mask: int,
           act: int, b: int, e: int) -> int:  # fmt: skip
    """Divide the lanes at a step: those in which its tests hold into mask `act`, the others
    to where they go on. Gives back NONE_HOLDS, SOME_HOLD or, with nothing done, a derived
    variable that has to be worked out first. A test is looked at where those before it hold."""
    begin, last = i64(t.code[u(row)]), i64(t.code[u(row + STEP)])
    if begin == last:
        copy_mask(w.masks, act, w.masks, mask, b, e)
        nobody(w.masks, mask, b, e)
        return SOME_HOLD
    shift, asked, found = i64(w.stack[u(f + SHIFT)]), mask, True
    for at in range(begin, last):
        place = h[H_TESTS] + TEST * at
        for side in range(2):
            need = wants(h, w, source, i64(t.code[u(place + side)]), b, e)
            if need >= 0:
                return need
        found = test_lanes(t, h, w, at, shift, asked, act, b, e)
        if not found:
            break
        asked = act
    first, end = w.stack[u(f + FIRST)], w.stack[u(f + END)]
    other, into = i64(t.code[u(row + 4)]), i64(len(w.masks) - 1)
    if first < other < end:
        into = i64(w.stack[u(f + MASKS)] + other - first)
    divide(w.masks, mask, act, into, b, e)
    return SOME_HOLD if found else NONE_HOLDS
