"""Running one program for many lanes at once.

All lanes walk through the steps together. Each step has a mask of the lanes that have come to
it; the lanes in which its tests hold go on at `then`, the others at `other`, both ahead, so one
pass in order takes every lane to the end. A step that no lane has come to costs one look. What
a step means is told in `worldengine.runtime.interpreter`; `worldengine.batch.kernel` does the
same for one state, and says things as well, which is left out here.

Variables are fetched when they are first read or written, derived variables worked out for all
lanes when any program first reads them, and again after any lane has changed what they depend
on. Working one out too often changes nothing: its value follows from the lane's variables.
Recursive groups are worked out in rounds, which agrees with the other way (see there).
"""

from __future__ import annotations

from worldengine.batch.arrays import Integers
from worldengine.batch.columns import fill, join, keep_row, leave, move, refuse, same, some, take
from worldengine.batch.jit import compiled, i64, u
from worldengine.batch.lane_steps import Code, Work, set_fresh, store_lanes, test_lanes, wants
from worldengine.batch.layout import (
    DERIVED,
    ENDED,
    EXTRA,
    GROUP_ROW,
    H_DERIVED,
    H_DERIVED_BASE,
    H_EXTRAS,
    H_GROUPS,
    H_MEMBERS,
    H_REGISTER_BASE,
    H_STEPS,
    H_TESTS,
    H_ZERO,
    STEP,
    TEST,
    UNSETTLED,
)

LANE_FRAME = 12
(
    FIRST,
    END,
    AT,
    STAGE,
    POSITION,  # of the assignment to go on with
    MASKS,  # the row of `masks` of the first step
    KIND,
    SUBJECT,  # in rounds the position of the member
    SHIFT,  # from a register's slot to its row
    SPARE,  # the first row free for registers
    CHANGED,  # in rounds: whether any member has changed in this one
    COUNT,  # in rounds: how many there were
) = range(LANE_FRAME)
MOST_ROUNDS = 1_000_000
"""A group that has not settled by then never does."""
MAIN, CALL, PLAIN, ROUNDS = range(4)
AT_TESTS, AT_ASSIGNS, AT_END = range(3)


@compiled
def sweep(t: Code, h: Integers, w: Work, source: Integers, first: int, end: int, need: int,
          b: int, e: int) -> int:  # fmt: skip
    """Run steps `first` to `end` for the lanes in mask 0; first work out derived variable `need`
    if it is not -1. Gives back ENDED or UNSETTLED; refused lanes are noted in `w.refused`."""
    if first == end and need < 0:
        return ENDED
    steps = h[H_STEPS]
    low = i64(1 + 2 * (len(w.stack) // LANE_FRAME))
    f = open_frame(w, i64(0), i64(first), i64(end), low, i64(MAIN), i64(0))
    w.stack[SHIFT], w.stack[SPARE] = 0, h[H_ZERO] + 1
    if first != end:
        keep_row(w.masks, low, w.masks, i64(0), b, e)
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
            need = tests_want(t, h, w, source, row, b, e)
            if need < 0:
                if not tested(t, h, w, row, f, mask, act, b, e):
                    at += 1
                    continue
                stage, position = i64(AT_ASSIGNS), i64(t.code[u(row + 1)])
        if need < 0 and stage == AT_ASSIGNS:
            last = i64(t.code[u(row + STEP + 1)])
            while position < last:
                need = store_lanes(t, h, w, source, position, w.stack[u(f + SHIFT)], act, b, e)
                if need >= 0:
                    break
                position += 1
            if need < 0:
                stage = i64(AT_END)
                extra = i64(t.code[u(row + 2)])
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


@compiled
def tests_want(t: Code, h: Integers, w: Work, source: Integers, row: int, b: int,
               e: int) -> int:  # fmt: skip
    """Make ready what the tests of a step read, or give back what has to be worked out."""
    for at in range(t.code[u(row)], t.code[u(row + STEP)]):
        place = h[H_TESTS] + TEST * at
        for side in range(2):
            need = wants(h, w, source, i64(t.code[u(place + side)]), b, e)
            if need >= 0:
                return need
    return -1


@compiled
def tested(t: Code, h: Integers, w: Work, row: int, f: int, mask: int, act: int, b: int,
           e: int) -> bool:  # fmt: skip
    """Divide the lanes at a step: those in which its tests hold into mask `act`, the others
    to where they go on. Whether there are any of the first."""
    begin, last = i64(t.code[u(row)]), i64(t.code[u(row + STEP)])
    if begin == last:
        take(w.masks, act, mask, b, e)
        return True
    keep_row(w.masks, act, w.masks, mask, b, e)
    for at in range(begin, last):
        test_lanes(t, h, w, at, w.stack[u(f + SHIFT)], act, b, e)
    leave(w.masks, mask, w.masks, act, b, e)
    first, end = w.stack[u(f + FIRST)], w.stack[u(f + END)]
    other = i64(t.code[u(row + 4)])
    if first < other < end:
        move(w.masks, w.stack[u(f + MASKS)] + other - first, mask, b, e)
    else:
        fill(w.masks, mask, 0, b, e)
    return some(w.masks, act, b, e)


# -- frames ------------------------------------------------------------------------------


@compiled
def frame_of(w: Work, f: int) -> tuple[int, int, int, int, int, int]:
    """Where a frame's program is: first, end, at, stage, position, masks."""
    s = w.stack
    return s[u(f)], s[u(f + 1)], s[u(f + 2)], s[u(f + 3)], s[u(f + 4)], s[u(f + 5)]


@compiled
def open_frame(w: Work, f: int, first: int, end: int, masks: int, kind: int,
               subject: int) -> int:  # fmt: skip
    """Write a frame; gives back where it stands."""
    s = w.stack
    s[u(f + FIRST)], s[u(f + END)], s[u(f + AT)], s[u(f + STAGE)] = first, end, first, AT_TESTS
    s[u(f + POSITION)], s[u(f + MASKS)], s[u(f + KIND)], s[u(f + SUBJECT)] = (
        -1,
        masks,
        kind,
        subject,
    )
    return f


@compiled
def masks_above(w: Work, f: int) -> int:
    """The first row of masks that a frame leaves free."""
    return i64(w.stack[u(f + MASKS)] + w.stack[u(f + END)] - w.stack[u(f + FIRST)])


@compiled
def act_of(f: int) -> int:
    """The row of the lanes that do what a frame's step says. Behind it stands, in rounds, the
    value that a member had. All these rows stand before those of steps, which are empty
    wherever no frame is."""
    return 1 + 2 * (f // LANE_FRAME)


@compiled
def open_block(t: Code, h: Integers, w: Work, f: int, extra: int, act: int, b: int,
               e: int) -> int:  # fmt: skip
    """Call a block in the lanes of mask `act`; it shares its caller's registers."""
    first, end = i64(t.code[u(extra + 3)]), i64(t.code[u(extra + 6)])
    masks = masks_above(w, f)
    above = open_frame(w, f + LANE_FRAME, first, end, masks, i64(CALL), i64(0))
    w.stack[u(above + SHIFT)] = w.stack[u(f + SHIFT)]
    w.stack[u(above + SPARE)] = w.stack[u(f + SPARE)]
    if first < end:
        keep_row(w.masks, masks, w.masks, act, b, e)
    return above


@compiled
def open_derived(t: Code, h: Integers, w: Work, f: int, index: int, b: int, e: int) -> int:
    """Begin to work out a derived variable, or the group that it belongs to."""
    group = i64(t.code[u(h[H_DERIVED] + DERIVED * index + 1)])
    masks, spare = masks_above(w, f), i64(w.stack[u(f + SPARE)])
    if group < 0:
        fill(w.cols, h[H_DERIVED_BASE] + index, 0, b, e)
        set_fresh(w, index)
        return open_program(t, h, w, f + LANE_FRAME, index, masks, spare, i64(PLAIN), index, b, e)
    place = h[H_GROUPS] + GROUP_ROW * group
    begin = i64(t.code[u(place)])
    for at in range(begin, t.code[u(place + 1)]):
        member = i64(t.code[u(h[H_MEMBERS] + at)])
        fill(w.cols, h[H_DERIVED_BASE] + member, 0, b, e)
        set_fresh(w, member)
    above = f + LANE_FRAME
    w.stack[u(above + CHANGED)] = w.stack[u(above + COUNT)] = 0
    return open_member(t, h, w, above, begin, masks, spare, b, e)


@compiled
def open_member(t: Code, h: Integers, w: Work, f: int, position: int, masks: int, spare: int,
                b: int, e: int) -> int:  # fmt: skip
    """Run one member of a group, from the value it has; that value is kept behind its masks."""
    member = i64(t.code[u(h[H_MEMBERS] + position)])
    open_program(t, h, w, f, member, masks, spare, i64(ROUNDS), position, b, e)
    keep_row(w.masks, act_of(f) + 1, w.cols, h[H_DERIVED_BASE] + member, b, e)
    return f


@compiled
def open_program(t: Code, h: Integers, w: Work, f: int, index: int, masks: int, spare: int,
                 kind: int, subject: int, b: int, e: int) -> int:  # fmt: skip
    """Write the frame of a derived variable's program, for all lanes, on registers of its own."""
    place = h[H_DERIVED] + DERIVED * index
    first, end = i64(t.code[u(place)]), i64(t.code[u(place + 3)])
    registers = i64(t.code[u(place + 2)])
    for register in range(registers):
        fill(w.cols, spare + register, 0, b, e)
    open_frame(w, f, first, end, masks, kind, subject)
    w.stack[u(f + SHIFT)] = spare - h[H_REGISTER_BASE]
    w.stack[u(f + SPARE)] = spare + registers
    if first < end:
        fill(w.masks, masks, -1, b, e)
    return f


@compiled
def close_frame(t: Code, h: Integers, w: Work, f: int, b: int, e: int) -> int:
    """A program has ended: the frame to go on with, -1 for a group that never settles."""
    if w.stack[u(f + KIND)] != ROUNDS:
        return f - LANE_FRAME
    position = i64(w.stack[u(f + SUBJECT)])
    member = i64(t.code[u(h[H_MEMBERS] + position)])
    if not same(w.cols, h[H_DERIVED_BASE] + member, w.masks, act_of(f) + 1, b, e):
        w.stack[u(f + CHANGED)] = 1
    place = h[H_GROUPS] + GROUP_ROW * i64(t.code[u(h[H_DERIVED] + DERIVED * member + 1)])
    following = position + 1
    if following == t.code[u(place + 1)]:
        if w.stack[u(f + CHANGED)] == 0:
            return f - LANE_FRAME
        w.stack[u(f + COUNT)] += 1
        if w.stack[u(f + COUNT)] > MOST_ROUNDS:
            return -1
        w.stack[u(f + CHANGED)] = 0
        following = i64(t.code[u(place)])
    parent = f - LANE_FRAME
    masks, spare = masks_above(w, parent), i64(w.stack[u(parent + SPARE)])
    return open_member(t, h, w, f, following, masks, spare, b, e)
