"""The stack of the torch kernel: as `frames`, for many rows at once."""

from __future__ import annotations

import torch
from torch import Tensor

from worldengine.batch.tables import layout as at
from worldengine.batch.tensors.tables import Room, TorchTables


def _push(room: Room, rows: Tensor, values: list[Tensor | int]) -> None:
    """Write one frame on top of the stacks of some rows."""
    last = room.stack.shape[1] - 1
    for offset, value in enumerate(values):
        place = torch.where(rows, room.top + offset, last)
        room.stack[room.rows, place] = torch.where(rows, value, 0)
    room.top = torch.where(rows, room.top + at.FRAME, room.top)


def begin_block(room: Room, rows: Tensor) -> None:
    """A frame for a called block."""
    _push(room, rows, [room.step, 0, at.AFTER_CALL, at.CALL, 0, 0, 0, 0, 0, 0])


def begin_derived(room: Room, made: TorchTables, rows: Tensor, index: Tensor) -> None:
    """A frame for a derived variable that some rows need; they go on with its program."""
    code, h = made.code, room.h
    index = torch.where(rows, index, 0)
    place = torch.where(rows, h[:, at.H_DERIVED] + at.DERIVED * index, 0)
    group, registers = code[place + 1], torch.where(rows, code[place + 2], 0)
    last = room.stack.shape[1] - 1
    for register in range(made.registers):
        held = rows & (register < registers)
        slot = torch.where(held, h[:, at.H_REGISTER_BASE] + register, h[:, at.H_ZERO])
        spot = torch.where(held, room.top + register, last)
        room.stack[room.rows, spot] = room.get(room.slots, slot)
        room.slots[room.rows, slot] = 0
    room.top = room.top + registers
    kind = torch.where(group == room.group, at.MEMBER, at.LEADER)
    kind = torch.where(group < 0, at.PLAIN, kind)
    leads = rows & (kind == at.LEADER)
    tangled = room.tangled.long()
    frame: list[Tensor | int] = [room.step, room.at, room.stage, kind, index, registers]
    _push(room, rows, [*frame, room.group, 0, tangled, group])
    room.group = torch.where(leads, group, room.group)
    room.tangled &= ~leads
    _mark(room, rows, index, at.RUNNING_MARK)
    slot = torch.where(rows, h[:, at.H_DERIVED_BASE] + index, h[:, at.H_ZERO])
    room.slots[room.rows, slot] = 0
    _go_to(room, made, rows, code[place])


def _mark(room: Room, rows: Tensor, index: Tensor, mark: int) -> None:
    room.marks[room.rows, index] = torch.where(rows, mark, room.get(room.marks, index))


def _go_to(room: Room, made: TorchTables, rows: Tensor, step: Tensor) -> None:
    room.step = torch.where(rows, step, room.step)
    first = made.code[room.h[:, at.H_STEPS] + at.STEP * room.step]
    room.at = torch.where(rows, first, room.at)
    room.stage = torch.where(rows, at.AT_TESTS, room.stage)


def finish(room: Room, made: TorchTables, rows: Tensor) -> None:
    """Programs on the stacks of these rows have ended."""
    frame = torch.where(rows, room.top - at.FRAME, 0)
    kind = torch.where(rows, room.get(room.stack, frame + 3), -1)
    index = torch.where(kind > at.CALL, room.get(room.stack, frame + 4), 0)
    plain, member = kind == at.PLAIN, kind == at.MEMBER
    _mark(room, plain, index, at.STALE)
    room.fresh[room.rows, index] |= plain
    kept = room.get(room.stack, frame + 8) != 0
    room.tangled = torch.where(plain, kept, room.tangled)
    _mark(room, member, index, at.PROVISIONAL)
    leads, rounds = kind == at.LEADER, kind == at.ROUNDS
    resumes = rows & ~rounds
    if made.some(leads):
        circular = _end_on_demand(room, leads, frame, index)
        resumes &= ~circular
        rounds |= circular
    if made.some(rounds):
        resumes |= _next_in_rounds(room, made, rounds, kind == at.ROUNDS, frame)
    _resume(room, made, resumes, frame)


def _resume(room: Room, made: TorchTables, rows: Tensor, frame: Tensor) -> None:
    """Give the registers back and go on with the programs that waited."""
    registers = torch.where(rows, room.get(room.stack, frame + 5), 0)
    for register in range(made.registers):
        held = rows & (register < registers)
        slot = torch.where(held, room.h[:, at.H_REGISTER_BASE] + register, room.h[:, at.H_ZERO])
        spot = torch.where(held, frame - registers + register, 0)
        room.slots[room.rows, slot] = torch.where(held, room.get(room.stack, spot), 0)
    room.top = torch.where(rows, frame - registers, room.top)
    room.step = torch.where(rows, room.get(room.stack, frame), room.step)
    room.at = torch.where(rows, room.get(room.stack, frame + 1), room.at)
    room.stage = torch.where(rows, room.get(room.stack, frame + 2), room.stage)


def _end_on_demand(room: Room, leads: Tensor, frame: Tensor, index: Tensor) -> Tensor:
    """Settle what groups' leaders asked for. Where that met a circle, the frame becomes one
    of rounds: those rows are given back."""
    circular = leads & room.tangled
    group = room.get(room.stack, frame + 9)
    ours = (room.groups == group[:, None]) & leads[:, None]
    begun = ours & (room.marks != at.STALE)
    room.fresh |= begun & ~circular[:, None]
    room.marks = torch.where(begun, at.STALE, room.marks)
    room.group = torch.where(leads, room.get(room.stack, frame + 6), room.group)
    outer = room.get(room.stack, frame + 8) != 0
    room.tangled = torch.where(leads, outer, room.tangled)
    waiting = ours & ~room.fresh & circular[:, None]
    room.marks = torch.where(waiting, at.IN_ROUNDS, room.marks)
    base = room.h[:, at.H_DERIVED_BASE]
    columns = torch.arange(room.marks.shape[1], device=room.marks.device)
    slots = torch.where(waiting, base[:, None] + columns, room.h[:, at.H_ZERO][:, None])
    room.slots[room.rows[:, None], slots] = torch.where(
        waiting, 0, room.slots[room.rows[:, None], slots]
    )
    last = room.stack.shape[1] - 1
    for offset, value in ((3, at.ROUNDS), (4, -1), (6, 0), (7, 0)):
        place = torch.where(circular, frame + offset, last)
        room.stack[room.rows, place] = value
    return circular


def _next_in_rounds(
    room: Room, made: TorchTables, rows: Tensor, ran: Tensor, frame: Tensor
) -> Tensor:
    """Let rows run the next member of their group; those whose group has settled are given
    back. `ran` are those that have just run a member, whose index is the frame's subject."""
    base, last = room.h[:, at.H_DERIVED_BASE], room.stack.shape[1] - 1
    subject = torch.where(rows, room.get(room.stack, frame + 4), -1)
    slot = torch.where(ran, base + subject, room.h[:, at.H_ZERO])
    differs = ran & (room.get(room.slots, slot) != room.get(room.stack, frame + 8))
    changed = rows & (differs | (room.get(room.stack, frame + 6) != 0))
    group = room.get(room.stack, frame + 9)
    waiting = (room.groups == group[:, None]) & (room.marks == at.IN_ROUNDS) & rows[:, None]
    columns = torch.arange(room.marks.shape[1], device=room.marks.device)
    later = waiting & (columns > subject[:, None])
    more = later.any(1)
    again = rows & ~more & changed
    settled = rows & ~more & ~changed
    following = torch.where(more, later.long().argmax(1), waiting.long().argmax(1))
    room.fresh |= waiting & settled[:, None]
    room.marks = torch.where(waiting & settled[:, None], at.STALE, room.marks)
    goes = rows & ~settled
    changed &= ~again
    registers = torch.where(goes, room.get(room.stack, frame + 5), 0)
    for register in range(made.registers):
        held = goes & (register < registers)
        spot = torch.where(held, room.h[:, at.H_REGISTER_BASE] + register, room.h[:, at.H_ZERO])
        room.slots[room.rows, spot] = 0
    spot = torch.where(goes, base + following, room.h[:, at.H_ZERO])
    for offset, value in ((4, following), (6, changed.long()), (8, room.get(room.slots, spot))):
        place = torch.where(goes, frame + offset, last)
        room.stack[room.rows, place] = torch.where(goes, value, 0)
    place = torch.where(goes, room.h[:, at.H_DERIVED] + at.DERIVED * following, 0)
    _go_to(room, made, goes, made.code[place])
    return settled
