"""Which numbers need trying to know with which of them an action is accepted.

In: an operator whose requirements depend on its number. Out: for a state, the first number of
every stretch of its range within which all numbers fare alike.

The number is only ever *compared* in most requirements: `n <= stall.coins`, `n != 7`. Between
two neighbouring values that it is compared with, every test comes out the same, hence the same
steps run and store the same values, hence the command is accepted with all of them or with
none. That holds if nothing is worked out from the number (it is not assigned from, and no
derived variable that is read depends on it) and what it is compared with is a constant, a
variable or such a derived variable, never a register, which other steps may have written in
between. Where it does not hold, every number is tried.
"""

from __future__ import annotations

from worldengine.machine.reads import assign_reads, reads, with_blocks
from worldengine.machine.schema import IS_UNDEFINED, UNDEFINED
from worldengine.machine.schema import Test as Condition
from worldengine.runtime.interpreter import Evaluation
from worldengine.runtime.tables import Tables

Thresholds = tuple[tuple[int, int], ...]
"""What a number is compared with: (slot or -1, what is added to it)."""


class Stretches:
    """How the requirements of one operator depend on its number."""

    __slots__ = ("_thresholds", "weighs")

    def __init__(self, tables: Tables, operator: int) -> None:
        machine = tables.machine
        ground = machine.operators[operator]
        requirements = ground.program[: ground.body]
        number, derived = machine.number_slot, machine.derived_base
        slots = reads(requirements, machine)
        dependents = tables.dependents[number]
        worked_out = any(
            dependents is None or slot - derived in dependents for slot in slots if slot >= derived
        )
        self.weighs = worked_out or number in slots
        self._thresholds: Thresholds | None = None
        if not worked_out:
            found: dict[tuple[int, int], None] = {}
            for step in with_blocks(requirements, machine):
                if any(number in assign_reads(item, machine) for item in step.assigns):
                    return
                for test in step.tests:
                    against = _against(test, number)
                    if against is None:
                        continue
                    if number < against[0] < derived:
                        return
                    found[against] = None
            self._thresholds = tuple(found)

    def starts(self, turn: Evaluation, low: int, high: int) -> range | list[int]:
        """The first numbers of the stretches of low..high, ascending."""
        if not self.weighs:
            return [low]
        if self._thresholds is None:
            return range(low, high + 1)
        found = {low}
        for slot, offset in self._thresholds:
            value = turn.read(slot) if slot >= 0 else 0
            if value != UNDEFINED:
                found.update(n for n in (value + offset, value + offset + 1) if low <= n <= high)
        return sorted(found)


def _against(test: Condition, number: int) -> tuple[int, int] | None:
    """What a test compares the number with, as it stands on the number's side alone."""
    left, op, right, offset = test
    if number not in (left, right) or left == right or op == IS_UNDEFINED:
        return None
    return (right, offset) if left == number else (left, -offset)
