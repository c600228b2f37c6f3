"""One Machine as rows of integers.

In: a validated Machine. Out: `Rows`, lists of tuples laid out as `layout` says. Nothing is
decided at run time that can be decided here: targets of jumps are row numbers, the rules
stand behind one another so that the end of one is the beginning of the next, objects that are
never within a scope stand as the slot that is always 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from worldengine.batch.tables.facts import (
    depend_on_number,
    dependents,
    prior_reads,
    read_by_many,
    registers_of,
    scoped_arguments,
)
from worldengine.batch.tables.layout import (
    CAREFUL,
    EXTRA_RETURN,
    MASK_OF_OP,
    NO_EXTRA,
    NOTHING,
    RETURN,
    UNDEFINED_TEST,
)
from worldengine.machine.reads import reads, writes
from worldengine.machine.schema import (
    CONST,
    NONE,
    SATURATION,
    UNDEFINED,
    Assign,
    Derived,
    Machine,
    Operator,
    Program,
    Step,
    Test,
    Variable,
)

LARGE = 2**30
"""Beyond this a sum of two operands might be taken for UNDEFINED."""


@dataclass
class Rows:
    """The rows of one machine; see `layout` for what each tuple holds."""

    machine: Machine
    steps: list[tuple[int, ...]] = field(default_factory=list)
    tests: list[tuple[int, ...]] = field(default_factory=list)
    assigns: list[tuple[int, ...]] = field(default_factory=list)
    extras: list[tuple[int, ...]] = field(default_factory=list)
    arguments: list[tuple[int, ...]] = field(default_factory=list)
    operators: list[tuple[int, ...]] = field(default_factory=list)
    scopes: list[int] = field(default_factory=list)
    derived: list[tuple[int, ...]] = field(default_factory=list)
    groups: list[tuple[int, ...]] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    selects: list[int] = field(default_factory=list)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    bounds: list[tuple[int, int]] = field(default_factory=list)
    ranges: list[tuple[int, int]] = field(default_factory=list)
    dependents: list[int] = field(default_factory=list)
    scope_slots: list[tuple[int, ...]] = field(default_factory=list)
    scope_objects: list[tuple[tuple[str, int], ...]] = field(default_factory=list)
    rules: int = RETURN
    opening: int = RETURN
    rules_end: int = RETURN
    priors: tuple[int, ...] = ()
    shared: tuple[int, ...] = ()
    # Where a row of extras, or a list of arguments, stands that many steps have in common.
    known: dict[tuple[int, ...], int] = field(default_factory=dict)
    told: dict[tuple[tuple[int, int], ...], int] = field(default_factory=dict)


def lower(machine: Machine) -> Rows:
    """All rows of a machine."""
    rows = Rows(machine)
    rows.steps.append((0, 0, EXTRA_RETURN, RETURN, RETURN))
    rows.bounds = _bounds(machine)
    rows.dependents = dependents(machine)
    _selects(rows)
    blocks, ends = [], []
    for block in machine.blocks:
        blocks.append(_lay(rows, block.program))
        ends.append(len(rows.steps) if block.program else RETURN)
    _rules(rows)
    _operators(rows)
    _derived(rows)
    rows.steps.append((len(rows.tests), len(rows.assigns), EXTRA_RETURN, RETURN, RETURN))
    rows.extras = [
        (text, begin, end, *((blocks[call], refuse, requirement, ends[call]) if call >= 0
                             else (NONE, refuse, requirement, RETURN)))
        for text, begin, end, call, refuse, requirement in rows.extras
    ]  # fmt: skip
    rows.opening = blocks[machine.opening] if machine.opening >= 0 else RETURN
    rows.priors = prior_reads(machine)
    rows.shared = read_by_many(machine)
    return rows


def _lay(rows: Rows, program: Program, end: int = RETURN, requirements: Operator | None = None,
         shift: int = 0) -> int:  # fmt: skip
    """Write a program's steps; jumps past its last step go to row `end`. Gives back the row
    of its first step. `shift` is what its jumps count from."""
    first = len(rows.steps)
    for index, step in enumerate(program):
        requirement = NONE
        if requirements is not None:
            entries = (item.entry for item in requirements.requirements)
            requirement = sum(entry <= index for entry in entries) - 1
        targets = [
            first + target - shift if target - shift < len(program) else end
            for target in (step.then, step.other)
        ]
        begin = len(rows.tests), len(rows.assigns)
        rows.tests.extend(_test(rows.machine, test) for test in step.tests)
        rows.assigns.extend(_assign(rows, assign) for assign in step.assigns)
        rows.steps.append((*begin, _extra(rows, step, requirement), *targets))
    return first if program else end


def _extra(rows: Rows, step: Step, requirement: int) -> int:
    if step.text < 0 and step.call < 0 and not step.refuse:
        return NO_EXTRA
    said = tuple(step.arguments) if step.text >= 0 else ()
    begin = rows.told.setdefault(said, len(rows.arguments) if said else 0)
    if begin == len(rows.arguments):
        rows.arguments.extend(said)
    extra = (step.text, begin, begin + len(said), step.call, step.refuse, requirement)
    place = rows.known.setdefault(extra, len(rows.extras))
    if place == len(rows.extras):
        rows.extras.append(extra)
    return place


def _test(machine: Machine, test: Test) -> tuple[int, ...]:
    left, op, right, offset = test
    mask = MASK_OF_OP[op]
    operands = (left,) if right < 0 else (left, right)
    if (
        mask == UNDEFINED_TEST
        or any(slot >= machine.register_base for slot in operands)
        or abs(offset) > LARGE
        or (right >= 0 and _reaches_low(machine, right))
    ):
        mask |= CAREFUL
    return left, (machine.slots if right < 0 else right), mask, offset


def _reaches_low(machine: Machine, slot: int) -> bool:
    """Whether a variable can be so small that a sum with it might look undefined."""
    count = len(machine.variables)
    if slot >= 2 * count:
        return True
    variable = machine.variables[slot % count]
    return variable.kind in ("bool", "int") and variable.low < -LARGE


def _assign(rows: Rows, assign: Assign) -> tuple[int, ...]:
    target, op, left, right, constant = assign
    if op == CONST and constant == UNDEFINED:
        op, constant = NOTHING, 0
    elif op == CONST:
        low, high = rows.bounds[_bound(rows.machine, target)]
        constant = min(max(constant, low), high)
    zero = rows.machine.slots
    return target, op, left if left >= 0 else zero, right if right >= 0 else zero, constant


def _bound(machine: Machine, slot: int) -> int:
    """The row of `bounds` for a slot that may be stored into; the last is for registers."""
    if slot < len(machine.variables):
        return slot
    if slot < machine.derived_base:
        return len(machine.variables) + len(machine.derived)
    return len(machine.variables) + slot - machine.derived_base


def _bounds(machine: Machine) -> list[tuple[int, int]]:
    """Where stored values stop: variables, then derived variables, then registers."""
    anything = (-SATURATION, SATURATION)
    parts: tuple[Variable | Derived, ...] = (*machine.variables, *machine.derived)
    found = [(part.low, part.high) if part.kind in ("bool", "int") else anything for part in parts]
    return [*found, anything]


def _selects(rows: Rows) -> None:
    for table in rows.machine.tables:
        rows.selects.append(len(rows.rows))
        rows.rows.extend(
            (value, -2, 0) if slot < 0 and constant == UNDEFINED else (value, slot, constant)
            for value, slot, constant in sorted(table)
        )
    rows.selects.append(len(rows.rows))


def _rules(rows: Rows) -> None:
    """All rules one after the other; the last one ends the turn."""
    programs = [rule.program for rule in rows.machine.rules]
    waiting = sum(map(len, programs))
    rows.rules = len(rows.steps) if waiting else RETURN
    for program in programs:
        waiting -= len(program)
        behind = len(rows.steps) + len(program) if waiting else RETURN
        _lay(rows, program, behind)
    rows.rules_end = len(rows.steps) if rows.rules != RETURN else RETURN


def _operators(rows: Rows) -> None:
    machine = rows.machine
    known: dict[str, dict[int, tuple[int, int]]] = {
        scope.word: {row.object: (row.slot, row.constant) for row in scope.rows}
        for scope in machine.scopes
    }
    ranges: dict[int, int] = {}
    for index, schema in enumerate(machine.schemas):
        for parameter in schema.parameters:
            if parameter.type == "number":
                ranges[index] = len(rows.ranges)
                rows.ranges.append((parameter.low, parameter.high))
    depends = depend_on_number(machine)
    for operator in machine.operators:
        requirements, act = operator.program[: operator.body], operator.program[operator.body :]
        first = _lay(rows, requirements, RETURN, operator)
        first_end = len(rows.steps) if requirements else first
        body = _lay(rows, act, rows.rules, None, operator.body)
        body_end = len(rows.steps) if act else body
        begin = len(rows.scopes)
        pairs = scoped_arguments(machine, operator)
        slots = tuple(_scope_slot(machine, known, word, value) for word, value in pairs)
        rows.scopes.extend(slots)
        rows.scope_slots.append(slots)
        rows.scope_objects.append(pairs)
        number = ranges.get(operator.schema, -1)
        weighs = number >= 0 and _weighs_number(machine, operator, depends)
        carries = _left(writes(requirements, machine), reads(act, machine), machine)
        rows.operators.append(
            (first, body, begin, len(rows.scopes), number, int(weighs), first_end, body_end,
             registers_of(operator.program, machine), int(carries))
        )  # fmt: skip


def _left(written: tuple[int, ...], read: tuple[int, ...], machine: Machine) -> bool:
    """Whether a register is both written by requirements and read by what comes after."""
    return not set(written).isdisjoint(
        slot for slot in read if machine.register_base <= slot < machine.derived_base
    )


def _scope_slot(
    machine: Machine, known: dict[str, dict[int, tuple[int, int]]], word: str, value: int
) -> int:
    """The slot that says whether an object is in a scope. Where it never is: the slot that
    is always 0. Where it always is: -1."""
    slot, constant = known.get(word, {}).get(value, (-1, 0))
    if slot >= 0:
        return slot
    return -1 if constant else machine.slots


def _weighs_number(machine: Machine, operator: Operator, depends: set[int]) -> bool:
    slots = reads(operator.program[: operator.body], machine)
    return machine.number_slot in slots or any(slot in depends for slot in slots)


def _derived(rows: Rows) -> None:
    machine = rows.machine
    needed = [registers_of(derived.program, machine) for derived in machine.derived]
    members: dict[int, list[int]] = {}
    for index, derived in enumerate(machine.derived):
        if derived.group >= 0:
            members.setdefault(derived.group, []).append(index)
    numbers = {group: number for number, group in enumerate(members)}
    for group, indices in members.items():
        begin = len(rows.members)
        rows.members.extend(indices)
        rows.groups.append((begin, len(rows.members)))
        most = max(needed[index] for index in indices)
        for index in members[group]:
            needed[index] = most
    for index, derived in enumerate(machine.derived):
        first = _lay(rows, derived.program)
        end = len(rows.steps) if derived.program else first
        rows.derived.append((first, numbers.get(derived.group, -1), needed[index], end))
