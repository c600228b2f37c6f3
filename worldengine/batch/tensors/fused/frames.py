"""The stack of the fused kernel: as `worldengine.batch.slots.frames`, for many lanes at once."""

from __future__ import annotations

import triton.language as tl

from worldengine.batch.tables import layout as at
from worldengine.batch.tensors.fused.parts import (
    coded,
    column,
    first_test,
    freshen,
    is_fresh,
    jit,
    mark,
    marked,
    put,
    slot,
    some,
)


@jit
def push(room, place, value, m):
    tl.store(room.stack + place * room.by, value, mask=m)


@jit
def held(room, place, m):
    return tl.load(room.stack + place * room.by, mask=m, other=0)


@jit
def begin_block(room, top, step, m):
    """A frame for a called block; gives back the new top."""
    push(room, top, step, m)
    push(room, top + 1, 0, m)
    push(room, top + 2, at.AFTER_CALL, m)
    push(room, top + 3, at.CALL, m)
    push(room, top + 5, 0, m)
    return tl.where(m, top + at.FRAME, top)


@jit
def begin_derived(
    t, h, room, top, step, place, stage, group,
    trail, tangled, index, m,
):  # fmt: skip
    """A frame for a derived variable; lanes go on with its program."""
    line = column(h, at.H_DERIVED) + at.DERIVED * index
    own, registers = coded(t, line + 1, m), coded(t, line + 2, m)
    for register in range(t.registers):
        here = m & (register < registers)
        push(room, top + register, slot(room, h.low + register, here), here)
        put(room, h.low + register, tl.zeros_like(own), here)
    top = tl.where(m, top + registers, top)
    kind = tl.where(own < 0, at.PLAIN, tl.where(own == group, at.MEMBER, at.LEADER))
    push(room, top, step, m)
    push(room, top + 1, place, m)
    push(room, top + 2, stage, m)
    push(room, top + 3, kind, m)
    push(room, top + 4, index, m)
    push(room, top + 5, registers, m)
    push(room, top + 6, group, m)
    push(room, top + 7, trail, m)
    push(room, top + 8, tangled, m)
    push(room, top + 9, own, m)
    leads, linked = m & (kind == at.LEADER), m & (kind != at.PLAIN)
    mark(room, t.derived + index, tl.where(leads, -1, trail), linked)
    trail = tl.where(linked, index, trail)
    group = tl.where(leads, own, group)
    tangled = tl.where(leads, 0, tangled)
    mark(room, index, at.RUNNING_MARK, m)
    put(room, h.base + index, tl.zeros_like(own), m)
    step = tl.where(m, coded(t, line, m), step)
    place = tl.where(m, first_test(t, h, step, m), place)
    stage = tl.where(m, at.AT_TESTS, stage)
    return tl.where(m, top + at.FRAME, top), step, place, stage, group, trail, tangled


@jit
def finish(
    t, h, room, top, step, place, stage, group,
    trail, tangled, most, m,
):  # fmt: skip
    """Programs on the stacks of these lanes have ended. Also gives back the lanes whose group
    does not settle within `most` rounds."""
    frame = top - at.FRAME
    kind = tl.where(m, held(room, frame + 3, m), -1)
    index = held(room, frame + 4, m)
    plain = kind == at.PLAIN
    mark(room, index, at.STALE, plain)
    freshen(room, index, plain)
    tangled = tl.where(plain, held(room, frame + 8, plain), tangled)
    mark(room, index, at.PROVISIONAL, kind == at.MEMBER)
    leads, rounds = kind == at.LEADER, kind == at.ROUNDS
    stuck = m & (kind < -1)
    resumes = m & ~rounds
    if some(leads | rounds):
        circular, group, trail, tangled = end_on_demand(
            t, h, room, frame, group, trail, tangled, leads
        )
        ran = coded(t, column(h, at.H_MEMBERS) + index, rounds)
        differs = slot(room, h.base + ran, rounds) != held(room, frame + 8, rounds)
        push(room, frame + 6, 1, rounds & differs)
        push(room, frame + 4, index + 1, rounds)
        again = rounds | circular
        goes, member, stuck = next_in_rounds(t, h, room, frame, most, again)
        line = column(h, at.H_DERIVED) + at.DERIVED * member
        step = tl.where(goes, coded(t, line, goes), step)
        place = tl.where(goes, first_test(t, h, step, goes), place)
        stage = tl.where(goes, at.AT_TESTS, stage)
        resumes = m & ~goes & ~stuck
    registers = held(room, frame + 5, resumes)
    for register in range(t.registers):
        here = resumes & (register < registers)
        put(room, h.low + register, held(room, frame - registers + register, here), here)
    step = tl.where(resumes, held(room, frame, resumes), step)
    place = tl.where(resumes, held(room, frame + 1, resumes), place)
    stage = tl.where(resumes, held(room, frame + 2, resumes), stage)
    return (
        tl.where(resumes, frame - registers, top),
        step,
        place,
        stage,
        group,
        trail,
        tangled,
        stuck,
    )


@jit
def end_on_demand(t, h, room, frame, group, trail, tangled, m):
    """Settle what groups' leaders asked for. Where that met a circle the frame becomes one of
    rounds: those lanes are given back."""
    circular = m & (tangled != 0)
    member = tl.where(m, trail, -1)
    while some(member >= 0):
        here = member >= 0
        mark(room, member, at.STALE, here)
        freshen(room, member, here & ~circular)
        member = tl.where(here, marked(room, t.derived + member, here), -1)
    group = tl.where(m, held(room, frame + 6, m), group)
    trail = tl.where(m, held(room, frame + 7, m), trail)
    tangled = tl.where(m, held(room, frame + 8, m), tangled)
    line = column(h, at.H_GROUPS) + at.GROUP_ROW * held(room, frame + 9, circular)
    begin, end = coded(t, line, circular), coded(t, line + 1, circular)
    position = begin
    while some(circular & (position < end)):
        here = circular & (position < end)
        member = coded(t, column(h, at.H_MEMBERS) + position, here)
        waits = here & ~is_fresh(room, member, here)
        put(room, h.base + member, tl.zeros_like(member), waits)
        mark(room, member, at.IN_ROUNDS, waits)
        position = tl.where(here, position + 1, position)
    push(room, frame + 3, at.ROUNDS, circular)
    push(room, frame + 4, begin, circular)
    push(room, frame + 6, 0, circular)
    push(room, frame + 7, 0, circular)
    return circular, group, trail, tangled


@jit
def next_in_rounds(t, h, room, frame, most, m):
    """Find the next member of a group to run: gives back the lanes that have one, the members,
    and the lanes whose group never settles. In all others it has settled."""
    line = column(h, at.H_GROUPS) + at.GROUP_ROW * held(room, frame + 9, m)
    begin, end = coded(t, line, m), coded(t, line + 1, m)
    position = held(room, frame + 4, m)
    seeks, settled, stuck = m, m & (position < 0), m & (position < 0)
    while some(seeks):
        inside = seeks & (position < end)
        member = coded(t, column(h, at.H_MEMBERS) + position, inside)
        found = inside & (marked(room, member, inside) == at.IN_ROUNDS)
        position = tl.where(inside & ~found, position + 1, position)
        over = seeks & ~inside
        changed = held(room, frame + 6, over) != 0
        again = over & changed
        count = held(room, frame + 7, again) + 1
        push(room, frame + 6, 0, again)
        push(room, frame + 7, count, again)
        position = tl.where(again, begin, position)
        stuck = stuck | (again & (count > most))
        settled = settled | (over & ~changed)
        seeks = seeks & ~found & ~settled & ~stuck
    place = begin
    while some(settled & (place < end)):
        here = settled & (place < end)
        member = coded(t, column(h, at.H_MEMBERS) + place, here)
        done = here & (marked(room, member, here) == at.IN_ROUNDS)
        mark(room, member, at.STALE, done)
        freshen(room, member, done)
        place = tl.where(here, place + 1, place)
    goes = m & ~settled & ~stuck
    member = coded(t, column(h, at.H_MEMBERS) + position, goes)
    registers = held(room, frame + 5, goes)
    for register in range(t.registers):
        here = goes & (register < registers)
        put(room, h.low + register, tl.zeros_like(member), here)
    push(room, frame + 4, position, goes)
    push(room, frame + 8, slot(room, h.base + member, goes), goes)
    return goes, member, stuck
