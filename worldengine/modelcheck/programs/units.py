"""The programs of a Machine in a row, as the analyses take them.

In: a Machine. Out: a `Unit` for each derived variable, operator and rule, without words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from worldengine.machine.schema import Machine, Scope
from worldengine.modelcheck.programs.silence import Quiet, Silent, reads_of, silent, split_body

OPERATOR, RULE, DERIVED = range(3)


@dataclass(frozen=True, slots=True)
class Unit:
    """A program with its place in the Machine: kind, index, and its part for operators."""

    kind: int
    index: int
    program: Silent
    body: int
    number: tuple[int, int] | None
    registers: tuple[int, ...]


def units_of(machine: Machine) -> tuple[Unit, ...]:
    """Every program of the Machine, derived variables first."""
    found: list[Unit] = []
    for index, derived in enumerate(machine.derived):
        found.append(_unit(machine, DERIVED, index, silent(machine, derived.program)))
    for index, operator in enumerate(machine.operators):
        head, body = split_body(machine, operator.program, operator.body)
        program = (*head, *(_moved(step, len(head)) for step in body))
        found.append(_unit(machine, OPERATOR, index, program, len(head)))
    for index, rule in enumerate(machine.rules):
        found.append(_unit(machine, RULE, index, silent(machine, rule.program)))
    return tuple(found)


def _unit(machine: Machine, kind: int, index: int, program: Silent, body: int = 0) -> Unit:
    scratch = range(machine.register_base, machine.derived_base)
    used = {slot for step in program for slot in reads_of(step, machine)}
    used |= {assign.target for step in program for assign in step.assigns}
    number = number_range(machine, index) if kind == OPERATOR else None
    return Unit(kind, index, program, body, number, tuple(sorted(used & set(scratch))))


def _moved(step: Quiet, by: int) -> Quiet:
    return replace(step, then=step.then + by, other=step.other + by)


def number_range(machine: Machine, operator: int) -> tuple[int, int] | None:
    """The range of an operator's number, None if it takes none."""
    for parameter in machine.schemas[machine.operators[operator].schema].parameters:
        if parameter.type == "number":
            return parameter.low, parameter.high
    return None


_latest: tuple[tuple[Scope, ...], dict[tuple[str, int], tuple[int, int]]] = ((), {})


def _rows_of(scopes: tuple[Scope, ...]) -> dict[tuple[str, int], tuple[int, int]]:
    """(slot or -1, constant) by scope and object. Those of the scopes that were asked for last are
    kept: every operator of a Machine asks, and of all that are made from it, the same ones."""
    global _latest
    kept, rows = _latest
    if kept is not scopes:
        rows = {
            (scope.word, row.object): (row.slot, row.constant)
            for scope in scopes
            for row in scope.rows
        }
        _latest = scopes, rows
    return rows


def scopes_of(machine: Machine, operator: int) -> list[tuple[int, int]]:
    """(slot or -1, constant) of every argument of an operator that has to be in a scope."""
    rows = _rows_of(machine.scopes)
    ground = machine.operators[operator]
    pairs = zip(machine.schemas[ground.schema].parameters, ground.arguments, strict=True)
    return [
        rows.get((parameter.scope, value), (-1, 0))
        for parameter, value in pairs
        if parameter.type == "object" and parameter.scope not in ("", "anywhere")
    ]


def scope_readers(machine: Machine, units: tuple[Unit, ...]) -> dict[int, list[int]]:
    """For each slot that a scope is read from, the operators (by unit) that need it."""
    readers: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        if unit.kind == OPERATOR:
            for slot, _ in scopes_of(machine, unit.index):
                if slot >= 0:
                    readers.setdefault(slot, []).append(number)
    return readers
