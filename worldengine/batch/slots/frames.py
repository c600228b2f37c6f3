"""The kernel's stack: called blocks and derived variables being worked out.

A frame keeps where the waiting program goes on. How recursive groups are worked out is told
in `worldengine.runtime.interpreter`: on demand, and in rounds where that meets a circle.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import i64, inner, u
from worldengine.batch.slots.reading import GROUP, TANGLED, TRAIL, freshen
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    AT_TESTS,
    CALL,
    DERIVED,
    FRAME,
    GROUP_ROW,
    H_DERIVED,
    H_DERIVED_BASE,
    H_GROUPS,
    H_MEMBERS,
    H_REGISTER_BASE,
    IN_ROUNDS,
    LEADER,
    MEMBER,
    PLAIN,
    PROVISIONAL,
    ROUNDS,
    RUNNING_MARK,
    STALE,
    UNSETTLED,
)

MOST_ROUNDS = 1_000_000
"""A group that has not settled by then never does."""


@inner
def begin_block(stack: Integers, top: int, step: int, stage: int) -> int:
    """A frame for a called block; gives back the new top."""
    stack[u(top)] = step
    stack[u(top + 1)] = 0
    stack[u(top + 2)] = stage
    stack[u(top + 3)] = CALL
    stack[u(top + 5)] = 0
    return top + FRAME


@inner
def begin_derived(code: Integers, h: Integers, slots: Integers, marks: Integers,
                  stack: Integers, top: int, step: int, at: int, stage: int,
                  index: int) -> tuple[int, int]:  # fmt: skip
    """A frame for a derived variable; gives back the new top and the row to run."""
    place = h[H_DERIVED] + DERIVED * index
    group, registers = i64(code[u(place + 1)]), i64(code[u(place + 2)])
    for register in range(registers):
        stack[u(top + register)] = slots[u(h[H_REGISTER_BASE] + register)]
        slots[u(h[H_REGISTER_BASE] + register)] = 0
    top += registers
    stack[u(top)], stack[u(top + 1)], stack[u(top + 2)] = step, at, stage
    stack[u(top + 4)], stack[u(top + 5)] = index, registers
    stack[u(top + 6)], stack[u(top + 7)], stack[u(top + 8)] = (
        stack[GROUP],
        stack[TRAIL],
        stack[TANGLED],
    )
    stack[u(top + 9)] = group
    if group < 0:
        stack[u(top + 3)] = PLAIN
    elif group == stack[GROUP]:
        stack[u(top + 3)] = MEMBER
        marks[u(len(marks) // 2 + index)] = stack[TRAIL]
        stack[TRAIL] = index
    else:
        stack[u(top + 3)] = LEADER
        marks[u(len(marks) // 2 + index)] = -1
        stack[GROUP], stack[TRAIL], stack[TANGLED] = group, index, 0
    marks[u(index)] = RUNNING_MARK
    slots[u(h[H_DERIVED_BASE] + index)] = 0
    return top + FRAME, i64(code[u(place)])


@inner
def finish(code: Integers, h: Integers, slots: Integers, fresh: Integers, marks: Integers,
           stack: Integers, top: int) -> tuple[int, int, int, int]:  # fmt: skip
    """A program on the stack has ended. Gives back the new top and the row, position (-1 for
    its first test) and stage to go on at; the top is UNSETTLED if a group never settles."""
    frame = top - FRAME
    kind, index = i64(stack[u(frame + 3)]), i64(stack[u(frame + 4)])
    if kind == PLAIN:
        marks[u(index)] = STALE
        freshen(fresh, index)
        stack[TANGLED] = stack[u(frame + 8)]
    elif kind == MEMBER:
        marks[u(index)] = PROVISIONAL
    elif kind == LEADER:
        if _end_on_demand(code, h, slots, fresh, marks, stack, frame):
            return _next_in_rounds(code, h, slots, fresh, marks, stack, frame)
    elif kind == ROUNDS:
        member = i64(code[u(h[H_MEMBERS] + index)])
        if slots[u(h[H_DERIVED_BASE] + member)] != stack[u(frame + 8)]:
            stack[u(frame + 6)] = 1
        stack[u(frame + 4)] = index + 1
        return _next_in_rounds(code, h, slots, fresh, marks, stack, frame)
    return _resume(h, slots, stack, frame)


@inner
def _resume(h: Integers, slots: Integers, stack: Integers,
            frame: int) -> tuple[int, int, int, int]:  # fmt: skip
    """Give the registers back and go on with the program that waited."""
    registers = stack[u(frame + 5)]
    for register in range(registers):
        slots[u(h[H_REGISTER_BASE] + register)] = stack[u(frame - registers + register)]
    top = frame - registers
    return i64(top), i64(stack[u(frame)]), i64(stack[u(frame + 1)]), i64(stack[u(frame + 2)])


@inner
def _end_on_demand(code: Integers, h: Integers, slots: Integers, fresh: Integers,
                   marks: Integers, stack: Integers, frame: int) -> bool:  # fmt: skip
    """Settle what a group's leader asked for, or, if it met a circle, make its frame one of
    rounds and give back True."""
    tangled = stack[TANGLED] != 0
    member = i64(stack[TRAIL])
    while member >= 0:
        marks[u(member)] = STALE
        if not tangled:
            freshen(fresh, member)
        member = i64(marks[u(len(marks) // 2 + member)])
    stack[GROUP], stack[TRAIL], stack[TANGLED] = (
        stack[u(frame + 6)],
        stack[u(frame + 7)],
        stack[u(frame + 8)],
    )
    if not tangled:
        return False
    place = h[H_GROUPS] + GROUP_ROW * stack[u(frame + 9)]
    for at in range(code[u(place)], code[u(place + 1)]):
        member = i64(code[u(h[H_MEMBERS] + at)])
        if not (fresh[u(member >> 6)] >> (member & 63)) & 1:
            slots[u(h[H_DERIVED_BASE] + member)] = 0
            marks[u(member)] = IN_ROUNDS
    stack[u(frame + 3)] = ROUNDS
    stack[u(frame + 4)] = code[u(place)]
    stack[u(frame + 6)] = 0
    stack[u(frame + 7)] = 0
    return True


@inner
def _next_in_rounds(code: Integers, h: Integers, slots: Integers, fresh: Integers,
                    marks: Integers, stack: Integers,
                    frame: int) -> tuple[int, int, int, int]:  # fmt: skip
    """The next member of a group in rounds, or, when nothing changed any more, the end."""
    place = h[H_GROUPS] + GROUP_ROW * stack[u(frame + 9)]
    begin, end = i64(code[u(place)]), i64(code[u(place + 1)])
    at = i64(stack[u(frame + 4)])
    while True:
        while at < end and marks[u(code[u(h[H_MEMBERS] + at)])] != IN_ROUNDS:
            at += 1
        if at < end:
            break
        if stack[u(frame + 6)] == 0:
            for position in range(begin, end):
                member = i64(code[u(h[H_MEMBERS] + position)])
                if marks[u(member)] == IN_ROUNDS:
                    marks[u(member)] = STALE
                    freshen(fresh, member)
            return _resume(h, slots, stack, frame)
        stack[u(frame + 6)] = 0
        stack[u(frame + 7)] += 1
        if stack[u(frame + 7)] > MOST_ROUNDS:
            return UNSETTLED, 0, 0, 0
        at = begin
    member = i64(code[u(h[H_MEMBERS] + at)])
    for register in range(stack[u(frame + 5)]):
        slots[u(h[H_REGISTER_BASE] + register)] = 0
    stack[u(frame + 4)] = at
    stack[u(frame + 8)] = slots[u(h[H_DERIVED_BASE] + member)]
    return frame + FRAME, i64(code[u(h[H_DERIVED] + DERIVED * member)]), -1, AT_TESTS
