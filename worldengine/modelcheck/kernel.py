"""The step kernel of the search: from one state to all that can follow, compiled.

In: `Tables`, a state as a row of integers, the ground commands to try. Out: the states that
follow and which command leads to each. The semantics are those of
`worldengine.runtime.interpreter`, word for word, without texts; differential tests hold the
two together. Nothing here is called with a state that has been won or lost.

What makes it fast: the requirements of all commands are tried on one slot vector, so that
a derived variable is worked out once a state and not once a command; the vector is copied
only for commands that are accepted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.machine.schema import (
    RUNNING,
    SATURATION,
)
from worldengine.modelcheck.steps import compiled, passes, run_plain, store
from worldengine.modelcheck.tables import (
    ASSIGN0,
    ASSIGN1,
    BODY0,
    BODY1,
    DERIVED_BASE,
    HEAD0,
    HEAD1,
    NUMBER,
    OTHER,
    READ0,
    READ1,
    REFUSE,
    REGISTER_BASE,
    REGISTERS_END,
    SCOPE0,
    SCOPE1,
    SLOTS,
    STATUS,
    THEN,
    TURN_VARIABLE,
    VARIABLES,
    Tables,
)


@compiled
def settle_group(t: Tables, slots: Any, marks: Any, group: Any) -> None:
    """The least fixed point of a recursive group: rounds from 0 until nothing changes."""
    base = t.sizes[DERIVED_BASE]
    start, end = t.member_starts[group], t.member_starts[group + 1]
    for at in range(start, end):
        slots[base + t.members[at]] = 0
    changed = True
    while changed:
        changed = False
        for at in range(start, end):
            member = t.members[at]
            before = slots[base + member]
            run_plain(t, slots, marks, t.derived[member, 0], t.derived[member, 1])
            if slots[base + member] != before:
                changed = True
    for at in range(start, end):
        marks[t.members[at]] = 1


@compiled
def freshen(t: Tables, slots: Any, marks: Any, wanted: Any) -> None:
    """Bring one derived variable up to date, and first all that it needs."""
    if marks[wanted] != 0:
        return
    for at in range(t.derived[wanted, 2], t.derived[wanted, 3]):
        index = t.closures[at]
        if marks[index] != 0:
            continue
        if t.groups[index] >= 0:
            settle_group(t, slots, marks, t.groups[index])
            continue
        slots[t.sizes[DERIVED_BASE] + index] = 0
        run_plain(t, slots, marks, t.derived[index, 0], t.derived[index, 1])
        marks[index] = 1


@compiled
def run(t: Tables, slots: Any, marks: Any, at: Any, end: Any) -> Any:
    """Run steps; gives back the class of the refusal that ended them, or 0."""
    while at < end:
        for index in range(t.steps[at, READ0], t.steps[at, READ1]):
            freshen(t, slots, marks, t.reads[index])
        if not passes(t, slots, at):
            at = t.steps[at, OTHER]
            continue
        for index in range(t.steps[at, ASSIGN0], t.steps[at, ASSIGN1]):
            store(t, slots, marks, index)
        if t.steps[at, REFUSE] != 0:
            return t.steps[at, REFUSE]
        at = t.steps[at, THEN]
    return 0


@compiled
def give_number(t: Tables, slots: Any, marks: Any, number: Any) -> None:
    """Set the number slot."""
    slot = t.sizes[NUMBER]
    if slots[slot] == number:
        return
    slots[slot] = number
    variables = t.sizes[VARIABLES]
    for at in range(t.dependent_starts[variables], t.dependent_starts[variables + 1]):
        marks[t.dependents[at]] = 0


@compiled
def in_scope(t: Tables, slots: Any, marks: Any, operator: Any) -> Any:
    """Whether every argument of an operator is within its scope word."""
    base = t.sizes[DERIVED_BASE]
    for index in range(t.operators[operator, SCOPE0], t.operators[operator, SCOPE1]):
        slot = t.scopes[index, 0]
        if slot < 0:
            if t.scopes[index, 1] == 0:
                return False
            continue
        if slot >= base:
            freshen(t, slots, marks, slot - base)
        if slots[slot] == 0:
            return False
    return True


@compiled
def accepted(t: Tables, slots: Any, marks: Any, operator: Any, number: Any) -> Any:
    """Whether a command is in scope and no requirement refuses it. Changes registers only."""
    for register in range(t.sizes[REGISTER_BASE], t.sizes[REGISTERS_END]):
        slots[register] = 0  # what the command before this one left
    give_number(t, slots, marks, 0)  # scopes are looked at before the number is known
    if not in_scope(t, slots, marks, operator):
        return False
    give_number(t, slots, marks, number)
    refused = run(t, slots, marks, t.operators[operator, HEAD0], t.operators[operator, HEAD1])
    return refused == 0


@compiled
def perform(t: Tables, slots: Any, marks: Any, operator: Any) -> None:
    """Act and run the rules; the command has just been accepted on these slots."""
    turn = t.sizes[TURN_VARIABLE]
    if turn >= 0 and slots[turn] < t.high[turn]:
        slots[turn] += 1
        for at in range(t.dependent_starts[turn], t.dependent_starts[turn + 1]):
            marks[t.dependents[at]] = 0
    run(t, slots, marks, t.operators[operator, BODY0], t.operators[operator, BODY1])
    for rule in range(t.rules.shape[0]):
        run(t, slots, marks, t.rules[rule, 0], t.rules[rule, 1])


@compiled
def copy(into: Any, source: Any) -> None:
    """Copy one row over another of its length."""
    for index in range(len(source)):
        into[index] = source[index]


@compiled
def load(t: Tables, slots: Any, marks: Any, state: Any) -> None:
    """Begin a turn in a state."""
    variables = t.sizes[VARIABLES]
    for index in range(variables):
        slots[index] = state[index]
        slots[variables + index] = state[index]
    for index in range(2 * variables, len(slots)):
        slots[index] = 0
    for index in range(len(marks)):
        marks[index] = 0


@compiled
def expand(
    t: Tables, state: Any, operators: Any, numbers: Any, out: Any, which: Any, space: Any
) -> Any:
    """All successors of a running state into the rows of `out`, the positions of their
    commands into `which`. `space` is scratch: four arrays from `scratch`."""
    slots, marks, work, work_marks = space
    variables = t.sizes[VARIABLES]
    load(t, slots, marks, state)
    found = 0
    for action in range(len(operators)):
        if not accepted(t, slots, marks, operators[action], numbers[action]):
            continue
        copy(work, slots)
        copy(work_marks, marks)
        perform(t, work, work_marks, operators[action])
        for index in range(variables):
            out[found, index] = work[index]
        which[found] = action
        found += 1
    return found


@compiled
def follow(t: Tables, state: Any, operator: Any, number: Any, out: Any, space: Any) -> Any:
    """One turn: the state after it into `out`, or False if it is refused."""
    slots, marks, _, _ = space
    load(t, slots, marks, state)
    if state[t.sizes[STATUS]] != RUNNING:
        return False
    if not accepted(t, slots, marks, operator, number):
        return False
    perform(t, slots, marks, operator)
    for index in range(t.sizes[VARIABLES]):
        out[index] = slots[index]
    return True


def scratch(t: Tables) -> tuple[Any, Any, Any, Any]:
    """Room for one expansion at a time."""
    slots = int(t.sizes[SLOTS])
    derived = len(t.derived)
    return (
        np.zeros(slots, np.int32),
        np.zeros(derived, np.uint8),
        np.zeros(slots, np.int32),
        np.zeros(derived, np.uint8),
    )


assert SATURATION < 2**31
