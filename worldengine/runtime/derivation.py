"""Derived variables: kept until something they depend on changes, worked out when read.

In: a slot vector and the programs of the derived variables. Out: their values, in the same
vector. What the values of a recursive group are, and why the two ways of finding them agree,
is told in `worldengine.runtime.interpreter`. Refused with MachineError: a group that does not
settle, which no Machine made by the compiler has.
"""

from __future__ import annotations

from worldengine.machine.errors import MachineError
from worldengine.machine.schema import REGISTERS, Program
from worldengine.runtime.tables import Tables

STALE, FRESH, RUNNING, PROVISIONAL, IN_ROUNDS = range(5)
"""Marks of a derived variable. RUNNING and the rest occur only while a group is worked out."""

DEEP = 100
"""Nesting of derived variables from which on no further Python frames are used."""


class Derivation:
    """A slot vector whose derived part is always up to date for those who `read` it."""

    __slots__ = ("_depth", "_group", "_tangled", "_trail", "marks", "slots", "tables")

    def __init__(self, tables: Tables, slots: list[int]) -> None:
        self.tables = tables
        self.slots = slots
        self.marks = bytearray(len(tables.programs))
        self._depth = 0
        self._group = -1
        self._trail: list[int] = []
        self._tangled = False

    def run(self, program: Program, start: int, end: int) -> int:
        """Run steps from `start` until `end`; what an engine adds to this class."""
        raise NotImplementedError

    def read(self, slot: int) -> int:
        """The value of a slot, worked out first if it is a derived variable."""
        index = slot - self.tables.derived_base
        if index >= 0 and self.marks[index] != FRESH:
            self.work_out(index)
        return self.slots[slot]

    def store(self, target: int, value: int) -> None:
        """Store into a variable (or the number) and let what depends on it go stale."""
        if self.slots[target] == value:
            return
        self.slots[target] = value
        dependents = self.tables.dependents[target]
        if dependents is None:
            self.marks[:] = bytes(len(self.marks))
        else:
            for index in dependents:
                self.marks[index] = STALE

    def work_out(self, index: int) -> None:
        """Bring one derived variable up to date (it is not FRESH)."""
        mark, group = self.marks[index], self.tables.groups[index]
        if mark != STALE:
            # Asked for while still being worked out. A variable outside any group reads what
            # it has stored so far; inside one, on-demand evaluation has met a circle.
            self._tangled = self._tangled or mark == RUNNING
        elif group >= 0 and group == self._group:
            if self._depth > DEEP:
                self._tangled = True
                return
            self.marks[index] = RUNNING
            self._trail.append(index)
            self._compute(index)
            self.marks[index] = PROVISIONAL
        elif self._depth > DEEP:
            self._settle(index)
        elif group >= 0:
            self._work_out_group(index, group)
        else:
            self.marks[index] = RUNNING
            tangled = self._tangled
            self._compute(index)
            self._tangled = tangled
            self.marks[index] = FRESH

    def _compute(self, index: int, restart: bool = True) -> None:
        """Run the program of one derived variable on registers of its own."""
        tables, slots = self.tables, self.slots
        if restart:
            slots[tables.derived_base + index] = 0
        program = tables.programs[index]
        self._depth += 1
        if tables.scratch[index]:
            low, high = tables.register_base, tables.derived_base
            saved = slots[low:high]
            slots[low:high] = (0,) * REGISTERS
            self.run(program, 0, len(program))
            slots[low:high] = saved
        else:
            self.run(program, 0, len(program))
        self._depth -= 1

    def _work_out_group(self, index: int, group: int) -> None:
        """Work out a member of a recursive group on demand, or all of them in rounds."""
        outer = self._group, self._trail, self._tangled
        self._group, self._trail, self._tangled = group, [index], False
        self.marks[index] = RUNNING
        self._compute(index)
        trail, tangled = self._trail, self._tangled
        self._group, self._trail, self._tangled = outer
        for member in trail:
            self.marks[member] = STALE if tangled else FRESH
        if tangled:
            self._rounds(group)

    def _rounds(self, group: int) -> None:
        """The least fixed point of a group; members already FRESH have their final value."""
        slots, marks, base = self.slots, self.marks, self.tables.derived_base
        waiting = [member for member in self.tables.members[group] if marks[member] != FRESH]
        for member in waiting:
            slots[base + member] = 0
            marks[member] = IN_ROUNDS
        queued, stale = dict.fromkeys(waiting), tuple(waiting)
        allowance = _allowance(self.tables, stale)
        while queued:
            member = next(iter(queued))
            del queued[member]
            before = slots[base + member]
            self._compute(member, restart=False)
            if slots[base + member] != before:
                allowance -= 1
                if allowance < 0:
                    name = self.tables.machine.derived[member].name
                    raise MachineError(f"the recursive derived variable {name} never settles")
                for reader in self.tables.readers[member]:
                    if marks[reader] == IN_ROUNDS:
                        queued[reader] = None
        for member in stale:
            marks[member] = FRESH

    def _settle(self, index: int) -> None:
        """Bring a derived variable up to date from the bottom, without nesting calls."""
        tables, marks = self.tables, self.marks
        stack = [(index, False)]
        entered = bytearray(len(marks))
        while stack:
            current, ready = stack.pop()
            if marks[current] != STALE:
                continue
            group = tables.groups[current]
            if ready and group >= 0:
                self._rounds(group)
            elif ready:
                marks[current] = RUNNING
                self._compute(current)
                marks[current] = FRESH
            elif not entered[current]:
                unit = tables.members[group] if group >= 0 else (current,)
                stack.append((current, True))
                for member in unit:
                    entered[member] = 1
                    stack.extend((used, False) for used in tables.uses[member])


def _allowance(tables: Tables, members: tuple[int, ...]) -> int:
    """How many changes a group that only grows can make; a bound against bad Machines."""
    bounds = (tables.bounds[tables.derived_base + member] for member in members)
    return min(sum(high - min(low, 0) for low, high in bounds) + len(members), 1_000_000)
