"""Words and places of a Machine's parts, for sentences about it.

In: a `Reach`. Out: `Words`: names of programs, conditions in notation, locations in the
author's own text.
"""

from __future__ import annotations

from worldengine.machine.notation import Notation
from worldengine.machine.schema import EQ, NE, Location, Operator, Test
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, Unit
from worldengine.modelcheck.programs.values import true
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.wording.places import location_of


class Words:
    """See the module."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.machine = reach.machine
        self.notation = Notation(reach.machine)

    # -- words -------------------------------------------------------------------------

    def _now(self, slot: int) -> int:
        count = len(self.machine.variables)
        return slot - count if count <= slot < 2 * count else slot

    def _test(self, test: Test) -> str:
        if test.right < 0 and test.op in (EQ, NE) and self.notation.kind(test.left) == "bool":
            name = self.notation.slot(test.left)
            return name if (test.op == EQ) == bool(test.offset) else f"not {name}"
        return self.notation.test(test)

    def _never(self, slot: int, test: Test) -> str:
        name = self.notation.slot(slot)
        if slot < len(self.machine.variables):
            variable = self.machine.variables[slot]
            ends = variable.low, variable.high
            if (
                variable.kind == "int"
                and test.right < 0
                and not any(true(test, value) for value in ends)
            ) and (test.op != EQ or not ends[0] <= test.offset <= ends[1]):
                return f"but {name} only goes from {ends[0]} to {ends[1]}"
        return f"but nothing ever makes {self._test(test)} true"

    def _circle(self, number: int) -> str:
        return self._name(self.reach.units[number])

    def _name(self, unit: Unit) -> str:
        machine = self.machine
        if unit.kind == DERIVED:
            return f"`{machine.derived[unit.index].name}`"
        if unit.kind == OPERATOR:
            operator = machine.operators[unit.index]
            names = (self._argument(value) for value in operator.arguments)
            return f"`{machine.schemas[operator.schema].name}({', '.join(names)})`"
        rule = machine.rules[unit.index]
        return f"`{rule.kind}`" if rule.kind in ("win", "lose") else f"{rule.kind} `{rule.name}`"

    def _argument(self, value: int) -> str:
        return self.notation.object(value) if value >= 0 else "number"

    # -- places ------------------------------------------------------------------------

    def _place(self, unit: Unit, step: int) -> Location | None:
        machine = self.machine
        if unit.kind == DERIVED:
            return None
        if unit.kind != OPERATOR:
            return location_of(machine, machine.rules[unit.index].span)
        operator = machine.operators[unit.index]
        library = self._of_library(operator)
        if library is not None:
            return library
        if 0 <= step < unit.body and operator.requirements:
            source = unit.program[step].source
            before = [r for r in operator.requirements if r.entry <= max(source, 0)]
            if before:
                return location_of(machine, before[-1].span)
        return location_of(machine, operator.span)

    def _of_library(self, operator: Operator) -> Location | None:
        """A verb of the library is not the author's text: the thing it is about is."""
        machine = self.machine
        if machine.schemas[operator.schema].own:
            return None
        for value in operator.arguments:
            if 0 <= value < len(machine.objects):
                found = location_of(machine, machine.objects[value].span)
                if found is not None:
                    return found
        return None
