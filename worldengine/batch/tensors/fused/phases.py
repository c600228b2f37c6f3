"""The phases of a turn in many lanes: what wakes a lane, and what follows a step of a program.

The meaning is that of `worldengine.batch.slots.turns` and `kernel`.
"""

from __future__ import annotations

import triton.language as tl

from worldengine.batch.tables import layout as at
from worldengine.batch.tensors.fused.frames import begin_block
from worldengine.batch.tensors.fused.parts import (
    coded,
    column,
    first_test,
    jit,
    slot,
    some,
    stale,
    store,
    utter,
)
from worldengine.batch.tensors.fused.programs import say
from worldengine.machine import schema as op

SCOPES, REQUIREMENTS, BODY, OVER = (tl.constexpr(phase) for phase in range(4))
IDLE = tl.constexpr(9)
"""The stage of a lane that looks at its scopes and runs no program."""


@jit
def enter(t, h, at_step, step, place, stage, m):
    """Let lanes begin a program."""
    step = tl.where(m, at_step, step)
    place = tl.where(m, first_test(t, h, step, m), place)
    return step, place, tl.where(m, at.AT_TESTS, stage)


@jit
def special(t, room, kind, first, second, name, used, m
            ):  # fmt: skip
    """Say one of the texts that no Machine has."""
    name, used = utter(t, room, tl.zeros_like(first) + kind, name, used, m)
    name, used = utter(t, room, tl.zeros_like(first) + 2, name, used, m)
    name, used = utter(t, room, first, name, used, m)
    return utter(t, room, second, name, used, m)


@jit
def wake(
    t, h, room, operator, number, position, phase, stage,
    need, tangled, outcome, failed, name, used, talks: tl.constexpr,
    m,
):  # fmt: skip
    """Let idle lanes look at one scope of their operator, or, after the last, at its number.
    Those that are through are in the phase of requirements then."""
    none = tl.zeros_like(operator)
    exists = m & (operator >= 0) & (operator < column(h, at.H_OPERATOR_COUNT))
    unknown = m & ~exists
    line = column(h, at.H_OPERATORS) + at.OPERATOR * operator
    scope = coded(t, line + 2, exists) + position
    looks = exists & (scope < coded(t, line + 3, exists))
    index = coded(t, column(h, at.H_SCOPES) + scope, looks)
    asks = looks & (index >= 0)
    waits, tangled = stale(h, room, index, tangled, asks)
    need = tl.where(waits, index - h.base, need)
    outside = asks & ~waits & (slot(room, index, asks & ~waits) == 0)
    position = tl.where(looks & ~waits & ~outside, position + 1, position)
    through = exists & ~looks
    numbers = coded(t, line + 4, through)
    counts = through & (numbers >= 0)
    bound = column(h, at.H_RANGES) + 2 * numbers
    low = tl.load(t.wide + bound, mask=counts, other=0)
    high = tl.load(t.wide + bound + 1, mask=counts, other=0)
    beyond = counts & ((number < low) | (number > high))
    if talks:  # noqa: SIM102 - the one is known when this is compiled, the other is not
        if some(unknown | outside | beyond):
            name, used = special(t, room, at.SAID_UNKNOWN, none, none, name, used, unknown)
            name, used = special(t, room, at.SAID_SCOPE, operator, position, name, used, outside)
            name, used = special(t, room, at.SAID_RANGE, operator, none, name, used, beyond)
    outcome = tl.where(unknown | beyond, op.PARAMETER, tl.where(outside, op.PLACE, outcome))
    failed = tl.where(outside, at.SCOPE_FAILED - position, failed)
    phase = tl.where(unknown | beyond | outside, OVER, phase)
    through = through & ~beyond
    if some(counts & through):
        value = number.to(tl.int64)
        store(t, h, room, h.variables, 2 * h.variables, value, counts & through)
    phase = tl.where(through, REQUIREMENTS, phase)
    return position, phase, need, tangled, outcome, failed, name, used, through


@jit
def leave(
    t, h, room, top, step, place, stage, need,
    tangled, name, used, talks: tl.constexpr, m,
):  # fmt: skip
    """What a step does after its assignments. Also gives back the lanes whose program has ended,
    those whose derived variable has, and the extra row of those that refuse, or -1."""
    m = m & (stage >= at.AT_EXTRA) & (stage != IDLE)
    row = h.steps + at.STEP * step
    extra = coded(t, row + 2, m)
    ends, acts = m & (extra == at.EXTRA_RETURN), m & (extra >= 0)
    goes, refuses = m & (extra == at.NO_EXTRA), m & (extra < -9)
    if some(acts):
        line = column(h, at.H_EXTRAS) + at.EXTRA * extra
        new = acts & (stage == at.AT_EXTRA)
        waits = new & (need >= 0)
        if talks:
            speaks = new & (coded(t, line, new) >= 0)
            if some(speaks):
                need, tangled, name, used = say(t, h, room, line, need, tangled, name, used, speaks)
            waits = speaks & (need >= 0)
        called = coded(t, line + 3, acts)
        calls = new & ~waits & (called >= 0)
        ready = acts & ~waits & ~calls
        refuses = ready & (coded(t, line + 4, ready) != 0)
        goes = goes | (ready & ~refuses)
        top = begin_block(room, top, step, calls)
        step, place, stage = enter(t, h, called, step, place, stage, calls)
    step, place, stage = enter(t, h, coded(t, row + 3, goes), step, place, stage, goes)
    last = ends & (top == 0)
    refused = tl.where(refuses, extra, -1)
    return top, step, place, stage, need, tangled, name, used, last, ends & ~last, refused


@jit
def lowest(t, h, operator, required: tl.constexpr, m):
    """The lowest number of operators, and the highest that has to be tried."""
    line = column(h, at.H_OPERATORS) + at.OPERATOR * operator
    numbers, weighs = coded(t, line + 4, m), coded(t, line + 5, m)
    counts = m & (numbers >= 0)
    bound = column(h, at.H_RANGES) + 2 * numbers
    low = tl.load(t.wide + bound, mask=counts, other=0)
    high = tl.load(t.wide + bound + 1, mask=counts & (weighs != 0), other=0)
    return low, tl.where(counts & (weighs != 0), high, low)
