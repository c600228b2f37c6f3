"""Whole turns, and what could be done, in one kernel a batch.

A program of the kernel takes `BLOCK` lanes at a time, each a row of the batch, until all rows are
done. Every lane walks through the phases of its turn by itself: scopes, requirements, what the
operator does. In one round of the loop it tests, assigns and leaves a step, whichever it is at;
lanes that are elsewhere wait for that part of the round only. Nothing is asked of the host.
"""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

from worldengine.batch.tables import layout as at
from worldengine.batch.tensors.fused.frames import begin_derived, finish
from worldengine.batch.tensors.fused.parts import (
    Code,
    Head,
    Room,
    coded,
    column,
    freshen,
    jit,
    keep,
    mixed,
    put,
    slot,
    some,
    store,
)
from worldengine.batch.tensors.fused.phases import (
    BODY,
    IDLE,
    OVER,
    REQUIREMENTS,
    SCOPES,
    enter,
    leave,
    lowest,
    special,
    wake,
)
from worldengine.batch.tensors.fused.programs import carry_out, try_tests
from worldengine.machine import schema as op

MISFIT = tl.constexpr(1)
"""Trouble: a value does not fit the type of states."""
UNSETTLED = tl.constexpr(8)
"""Trouble: a recursive derived variable never settles."""


@jit
def load(t, h, room, states, width, m):
    """Begin a turn: variables, their prior values, number and registers 0, nothing derived."""
    copies = column(h, at.H_PRIOR) != 0
    for variable in range(width):
        own = m & (variable < h.variables)
        value = tl.load(states + variable, mask=own, other=0).to(tl.int32)
        put(room, variable + tl.zeros_like(h.zero), value, own)
        put(room, h.variables + variable, value, own & copies)
    for register in range(op.REGISTERS + 1):
        put(room, 2 * h.variables + register, tl.zeros_like(h.zero), m)
    put(room, h.zero, tl.zeros_like(h.zero), m)
    for word in range(t.words):
        nothing = tl.zeros(h.zero.shape, tl.int64)
        tl.store(room.fresh + word * room.by, nothing, mask=m)
    freshen(room, column(h, at.H_DERIVED_COUNT), m)


@jit
def progress(t, h, room, m):
    """Latched milestones / (their number + 1); 1 when won."""
    count, latched = column(h, at.H_MILESTONE_COUNT), tl.zeros_like(h.zero)
    position = tl.zeros_like(h.zero)
    while some(m & (position < count)):
        here = m & (position < count)
        line = column(h, at.H_MILESTONES) + position
        value = slot(room, coded(t, line, here), here)
        latched = tl.where(here & (value != 0), latched + 1, latched)
        position += 1
    share = latched.to(tl.float64) / (count.to(tl.float64) + 1.0)
    return tl.where(slot(room, column(h, at.H_STATUS), m) == op.WON, 1.0, share)


@jit
def unload(h, room, states, width, m):
    """Keep the variables; gives back the lanes where a value does not fit the type of states."""
    misfit = m & (h.zero < 0)
    for variable in range(width):
        own = m & (variable < h.variables)
        value = slot(room, variable + tl.zeros_like(h.zero), own)
        kept = value.to(states.dtype.element_ty)
        tl.store(states + variable, kept, mask=own)
        misfit = misfit | (own & (kept.to(tl.int32) != value))
    return misfit


VARYING = (
    *("rows", "width", "slot_count", "derived", "words", "registers", "arguments", "saying"),
    *("deep", "most", "offered", "chunk", "chunks"),
)
"""Numbers for which the kernel is not compiled afresh: other worlds, other batches."""
stepping: Any = triton.jit(do_not_specialize=VARYING)


@stepping
def turn_block(
    head, code, wide, bits, slots, fresh, marks, stack,
    machines, states, operators, numbers, outcomes, failures,
    texts, shares, sayings, mask, trouble, rows, width,
    slot_count, derived, words, registers, arguments, saying,
    deep, most, offered, chunk, chunks, asks: tl.constexpr,
    required: tl.constexpr, BLOCK: tl.constexpr, HEAD: tl.constexpr,
):  # fmt: skip
    """Step all rows; or, where it `asks`, find out which operators of `chunk` after the lane's
    first would be accepted with some number (or, unless `required`, are scoped)."""
    lane, program = tl.arange(0, BLOCK), tl.program_id(0).to(tl.int64)
    t = Code(code, wide, bits, derived, words, registers, arguments, saying)
    block, lanes = program, rows * chunks
    while block * BLOCK < lanes:
        each = block * BLOCK + lane
        live = each < lanes
        row = tl.where(live, each // chunks, 0)
        own = head + tl.load(machines + row).to(tl.int64) * HEAD
        h = Head(own, tl.load(own + at.H_STEPS).to(tl.int32),
                 tl.load(own + at.H_TESTS).to(tl.int32),
                 tl.load(own + at.H_ASSIGNS).to(tl.int32), tl.load(own + at.H_EXTRAS).to(tl.int32),
                 tl.load(own + at.H_VARIABLES).to(tl.int32),
                 tl.load(own + at.H_REGISTER_BASE).to(tl.int32),
                 tl.load(own + at.H_DERIVED_BASE).to(tl.int32),
                 tl.load(own + at.H_ZERO).to(tl.int32),
                 tl.load(own + at.H_WORDS).to(tl.int32))  # fmt: skip
        room = Room(
            slots + program * slot_count * BLOCK + lane,
            fresh + program * words * BLOCK + lane,
            marks + program * 2 * derived * BLOCK + lane,
            stack + program * deep * BLOCK + lane,
            sayings + row * saying,
            BLOCK,
        )
        state = states + row * width
        status = tl.load(state + column(h, at.H_STATUS)).to(tl.int32)
        runs = live & (status == op.RUNNING)
        load(t, h, room, state, width, runs)
        none = tl.zeros((BLOCK,), tl.int32)
        phase, stage = tl.where(runs, SCOPES, OVER), none + IDLE
        step, place, top, position, trail = none, none, none, none, none - 1
        group, tangled, need, used = none - 1, none, none - 1, none
        outcome, failed = none, none + at.NO_REQUIREMENT
        identity = tl.load(own + at.H_IDENTITY)
        name = mixed(identity, at.REFUSED_TEXT + 1)
        stuck = live & (phase < 0)
        count = column(h, at.H_OPERATOR_COUNT)
        if asks:
            operator = ((each % chunks) * chunk).to(tl.int32)
            last_operator = tl.minimum(operator + chunk, count)
            phase = tl.where(operator < last_operator, phase, OVER)
            number, high = lowest(t, h, operator, required, runs & (operator < count))
        else:
            operator = tl.load(operators + row, mask=runs, other=-1).to(tl.int32)
            wanted = tl.load(numbers + row, mask=runs, other=0)
            number = tl.minimum(tl.maximum(wanted, -2147483647), 2147483647).to(tl.int32)
        while some(phase < OVER):
            idle = (phase == SCOPES) & (stage == IDLE) & (need < 0)
            if some(idle):
                position, phase, need, tangled, outcome, failed, name, used, through = wake(
                    t, h, room, operator, number, position, phase, stage, need, tangled, outcome,
                    failed, name, used, not asks, idle,
                )  # fmt: skip
                if required:  # else nothing is begun that would be left in the middle
                    first = coded(t, column(h, at.H_OPERATORS) + at.OPERATOR * operator, through)
                    step, place, stage = enter(t, h, first, step, place, stage, through)
                waits = idle & (need >= 0)
                # A derived variable that a scope waits for: its program returns to step 0.
                step = tl.where(waits, 0, step)
                stage = tl.where(waits, at.AT_EXTRA, stage)
            runs_on = (phase < OVER) & (stage != IDLE) & (need < 0)
            step, place, stage, need, tangled = try_tests(
                t, h, room, step, place, stage, need, tangled, runs_on
            )
            runs_on = runs_on & (need < 0)
            if some(runs_on & (stage == at.AT_ASSIGNS)):
                place, stage, need, tangled = carry_out(
                    t, h, room, step, place, stage, need, tangled, runs_on
                )
                runs_on = runs_on & (need < 0)
            top, step, place, stage, need, tangled, name, used, ended, returns, refused = leave(
                t, h, room, top, step, place, stage, need, tangled, name, used, not asks, runs_on
            )
            if some(returns):
                top, step, place, stage, group, trail, tangled, unsettled = finish(
                    t, h, room, top, step, place, stage, group, trail, tangled, most, returns
                )
                stuck = stuck | unsettled
                phase = tl.where(unsettled, OVER, phase)
            needs = (phase < OVER) & (need >= 0)
            if some(needs):
                top, step, place, stage, group, trail, tangled = begin_derived(
                    t, h, room, top, step, place, stage, group, trail, tangled, need, needs
                )
                need = tl.where(needs, -1, need)
            # Programs that were run for a scope have ended: look at the scope again.
            stage = tl.where(ended & (phase == SCOPES), IDLE, stage)
            refuses = refused >= 0
            if asks:
                done = (ended & (phase == REQUIREMENTS)) | (
                    (phase == REQUIREMENTS) & (not required)
                )
                accepted = done & (phase == REQUIREMENTS)
                tl.store(mask + row * offered + operator, none.to(tl.uint8) + 1, mask=accepted)
                retry = refuses & (number < high)
                if some(retry):
                    number = tl.where(retry, number + 1, number)
                    top = tl.where(retry, 0, top)
                    store(t, h, room, h.variables, 2 * h.variables, number.to(tl.int64), retry)
                    first = coded(t, column(h, at.H_OPERATORS) + at.OPERATOR * operator, retry)
                    step, place, stage = enter(t, h, first, step, place, stage, retry)
                moves = accepted | (refuses & ~retry) | (live & (phase == OVER) & ~stuck)
                moves = moves & (operator < last_operator)
                if some(moves):
                    operator = tl.where(moves, operator + 1, operator)
                    more = moves & (operator < last_operator)
                    begun, end = lowest(t, h, operator, required, more)
                    number, high = tl.where(more, begun, number), tl.where(more, end, high)
                    position, top = tl.where(moves, 0, position), tl.where(moves, 0, top)
                    stage = tl.where(moves, IDLE, stage)
                    phase = tl.where(more & runs, SCOPES, tl.where(moves, OVER, phase))
            else:
                if some(refuses):
                    line = column(h, at.H_EXTRAS) + at.EXTRA * refused
                    outcome = tl.where(refuses, coded(t, line + 4, refuses), outcome)
                    failed = tl.where(refuses, coded(t, line + 5, refuses), failed)
                    phase = tl.where(refuses, OVER, phase)
                acts, finished = ended & (phase == REQUIREMENTS), ended & (phase == BODY)
                if some(acts):
                    name = tl.where(acts, mixed(identity, at.ACCEPTED_TEXT + 1), name)
                    used = tl.where(acts, 0, used)
                    clock = column(h, at.H_TURN)
                    ticks = acts & (clock >= 0)
                    later = slot(room, clock, ticks).to(tl.int64) + 1
                    keep(t, h, room, clock, later, ticks)
                    line = column(h, at.H_OPERATORS) + at.OPERATOR * operator + 1
                    step, place, stage = enter(t, h, coded(t, line, acts), step, place, stage, acts)
                    phase = tl.where(acts, BODY, phase)
                silent = finished & (used == 0)
                if some(silent):
                    name, used = special(t, room, at.SAID_DONE, none, none, name, used, silent)
                phase = tl.where(finished, OVER, phase)
        if not asks:
            accepted = runs & (outcome == op.ACCEPTED) & ~stuck
            misfit = unload(h, room, state, width, accepted)
            tl.store(room.said, used, mask=runs)
            share = progress(t, h, room, runs)
            tl.store(shares + row, tl.where(runs, share, 0.0), mask=live)
            tl.store(outcomes + row, tl.where(runs, outcome, at.FINISHED).to(tl.int64), mask=live)
            tl.store(failures + row, failed.to(tl.int64), mask=live)
            name = tl.where(name == 0, 1, name)
            tl.store(texts + row, tl.where(runs, name, 0), mask=live)
            if some(misfit):
                tl.atomic_or(trouble, MISFIT)
        if some(stuck):
            tl.atomic_or(trouble, UNSETTLED)
        block += tl.num_programs(0)
