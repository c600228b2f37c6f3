"""A Machine laid out as integer tables for the search kernel.

In: a validated Machine. Out: `Tables`, a tuple of numpy arrays that compiled code takes as
one argument, and `Actions`, the ground commands a search tries. Texts are left out (see
`silence`), so these tables say which states follow, never what is read.

Slots are numbered as `worldengine.machine.schema` lays them out, with a second bank of
registers behind the derived variables: derived programs run on registers of their own, and
with two banks nothing has to be saved while one runs in the middle of another program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import REGISTERS, SATURATION, SELECT, Assign, Machine, Row, Test
from worldengine.modelcheck.needs import closure_of, settled, stale_by, uses_of
from worldengine.modelcheck.silence import Quiet, Silent, divided, reads_of, silent, split_body

Ints = npt.NDArray[np.int32]
TEST0, TEST1, ASSIGN0, ASSIGN1, REFUSE, THEN, OTHER, READ0, READ1 = range(9)
"""Columns of `Tables.steps`."""
HEAD0, HEAD1, BODY0, BODY1, SCOPE0, SCOPE1, TURN = range(7)
"""Columns of `Tables.operators`."""


class Tables(NamedTuple):
    """Shapes in brackets. Programs are ranges of rows of `steps`, their targets absolute."""

    steps: Ints  # [steps, 9]
    tests: Ints  # [tests, 4] left, op, right, offset
    assigns: Ints  # [assigns, 5] target, op, left, right, constant
    reads: Ints  # [reads] derived variables that a step needs fresh
    rows: Ints  # [rows, 3] value, slot, constant of SELECT tables
    row_starts: Ints  # [tables + 1]
    low: Ints  # [slots] where a stored value stops
    high: Ints  # [slots]
    operators: Ints  # [operators, 7]
    scopes: Ints  # [scopes, 2] slot that has to hold (or -1), constant
    rules: Ints  # [rules, 2] first and end step
    derived: Ints  # [derived, 4] first and end step, first and end of its closure
    closures: Ints  # [...] derived variables a derived one needs, in order, itself last
    groups: Ints  # [derived] the recursive group, or -1
    members: Ints  # [...] members of groups
    member_starts: Ints  # [groups + 1]
    dependents: Ints  # [...] derived variables that a slot's change makes stale
    dependent_starts: Ints  # [variables + 2]; the last row is the number's
    sizes: Ints  # [8] variables, derived base, slots, status, turn, number slot, registers


(
    VARIABLES,
    DERIVED_BASE,
    SLOTS,
    STATUS,
    TURN_VARIABLE,
    NUMBER,
    REGISTER_BASE,
    REGISTERS_END,
) = range(8)
"""Positions in `Tables.sizes`."""


class Layout:
    """Collects the rows while a Machine is laid out."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.steps: list[list[int]] = []
        self.tests: list[Sequence[int]] = []
        self.assigns: list[Sequence[int]] = []
        self.reads: list[int] = []
        self.stale = stale_by(machine)
        self.registers_end = machine.register_base
        self.tables: list[tuple[Row, ...]] = list(machine.tables)

    def program(self, program: Silent, move: int = 0) -> tuple[int, int]:
        """Lay a program out; `move` is added to the numbers of registers."""
        parts = divided(program, self._conflict, self.machine)
        start = len(self.steps)
        for step in parts:
            self.steps.append(self._row(step, start, move))
        return start, len(self.steps)

    def _conflict(self, before: Assign, slot: int) -> bool:
        index = slot - self.machine.derived_base
        return index >= 0 and index in self.stale.get(before.target, frozenset())

    def _row(self, step: Quiet, start: int, move: int) -> list[int]:
        test0, assign0, read0 = len(self.tests), len(self.assigns), len(self.reads)
        base = self.machine.derived_base
        needed = (slot - base for slot in reads_of(step, self.machine) if slot >= base)
        self.reads.extend(dict.fromkeys(needed))
        self.tests.extend(self._test(test, move) for test in step.tests)
        self.assigns.extend(self._assign(assign, move) for assign in step.assigns)
        ends = len(self.tests), len(self.assigns), len(self.reads)
        then, other = start + step.then, start + step.other
        return [test0, ends[0], assign0, ends[1], step.refuse, then, other, read0, ends[2]]

    def _slot(self, slot: int, move: int) -> int:
        if slot not in range(self.machine.register_base, self.machine.derived_base):
            return slot
        if move == 0:
            self.registers_end = max(self.registers_end, slot + 1)
        return slot + move

    def _test(self, test: Test, move: int) -> tuple[int, ...]:
        left, op, right, offset = test
        return self._slot(left, move), op, self._slot(right, move), offset

    def _assign(self, assign: Assign, move: int) -> tuple[int, ...]:
        target, op, left, right, constant = assign
        if op == SELECT and move:
            constant = self._moved_table(constant, move)
        return (
            self._slot(target, move),
            op,
            self._slot(left, move),
            self._slot(right, move),
            constant,
        )

    def _moved_table(self, table: int, move: int) -> int:
        """A SELECT table for programs whose registers are moved."""
        rows = self.tables[table]
        moved = tuple(row._replace(slot=self._slot(row.slot, move)) for row in rows)
        if moved == rows:
            return table
        self.tables.append(moved)
        return len(self.tables) - 1


def tables_of(machine: Machine) -> Tables:
    """The whole Machine as tables."""
    layout = Layout(machine)
    base = machine.derived_base
    bank = machine.slots - machine.register_base
    operators, scopes = _operators(machine, layout)
    rules = [layout.program(silent(machine, rule.program)) for rule in machine.rules]
    programs = [silent(machine, derived.program) for derived in machine.derived]
    derived = [layout.program(program, bank) for program in programs]
    closures, closure_starts = _jagged(settled(machine, closure_of(uses_of(machine))))
    groups = sorted({each.group for each in machine.derived if each.group >= 0})
    members, member_starts = _jagged(
        [[i for i, each in enumerate(machine.derived) if each.group == group] for group in groups]
    )
    owners = [*range(len(machine.variables)), machine.number_slot]
    dependents, dependent_starts = _jagged([sorted(layout.stale.get(s, ())) for s in owners])
    rows, row_starts = _select(layout)
    low, high = _bounds(machine)
    ranges = [
        [*place, closure_starts[index], closure_starts[index + 1]]
        for index, place in enumerate(derived)
    ]
    sizes = [
        len(machine.variables),
        base,
        machine.slots + REGISTERS,
        machine.status,
        machine.turn,
        machine.number_slot,
        machine.register_base,
        layout.registers_end,
    ]
    return Tables(
        _array(layout.steps, 9),
        _array(layout.tests, 4),
        _array(layout.assigns, 5),
        _array(layout.reads),
        _array(rows, 3),
        _array(row_starts),
        _array(low),
        _array(high),
        _array(operators, 7),
        _array(scopes, 2),
        _array(rules, 2),
        _array(ranges, 4),
        _array(closures),
        _array([groups.index(each.group) if each.group >= 0 else -1 for each in machine.derived]),
        _array(members),
        _array(member_starts),
        _array(dependents),
        _array(dependent_starts),
        _array(sizes),
    )


def _operators(machine: Machine, layout: Layout) -> tuple[list[list[int]], list[list[int]]]:
    rows = {
        (scope.word, row.object): [row.slot, row.constant]
        for scope in machine.scopes
        for row in scope.rows
    }
    operators: list[list[int]] = []
    scopes: list[list[int]] = []
    for operator in machine.operators:
        head, body = split_body(machine, operator.program, operator.body)
        first = len(scopes)
        pairs = zip(machine.schemas[operator.schema].parameters, operator.arguments, strict=True)
        for parameter, value in pairs:
            if parameter.type == "object" and parameter.scope not in ("", "anywhere"):
                scopes.append(rows.get((parameter.scope, value), [-1, 0]))
        places = (*layout.program(head), *layout.program(body))
        operators.append([*places, first, len(scopes), machine.turn])
    return operators, scopes


def _bounds(machine: Machine) -> tuple[list[int], list[int]]:
    """Ends of ranges; references, symbols and registers are stored as they are."""
    size = machine.slots + REGISTERS
    low, high = [-SATURATION] * size, [SATURATION] * size
    for slot, variable in enumerate(machine.variables):
        if variable.kind in ("bool", "int"):
            low[slot], high[slot] = variable.low, variable.high
    for index, derived in enumerate(machine.derived):
        if derived.kind in ("bool", "int"):
            slot = machine.derived_base + index
            low[slot], high[slot] = derived.low, derived.high
    return low, high


def _select(layout: Layout) -> tuple[list[Sequence[int]], list[int]]:
    rows: list[Sequence[int]] = []
    starts = [0]
    for table in layout.tables:
        rows.extend(table)
        starts.append(len(rows))
    return rows, starts


def _jagged(lists: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    flat: list[int] = []
    starts = [0]
    for each in lists:
        flat.extend(each)
        starts.append(len(flat))
    return flat, starts


def _array(rows: Sequence[object], columns: int = 0) -> Ints:
    array = np.array(rows, dtype=np.int32)
    return array.reshape(-1, columns) if columns else array.reshape(-1)
