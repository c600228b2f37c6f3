"""The stack of a program that runs for many lanes at once: frames of called blocks, of derived
variables being worked out, and of groups of them in rounds. See `sweep`.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import i64, inlined, inner, u
from worldengine.batch.lanes.bits import copy_mask, everybody
from worldengine.batch.lanes.columns import fill, keep_row, same
from worldengine.batch.lanes.steps import Code, Work, set_fresh
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    DERIVED,
    GROUP_ROW,
    H_DERIVED,
    H_DERIVED_BASE,
    H_GROUPS,
    H_MEMBERS,
    H_REGISTER_BASE,
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
AT_TESTS, AT_ASSIGNS, AT_TEXT, AT_END = range(4)


@inner
def frame_of(w: Work, f: int) -> tuple[int, int, int, int, int, int]:
    """Where a frame's program is: first, end, at, stage, position, masks."""
    s = w.stack
    return s[u(f)], s[u(f + 1)], s[u(f + 2)], s[u(f + 3)], s[u(f + 4)], s[u(f + 5)]


@inner
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


@inner
def masks_above(w: Work, f: int) -> int:
    """The first row of masks that a frame leaves free."""
    return i64(w.stack[u(f + MASKS)] + w.stack[u(f + END)] - w.stack[u(f + FIRST)])


@inner
def act_of(f: int) -> int:
    """The row of the lanes that do what a frame's step says; in rounds that of `held` in which
    the value stands that a member had. All these rows stand before those of steps, which are
    empty wherever no frame is."""
    return 1 + f // LANE_FRAME


@inlined
def open_block(t: Code, h: Integers, w: Work, f: int, extra: int, act: int, b: int,
               e: int) -> int:  # fmt: skip
    """Call a block in the lanes of mask `act`; it shares its caller's registers."""
    first, end = i64(t.code[u(extra + 3)]), i64(t.code[u(extra + 6)])
    masks = masks_above(w, f)
    above = open_frame(w, f + LANE_FRAME, first, end, masks, i64(CALL), i64(0))
    w.stack[u(above + SHIFT)] = w.stack[u(f + SHIFT)]
    w.stack[u(above + SPARE)] = w.stack[u(f + SPARE)]
    if first < end:
        copy_mask(w.masks, masks, w.masks, act, b, e)
    return above


@inlined
def open_derived(t: Code, h: Integers, w: Work, f: int, index: int, b: int, e: int) -> int:
    """Begin to work out a derived variable, or the group that it belongs to."""
    group = i64(t.code[u(h[H_DERIVED] + DERIVED * index + 1)])
    masks, spare = masks_above(w, f), i64(w.stack[u(f + SPARE)])
    if group < 0:
        fill(w.cols, h[H_DERIVED_BASE] + index, i64(0), b, e)
        set_fresh(w, index)
        return open_program(t, h, w, f + LANE_FRAME, index, masks, spare, i64(PLAIN), index, b, e)
    place = h[H_GROUPS] + GROUP_ROW * group
    begin = i64(t.code[u(place)])
    for at in range(begin, t.code[u(place + 1)]):
        member = i64(t.code[u(h[H_MEMBERS] + at)])
        fill(w.cols, h[H_DERIVED_BASE] + member, i64(0), b, e)
        set_fresh(w, member)
    above = f + LANE_FRAME
    w.stack[u(above + CHANGED)] = w.stack[u(above + COUNT)] = 0
    return open_member(t, h, w, above, begin, masks, spare, b, e)


@inner
def open_member(t: Code, h: Integers, w: Work, f: int, position: int, masks: int, spare: int,
                b: int, e: int) -> int:  # fmt: skip
    """Run one member of a group, from the value it has; that value is kept."""
    member = i64(t.code[u(h[H_MEMBERS] + position)])
    open_program(t, h, w, f, member, masks, spare, i64(ROUNDS), position, b, e)
    keep_row(w.held, act_of(f), w.cols, h[H_DERIVED_BASE] + member, b, e)
    return f


@inner
def open_program(t: Code, h: Integers, w: Work, f: int, index: int, masks: int, spare: int,
                 kind: int, subject: int, b: int, e: int) -> int:  # fmt: skip
    """Write the frame of a derived variable's program, for all lanes, on registers of its own."""
    place = h[H_DERIVED] + DERIVED * index
    first, end = i64(t.code[u(place)]), i64(t.code[u(place + 3)])
    registers = i64(t.code[u(place + 2)])
    for register in range(registers):
        fill(w.cols, spare + register, i64(0), b, e)
    open_frame(w, f, first, end, masks, kind, subject)
    w.stack[u(f + SHIFT)] = spare - h[H_REGISTER_BASE]
    w.stack[u(f + SPARE)] = spare + registers
    if first < end:
        everybody(w.masks, masks, b, e)
    return f


@inlined
def close_frame(t: Code, h: Integers, w: Work, f: int, b: int, e: int) -> int:
    """A program has ended: the frame to go on with, -1 for a group that never settles."""
    if w.stack[u(f + KIND)] != ROUNDS:
        return f - LANE_FRAME
    position = i64(w.stack[u(f + SUBJECT)])
    member = i64(t.code[u(h[H_MEMBERS] + position)])
    if not same(w.cols, h[H_DERIVED_BASE] + member, w.held, act_of(f), b, e):
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
