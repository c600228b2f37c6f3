"""The kernel in plain torch: every program of a batch takes one small step at a time.

All rows move in lockstep: in one round each row tries one test, carries out one assignment or
leaves one step. A row that is not concerned computes something harmless and keeps what it
had. The meaning is that of `kernel` and `frames`, row by row; names are the same.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from worldengine.batch.tables import layout as at
from worldengine.batch.tensors.frames import begin_block, begin_derived, finish
from worldengine.batch.tensors.tables import Room, TorchTables
from worldengine.machine import schema as op

PENDING = -9
"""A program that has not ended."""
_SPREAD = -7046029254386353131


def begin(room: Room, made: TorchTables, rows: Tensor, step: Tensor, need: Tensor) -> None:
    """Set the rows (n,) bool to run from row `step`, first working out `need` if it is not
    -1. All others count as ended."""
    room.step = torch.where(rows, step, 0)
    room.at = made.code[room.h[:, at.H_STEPS] + at.STEP * room.step]
    room.stage = torch.zeros_like(room.step)
    room.top = torch.zeros_like(room.step)
    room.group = torch.full_like(room.step, -1)
    room.tangled = torch.zeros_like(rows)
    room.result = torch.where(rows, PENDING, at.ENDED)
    begin_derived(room, made, rows & (need >= 0), need)


Advance = Callable[[Room, TorchTables], None]


def run(room: Room, made: TorchTables, budget: int = 0, by: Advance | None = None) -> int:
    """Run until every row has ended, or, where the device is not to be asked, `budget`
    rounds, each a call of `by` (default `advance`). Gives back the rounds it took."""
    rounds, by = 0, by or advance
    while True:
        if made.patient or not budget:
            if not bool((room.result == PENDING).any()):
                return rounds
        elif rounds >= budget:
            return rounds
        by(room, made)
        rounds += 1


def advance(room: Room, made: TorchTables) -> None:
    """One small step of every row that has not ended."""
    code, h = made.code, room.h
    row = h[:, at.H_STEPS] + at.STEP * room.step
    runs = room.result == PENDING
    tested = (room.stage == at.AT_TESTS) & (room.at >= code[row + at.STEP])
    room.at = torch.where(tested, code[row + 1], room.at)
    room.stage = torch.where(tested, at.AT_ASSIGNS, room.stage)
    done = (room.stage == at.AT_ASSIGNS) & (room.at >= code[row + at.STEP + 1])
    room.stage = torch.where(done, at.AT_EXTRA, room.stage)
    need = torch.full_like(room.step, -1)
    tests = runs & (room.stage == at.AT_TESTS)
    assigns = runs & (room.stage == at.AT_ASSIGNS)
    leaves = runs & (room.stage >= at.AT_EXTRA)
    if made.some(tests):
        need = torch.where(tests, _test(room, made, tests, row), need)
    if made.some(assigns):
        need = torch.where(assigns, _assign(room, made, assigns), need)
    if made.some(leaves):
        need = torch.where(leaves, _leave(room, made, leaves, row), need)
    wanted = need >= 0
    if made.some(wanted):
        begin_derived(room, made, wanted, need)


def stale(room: Room, rows: Tensor, slot: Tensor) -> Tensor:
    """Which of these rows have a derived variable in `slot` that must be worked out first."""
    index = slot - room.h[:, at.H_DERIVED_BASE]
    place = index.clamp(min=0)
    unknown = rows & (index >= 0) & ~room.get(room.fresh, place)
    mark = room.get(room.marks, place)
    room.tangled |= unknown & (mark == at.RUNNING_MARK)
    return unknown & (mark == at.STALE)


def _go(room: Room, made: TorchTables, rows: Tensor, step: Tensor) -> None:
    """Let rows go on at the first test of a step."""
    room.step = torch.where(rows, step, room.step)
    first = made.code[room.h[:, at.H_STEPS] + at.STEP * room.step]
    room.at = torch.where(rows, first, room.at)
    room.stage = torch.where(rows, at.AT_TESTS, room.stage)


def _test(room: Room, made: TorchTables, rows: Tensor, row: Tensor) -> Tensor:
    """One test; gives back what has to be worked out first, or -1."""
    code = made.code
    place = torch.where(rows, room.h[:, at.H_TESTS] + at.TEST * room.at, 0)
    zero = room.h[:, at.H_ZERO]
    left = torch.where(rows, code[place], zero)
    right = torch.where(rows, code[place + 1], zero)
    mask, offset = code[place + 2], code[place + 3]
    stale_left = stale(room, rows, left)
    stale_right = stale(room, rows & ~stale_left, right)
    base = room.h[:, at.H_DERIVED_BASE]
    need = torch.where(stale_left, left - base, torch.where(stale_right, right - base, -1))
    value, other = room.get(room.slots, left), room.get(room.slots, right)
    against = other + offset
    order = 1 + (value > against).long() - (value < against).long()
    holds = (mask >> order) & 1 != 0
    undefined = (value == op.UNDEFINED) | (other == op.UNDEFINED) | (against == op.UNDEFINED)
    careful = mask & at.CAREFUL != 0
    holds &= ~(careful & undefined)
    holds = torch.where(mask & at.UNDEFINED_TEST != 0, value == op.UNDEFINED, holds)
    told = rows & (need < 0)
    room.at = torch.where(told & holds, room.at + 1, room.at)
    _go(room, made, told & ~holds, code[row + 4])
    return need


def _selected(room: Room, made: TorchTables, rows: Tensor, table: Tensor, value: Tensor) -> Tensor:
    """Where the row of a SELECT table for a value stands in `code`, or -1."""
    code, h = made.code, room.h
    place = torch.where(rows, h[:, at.H_SELECTS] + table, 0)
    low = torch.where(rows, code[place], 0)
    end = high = torch.where(rows, code[place + 1], 0)
    for _ in range(made.select_bits):
        middle = (low + high) >> 1
        open_ = low < high
        there = torch.where(open_, h[:, at.H_ROWS] + at.SELECT_ROW * middle, 0)
        smaller = code[there] < value
        low = torch.where(open_ & smaller, middle + 1, low)
        high = torch.where(open_ & ~smaller, middle, high)
    place = torch.where(low < end, h[:, at.H_ROWS] + at.SELECT_ROW * low, 0)
    return torch.where((low < end) & (code[place] == value), place, -1)


def _combined(kind: Tensor, first: Tensor, second: Tensor, k: Tensor) -> Tensor:
    """What an operator with one or two operands gives, before any end of a range."""
    gone, other_gone = first == op.UNDEFINED, second == op.UNDEFINED
    divisor = torch.where(k == 0, 1, k)
    value = first + k
    value = torch.where(kind == op.ADD, first + second + k, value)
    value = torch.where(kind == op.SUB, first - second + k, value)
    value = torch.where(kind == op.MUL, first * k, value)
    value = torch.where(kind == op.DIV, torch.div(first, divisor, rounding_mode="floor"), value)
    value = torch.where(kind == op.MOD, torch.remainder(first, divisor), value)
    both = (kind == op.ADD) | (kind == op.SUB)
    value = torch.where(gone | (both & other_gone), op.UNDEFINED, value)
    least, most = torch.minimum(first, second), torch.maximum(first, second)
    either = torch.where(kind == op.MIN, least, most)
    either = torch.where(gone, second, torch.where(other_gone, first, either))
    return torch.where((kind == op.MIN) | (kind == op.MAX), either, value)


def _assign(room: Room, made: TorchTables, rows: Tensor) -> Tensor:
    """One assignment; gives back what has to be worked out first, or -1."""
    code, h = made.code, room.h
    zero, base = h[:, at.H_ZERO], h[:, at.H_DERIVED_BASE]
    place = torch.where(rows, h[:, at.H_ASSIGNS] + at.ASSIGN * room.at, 0)
    kind, k = code[place + 1], code[place + 4]
    reads = rows & (kind != op.CONST) & (kind != at.NOTHING)
    selects = rows & (kind == op.SELECT)
    left = torch.where(reads, code[place + 2], zero)
    right = torch.where(reads & ~selects, code[place + 3], zero)
    stale_left = stale(room, reads, left)
    stale_right = stale(room, reads & ~stale_left, right)
    need = torch.where(stale_left, left - base, torch.where(stale_right, right - base, -1))
    value = _combined(kind, room.get(room.slots, left), room.get(room.slots, right), k)
    value = torch.where(kind == op.CONST, k, value)
    value = torch.where(kind == at.NOTHING, op.UNDEFINED, value)
    if made.some(selects):
        found = _selected(room, made, selects, k, room.get(room.slots, left))
        hit = selects & (need < 0) & (found >= 0)
        found = torch.where(hit, found, 0)
        slot = torch.where(hit, code[found + 1], -2)
        chosen = torch.where(slot >= 0, slot, zero)
        stale_row = stale(room, hit, chosen)
        need = torch.where(stale_row, chosen - base, need)
        picked = torch.where(slot == -1, code[found + 2], op.UNDEFINED)
        picked = torch.where(slot >= 0, room.get(room.slots, chosen), picked)
        value = torch.where(selects, picked, value)
    told = rows & (need < 0)
    keep(room, made, told, code[place], value)
    room.at = torch.where(told, room.at + 1, room.at)
    return need


def keep(room: Room, made: TorchTables, rows: Tensor, target: Tensor, value: Tensor) -> None:
    """Store a value, stopping at the ends of the target's range."""
    h = room.h
    variables, base = h[:, at.H_VARIABLES], h[:, at.H_DERIVED_BASE]
    register = rows & (target >= h[:, at.H_REGISTER_BASE]) & (target < base)
    gone = value == op.UNDEFINED
    bounded = rows & ~register
    line = torch.where(target < variables, target, variables + target - base)
    bound = h[:, at.H_BOUNDS] + 2 * torch.where(bounded, line, 0)
    low = torch.where(register, -op.SATURATION, made.wide[bound])
    high = torch.where(register, op.SATURATION, made.wide[bound + 1])
    value = torch.where(gone, value, torch.minimum(torch.maximum(value, low), high))
    writes = register | (bounded & ~gone)
    store(room, made, writes & (target < variables), target, target, value)
    place = torch.where(writes, target, h[:, at.H_ZERO])
    room.slots[room.rows, place] = torch.where(writes, value, 0)


def store(
    room: Room, made: TorchTables, rows: Tensor, line: Tensor, slot: Tensor, value: Tensor
) -> None:
    """Store into a variable or the number; what depends on it (`line`) is fresh no longer."""
    place = torch.where(rows, slot, room.h[:, at.H_ZERO])
    changed = rows & (room.get(room.slots, place) != value)
    if made.some(changed):
        lost = made.dependents[room.machines, torch.where(changed, line, 0)]
        room.fresh &= ~(lost & changed[:, None])
    room.slots[room.rows, place] = torch.where(rows, value, 0)


def _leave(room: Room, made: TorchTables, rows: Tensor, row: Tensor) -> Tensor:
    """What a step does after its assignments; gives back what must be worked out first."""
    code = made.code
    extra = code[row + 2]
    need = torch.full_like(extra, -1)
    ends = rows & (extra == at.EXTRA_RETURN)
    acts = rows & (extra >= 0)
    goes = rows & (extra == at.NO_EXTRA)
    if made.some(acts):
        place = torch.where(acts, room.h[:, at.H_EXTRAS] + at.EXTRA * extra, 0)
        new = acts & (room.stage == at.AT_EXTRA)
        speaks = new & (code[place] >= 0)
        if made.some(speaks):
            need = torch.where(speaks, _say(room, made, speaks, place), need)
        calls = new & (need < 0) & (code[place + 3] >= 0)
        ready = acts & (need < 0) & ~calls
        refuses = ready & (code[place + 4] != 0)
        room.result = torch.where(refuses, extra, room.result)
        goes |= ready & ~refuses
        begin_block(room, calls)
        _go(room, made, calls, code[place + 3])
    last = ends & (room.top == 0)
    room.result = torch.where(last, at.ENDED, room.result)
    _go(room, made, goes, code[row + 3])
    if made.some(ends & ~last):
        finish(room, made, ends & ~last)
    return need


def _say(room: Room, made: TorchTables, rows: Tensor, place: Tensor) -> Tensor:
    """Say a text, or give back the derived variable whose value it needs first."""
    code, h = made.code, room.h
    begin, count = code[place + 1], code[place + 2] - code[place + 1]
    need = torch.full_like(place, -1)
    values = []
    for position in range(made.arguments):
        there = rows & (position < count)
        line = torch.where(there, h[:, at.H_ARGUMENTS] + at.ARGUMENT * (begin + position), 0)
        slot = torch.where(there & (code[line] >= 0), code[line], h[:, at.H_ZERO])
        waits = stale(room, there & (need < 0), slot)
        need = torch.where(waits, slot - h[:, at.H_DERIVED_BASE], need)
        values.append(torch.where(code[line] >= 0, room.get(room.slots, slot), code[line + 1]))
    told = rows & (need < 0)
    utter(room, told, code[place])
    utter(room, told, count)
    for position, value in enumerate(values):
        utter(room, told & (position < count), value)
    return need


def utter(room: Room, rows: Tensor, value: Tensor) -> None:
    """Append one integer to what was said and to its name."""
    name = (room.name ^ value) * _SPREAD
    room.name = torch.where(rows, name ^ ((name >> 32) & 0xFFFFFFFF), room.name)
    used = room.said[:, 0]
    last = room.said.shape[1] - 1
    place = torch.where(rows, (used + 1).clamp(max=last), last)
    room.said[room.rows, place] = torch.where(rows, value, room.get(room.said, place))
    room.said[:, 0] = torch.where(rows, used + 1, used)
