"""Every state that one turn can lead to, for many states of one machine at once.

The frontier of a search goes in, its successors come out, each with the row it came from and
the action that led there. This is the same kernel as stepping: what it gives, a step gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.compiling.jit import compiled, i64, inner, u
from worldengine.batch.lanes.scratch import Scratch
from worldengine.batch.slots.kernel import run
from worldengine.batch.slots.masks import accepts, find_dead
from worldengine.batch.slots.reading import store
from worldengine.batch.slots.turns import load, unload
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ENDED,
    H_BOUNDS,
    H_OPERATOR_COUNT,
    H_OPERATORS,
    H_RANGES,
    H_STATUS,
    H_TURN,
    H_VARIABLES,
    OPERATOR,
)
from worldengine.batch.tables.tables import Tables
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import RUNNING

NO_ROOM, BROKEN = -1, -2


@inner
def act(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
        fresh: Integers, marks: Integers, stack: Integers, said: Integers, other: Integers,
        other_fresh: Integers, operator: int) -> int:  # fmt: skip
    """What happens after the requirements, on a copy of the slots: ENDED if all went well."""
    for slot in range(len(slots)):
        other[u(slot)] = slots[u(slot)]
    for word in range(len(fresh)):
        other_fresh[u(word)] = fresh[u(word)]
    clock = h[H_TURN]
    if clock >= 0 and other[clock] < wide[h[H_BOUNDS] + 2 * clock + 1]:
        store(h, bits, other, other_fresh, clock, clock, other[clock] + 1)
    step = i64(code[h[H_OPERATORS] + OPERATOR * operator + 1])
    said[0] = 0
    return run(code, wide, bits, h, other, other_fresh, marks, stack, said, step, i64(-1))


@inner
def expand(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
           fresh: Integers, marks: Integers, stack: Integers, said: Integers, other: Integers,
           other_fresh: Integers, dead: Integers, states: Integers, row: int, found: Integers,
           actions: Integers, count: int) -> int:  # fmt: skip
    """Append the successors of one row behind the first `count` of `found`. Gives back the
    new count, NO_ROOM or BROKEN."""
    load(states, i64(row), h, slots, fresh)
    said[0] = 0
    find_dead(code, wide, bits, h, slots, fresh, marks, stack, said, dead)
    for operator in range(h[H_OPERATOR_COUNT]):
        if (dead[operator >> 6] >> (operator & 63)) & 1:
            continue
        place = h[H_OPERATORS] + OPERATOR * operator
        low, high = i64(0), i64(0)
        if code[place + 4] >= 0:
            bounds = h[H_RANGES] + 2 * code[place + 4]
            low, high = i64(wide[bounds]), i64(wide[bounds + 1])
        for number in range(low, high + 1):
            if not accepts(code, wide, bits, h, slots, fresh, marks, stack, said, operator, number):
                continue
            if count == len(found):
                return NO_ROOM
            ended = act(code, wide, bits, h, slots, fresh, marks, stack, said, other,
                        other_fresh, operator)  # fmt: skip
            if ended != ENDED or not unload(found, count, h, other):
                return BROKEN
            actions[count, 0], actions[count, 1], actions[count, 2] = row, operator, number
            count += 1
    return count


@compiled
def expand_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
                fresh: Integers, marks: Integers, stack: Integers, said: Integers,
                other: Integers, other_fresh: Integers, dead: Integers, machine: int,
                states: Integers, begin: int, found: Integers,
                actions: Integers) -> tuple[int, int, int]:  # fmt: skip
    """Expand rows from `begin` on while there is room. Gives back the first row not done, how
    many successors were found, and BROKEN, NO_ROOM (a single row needs more) or 0."""
    h = head[machine]
    count = i64(0)
    for row in range(begin, len(states)):
        if states[row, h[H_STATUS]] != RUNNING:
            continue
        after = expand(code, wide, bits, h, slots, fresh, marks, stack, said, other, other_fresh,
                       dead, states, row, found, actions, count)  # fmt: skip
        if after == BROKEN:
            return row, count, BROKEN
        if after == NO_ROOM:
            return row, count, NO_ROOM if count == 0 else 0
        count = after
    return len(states), count, 0


@dataclass(frozen=True)
class Successors:
    """States one turn away, in the order of rows, operators and numbers."""

    states: NDArray[Any]  # (m, variables) of the tables' state type
    rows: NDArray[np.int32]  # (m,) the row of the frontier each came from
    operators: NDArray[np.int32]  # (m,)
    numbers: NDArray[np.int32]  # (m,)


def successors(
    tables: Tables, machine: int, frontier: Integers, scratch: Scratch | None = None
) -> Successors:
    """All accepted turns from every row of `frontier` (n, width or at least as many columns
    as the machine has variables), of the tables' state type. Rows that are over have none.
    Refused with MachineError as `Engine.step` does."""
    variables = int(tables.head[machine, H_VARIABLES])
    if frontier.ndim != 2 or frontier.shape[1] < variables or frontier.dtype != tables.state_type:
        raise ValueError(f"a frontier must be (n, {variables}) of {tables.state_type}")
    room = Scratch(tables) if scratch is None else scratch
    capacity = max(1024, 8 * len(frontier))
    parts: list[tuple[Integers, Integers]] = []
    begin = 0
    while begin < len(frontier):
        found = np.zeros((capacity, variables), tables.state_type)
        actions = np.zeros((capacity, 3), np.int32)
        begin, count, problem = expand_rows(
            tables.head, tables.code, tables.wide, tables.bits, room.slots, room.fresh,
            room.marks, room.stack, room.said, room.other_slots, room.other_fresh, room.dead,
            machine, frontier, begin, found, actions,
        )  # fmt: skip
        if problem == BROKEN:
            room.marks[:] = 0
            raise MachineError(f"{tables.machines[machine].name} leaves its domains")
        if problem == NO_ROOM:
            capacity *= 4
        parts.append((found[:count], actions[:count]))
    states = np.concatenate([np.zeros((0, variables), tables.state_type), *(p[0] for p in parts)])
    actions = np.concatenate([np.zeros((0, 3), np.int32), *(p[1] for p in parts)])
    return Successors(states, actions[:, 0].copy(), actions[:, 1].copy(), actions[:, 2].copy())
