"""From one state to all that can follow: the batch engine's kernel, one state at a time.

In: `Tables`, a state as a row of integers, the ground commands to try. Out: the states that
follow and which command leads to each. Nothing here is called with a state that has been won
or lost. The requirements of all commands are tried on one slot vector, so that a derived
variable is worked out once a state; the vector is copied for commands that are accepted.

Where many states are expanded together, `layers` is faster.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from worldengine.batch.compiling.jit import i64
from worldengine.batch.frontier import act
from worldengine.batch.slots.masks import accepts
from worldengine.batch.slots.reading import nothing_fresh, store
from worldengine.batch.slots.turns import read
from worldengine.batch.tables.layout import (
    ENDED,
    H_OPERATORS,
    H_PRIOR,
    H_REGISTER_BASE,
    H_SCOPES,
    H_VARIABLES,
    H_ZERO,
    OPERATOR,
)
from worldengine.machine.schema import REGISTERS, RUNNING
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.compiled.tables import (
    MARKS,
    SAYING,
    SLOTS,
    STACK,
    STATUS,
    VARIABLES,
    WORDS,
    Tables,
)


class Space(NamedTuple):
    """Room for one expansion at a time."""

    slots: Any  # int32 the state being expanded
    fresh: Any  # int64 bits of derived variables
    marks: Any  # int32
    stack: Any  # int32
    said: Any  # int32
    work: Any  # int32 the state after a command
    work_fresh: Any  # int64


@compiled
def load(t: Tables, s: Space, state: Any) -> None:
    """Begin a turn in a state."""
    variables = t.h[H_VARIABLES]
    for variable in range(variables):
        s.slots[variable] = state[variable]
    if t.h[H_PRIOR]:
        for variable in range(variables):
            s.slots[variables + variable] = state[variable]
    for slot in range(2 * variables, t.h[H_REGISTER_BASE] + REGISTERS):
        s.slots[slot] = 0
    s.slots[t.h[H_ZERO]] = 0
    s.said[0] = 0
    nothing_fresh(t.h, s.fresh)


@compiled
def value(t: Tables, s: Space, slots: Any, fresh: Any, slot: Any) -> Any:
    """The value of a slot in one of the two slot vectors, worked out if it is derived."""
    s.said[0] = 0
    return read(t.code, t.wide, t.bits, t.h, slots, fresh, s.marks, s.stack, s.said, i64(slot))


@compiled
def accepted(t: Tables, s: Space, operator: Any, number: Any) -> Any:
    """Whether a command is in scope and no requirement refuses it. Changes registers only."""
    place = t.h[H_OPERATORS] + OPERATOR * operator
    number_slot = 2 * t.h[H_VARIABLES]
    if s.slots[number_slot] != 0:  # scopes are looked at before the number is known
        store(t.h, t.bits, s.slots, s.fresh, t.h[H_VARIABLES], number_slot, i64(0))
    for at in range(t.code[place + 2], t.code[place + 3]):
        slot = i64(t.code[t.h[H_SCOPES] + at])
        if slot >= 0 and value(t, s, s.slots, s.fresh, slot) == 0:
            return False
    for register in range(t.code[place + 8]):
        s.slots[t.h[H_REGISTER_BASE] + register] = 0  # what the command before this one left
    return accepts(
        t.code, t.wide, t.bits, t.h, s.slots, s.fresh, s.marks, s.stack, s.said, i64(operator),
        i64(number),
    )  # fmt: skip


@compiled
def perform(t: Tables, s: Space, operator: Any) -> Any:
    """Act and run the rules on a copy of the slots, into `work`; the command has just been
    accepted. False if the Machine is at fault."""
    return (
        act(
            t.code, t.wide, t.bits, t.h, s.slots, s.fresh, s.marks, s.stack, s.said, s.work,
            s.work_fresh, i64(operator),
        )
        == ENDED
    )  # fmt: skip


@compiled
def copy(into: Any, source: Any) -> None:
    """Copy one row over another of its length."""
    for index in range(len(source)):
        into[index] = source[index]


@compiled
def expand(
    t: Tables, state: Any, operators: Any, numbers: Any, out: Any, which: Any, space: Space
) -> Any:
    """All successors of a running state into the rows of `out`, the positions of their
    commands into `which`. `space` is scratch, from `scratch`."""
    load(t, space, state)
    found = 0
    for action in range(len(operators)):
        if not accepted(t, space, operators[action], numbers[action]):
            continue
        if not perform(t, space, operators[action]):
            continue
        for index in range(t.sizes[VARIABLES]):
            out[found, index] = space.work[index]
        which[found] = action
        found += 1
    return found


@compiled
def follow(t: Tables, state: Any, operator: Any, number: Any, out: Any, space: Space) -> Any:
    """One turn: the state after it into `out`, or False if it is refused."""
    if state[t.sizes[STATUS]] != RUNNING:
        return False
    load(t, space, state)
    if not accepted(t, space, operator, number) or not perform(t, space, operator):
        return False
    for index in range(t.sizes[VARIABLES]):
        out[index] = space.work[index]
    return True


def scratch(t: Tables) -> Space:
    """Room for one expansion at a time."""
    return Space(
        np.zeros(t.sizes[SLOTS], np.int32),
        np.zeros(t.sizes[WORDS], np.int64),
        np.zeros(t.sizes[MARKS], np.int32),
        np.zeros(t.sizes[STACK], np.int32),
        np.zeros(t.sizes[SAYING], np.int32),
        np.zeros(t.sizes[SLOTS], np.int32),
        np.zeros(t.sizes[WORDS], np.int64),
    )
