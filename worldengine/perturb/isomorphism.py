"""Whether two Machines do the same, whatever they call it and in whatever order they list it.

`Machine.shape` compares parts in their order. Writing a library's verb into the script moves
it to another place in the list, with all numbers that hang on it; so here every part is put
under a name that no perturbation touches: a ground action under its action and arguments, a
derived value under its own name, a table under its rows. What is printed takes no part.
"""

from __future__ import annotations

from typing import Any

from worldengine.machine import Machine
from worldengine.machine.schema import SELECT, Program

Key = tuple[str, tuple[str, ...]]


def keys(machine: Machine) -> list[Key]:
    """What each ground action is called in the script."""
    found: list[Key] = []
    for operator in machine.operators:
        schema = machine.schemas[operator.schema]
        names = [
            "" if value < 0 else _name(machine, parameter.type, value)
            for parameter, value in zip(schema.parameters, operator.arguments, strict=True)
        ]
        found.append((schema.name, tuple(names)))
    return found


def _name(machine: Machine, type: str, value: int) -> str:
    return machine.objects[value].id if type == "object" else machine.symbols[value].id


def isomorphic(first: Machine, second: Machine) -> bool:
    """Whether equal states under equal actions become equal states, with equal outcomes."""
    return first.shape == second.shape or canonical(first) == canonical(second)


def canonical(machine: Machine) -> dict[str, Any]:
    """Everything that decides what happens, under names."""
    parts = _Parts(machine)
    derived = {
        item.name: (item.kind, item.low, item.high, item.group >= 0, parts.program(item.program))
        for item in machine.derived
    }
    operators = {
        key: (
            tuple((item.entry, item.refusal) for item in operator.requirements),
            operator.body,
            parts.program(operator.program),
        )
        for key, operator in zip(keys(machine), machine.operators, strict=True)
    }
    return {
        "variables": tuple(parts.variable(index) for index in range(len(machine.variables))),
        "derived": derived,
        "operators": operators,
        "actions": {item.name: parts.action(item) for item in machine.schemas},
        "rules": tuple((item.kind, parts.program(item.program)) for item in machine.rules),
        "variants": tuple(item.assignments for item in machine.variants),
        "scopes": parts.scopes(),
        "turns": (machine.turns, machine.status, machine.turn, machine.milestones),
    }


class _Parts:
    """Reads one Machine's numbers as names."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.base = machine.derived_base

    def slot(self, slot: int) -> int | str:
        """A slot: variables and registers keep their number, derived values their name."""
        return slot if slot < self.base else self.machine.derived[slot - self.base].name

    def program(self, program: Program) -> tuple[Any, ...]:
        return tuple(
            (
                tuple((self.slot(t.left), t.op, self.slot(t.right), t.offset) for t in step.tests),
                tuple(self._assign(item) for item in step.assigns),
                step.refuse,
                step.then,
                step.other,
            )
            for step in program
        )

    def _assign(self, item: Any) -> tuple[Any, ...]:
        constant = self._table(item.constant) if item.op == SELECT else item.constant
        slots = (self.slot(item.target), self.slot(item.left), self.slot(item.right))
        return (*slots, item.op, constant)

    def _table(self, index: int) -> tuple[Any, ...]:
        rows = self.machine.tables[index]
        return tuple((row.value, self.slot(row.slot), row.constant) for row in rows)

    def variable(self, index: int) -> tuple[Any, ...]:
        item = self.machine.variables[index]
        ends = (item.low, item.high, item.initial)
        domain = tuple(map(self._value(item.kind), (*ends, *item.domain)))
        return (item.kind, item.role, domain)

    def _value(self, kind: str) -> Any:
        """Values by what they are: symbols may be numbered in another order."""
        if kind == "enum":
            return lambda value: self.machine.symbols[value].id
        return lambda value: value

    def action(self, item: Any) -> tuple[Any, ...]:
        return tuple(
            (each.type, each.scope, len(each.candidates), each.low, each.high)
            for each in item.parameters
        )

    def scopes(self) -> dict[tuple[str, int], tuple[Any, ...]]:
        return {
            (scope.word, row.object): (self.slot(row.slot), row.constant)
            for scope in self.machine.scopes
            for row in scope.rows
        }
