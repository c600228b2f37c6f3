"""The author's lint: what only the whole Machine can show.

In: a Machine and its source. Out: diagnostics, each with a stable id. "Never" here is meant:
it is said of what is impossible even in the relaxed world (see `abstract`), so that no play
of any variant does it. Severities: warning where it hardly was intended, note where it may
well have been. Lints that need only the tree live in `worldengine.compiler.lint`.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.diagnostics import Diagnostic
from worldengine.machine.schema import Machine, Schema
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.units import OPERATOR, Unit
from worldengine.modelcheck.relaxation.abstract import Run
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.wording.places import location_of, span_of
from worldengine.source import Source


def lint(machine: Machine, source: Source, reach: Reach | None = None) -> list[Diagnostic]:
    """Everything there is to say; see the module."""
    found: list[Diagnostic] = []
    reach = reach or Problem(machine).reach
    if reach is None:
        return found
    found.extend(_actions(reach, source))
    found.extend(_requirements(reach, source))
    found.extend(_rules(reach, source))
    found.extend(_places(reach, source))
    return _ordered(found)


def _ordered(found: list[Diagnostic]) -> list[Diagnostic]:
    unique = {(item.id, item.span.start, item.message): item for item in found}
    return sorted(unique.values(), key=lambda item: (item.span.start, item.id))


def _own(machine: Machine, span: int, source: Source) -> bool:
    location = location_of(machine, span)
    return location is not None and location.file == source.name


# -- what can never happen -----------------------------------------------------------------


def _operators(reach: Reach) -> Iterator[tuple[int, Unit]]:
    for number, unit in enumerate(reach.units):
        if unit.kind == OPERATOR:
            yield number, unit


def _accepted(reach: Reach, number: int, unit: Unit) -> bool:
    points = reach.points[number]
    return points[0] is not None and points[unit.body] is not None


def _actions(reach: Reach, source: Source) -> Iterator[Diagnostic]:
    machine = reach.machine
    possible = {
        machine.operators[unit.index].schema
        for number, unit in _operators(reach)
        if _accepted(reach, number, unit)
    }
    for index, schema in enumerate(machine.schemas):
        if index not in possible and _own(machine, schema.span, source):
            yield Diagnostic(
                "action-unreachable",
                "warning",
                f"`{schema.name}` is never accepted, whatever is done before",
                span_of(machine, schema.span, source),
                _why_not(machine, schema),
            )


def _why_not(machine: Machine, schema: Schema) -> str:
    if not any(machine.schemas[o.schema] is schema for o in machine.operators):
        return "nothing in this world fits its parameters"
    return "one of its requirements or scopes never holds"


def _requirements(reach: Reach, source: Source) -> Iterator[Diagnostic]:
    """Requirements that no operator's play ever fails, though it comes to them."""
    machine = reach.machine
    failing: set[int] = set()
    come_to: dict[int, None] = {}
    for number, unit in _operators(reach):
        requirements = machine.operators[unit.index].requirements
        points = reach.points[number]
        for index, step in enumerate(unit.program[: unit.body]):
            before = [r for r in requirements if r.entry <= step.source]
            if not before or points[index] is None:
                continue
            come_to[before[-1].span] = None
            if (
                step.refuse
                and Run(reach, number).satisfied(step.tests, points[index] or {}) is not None
            ):
                failing.add(before[-1].span)
    folded = _folded(reach)
    for span in come_to:
        if span not in failing and span not in folded and _own(machine, span, source):
            yield Diagnostic(
                "requirement-never-fails",
                "note",
                "this requirement never fails where it is come to",
                span_of(machine, span, source),
                "leave it out, or check that it asks for what you mean",
            )


def _folded(reach: Reach) -> set[int]:
    """Requirements that the compiler has decided for some of the operators: they tell
    operators apart and so do have a use."""
    spans: dict[int, set[int]] = {}
    for _, unit in _operators(reach):
        operator = reach.machine.operators[unit.index]
        spans.setdefault(operator.schema, set()).update(r.span for r in operator.requirements)
    found: set[int] = set()
    for _, unit in _operators(reach):
        operator = reach.machine.operators[unit.index]
        found |= spans[operator.schema] - {r.span for r in operator.requirements}
    return found


def _rules(reach: Reach, source: Source) -> Iterator[Diagnostic]:
    machine = reach.machine
    for number, unit in enumerate(reach.units):
        if unit.kind != 1:
            continue
        rule = machine.rules[unit.index]
        if rule.kind == "win" or not unit.program or not _own(machine, rule.span, source):
            continue
        if not _does_something(reach, number):
            name = f" `{rule.name}`" if rule.kind in ("rule", "milestone") else ""
            yield Diagnostic(
                f"{rule.kind}-unreachable",
                "warning",
                f"this {rule.kind}{name} never comes true",
                span_of(machine, rule.span, source),
                "its condition never holds in any play",
            )


def _does_something(reach: Reach, number: int) -> bool:
    """Whether some step that stores outside registers can be come to and holds."""
    machine = reach.machine
    run = Run(reach, number)
    if not any(_stores(machine, step.assigns) for step in reach.units[number].program):
        return True  # it only talks; what it says is not followed here
    for step, env in zip(reach.units[number].program, reach.points[number], strict=False):
        stores = env is not None and _stores(machine, step.assigns)
        if stores and run.satisfied(step.tests, env or {}) is not None:
            return True
    return False


def _stores(machine: Machine, assigns: tuple[tuple[int, int, int, int, int], ...]) -> bool:
    return any(assign[0] < len(machine.variables) for assign in assigns)


def _places(reach: Reach, source: Source) -> Iterator[Diagnostic]:
    machine = reach.machine
    if machine.player < 0 or machine.objects[machine.player].location < 0:
        return
    visited = reach.values[machine.objects[machine.player].location]
    for index, item in enumerate(machine.objects):
        if item.role != "place" or index in visited or not _own(machine, item.span, source):
            continue
        aside = all(index not in (exit.place, exit.target) for exit in machine.exits)
        yield Diagnostic(
            "place-unreachable",
            "note" if aside and _used(reach, index) else "warning",
            f"the player can never get to {item.id}",
            span_of(machine, item.span, source),
            "no exit that can be used leads there",
        )


def _used(reach: Reach, place: int) -> bool:
    """Whether a place is for something though nobody comes there: it holds things off stage,
    or commands may name it."""
    machine = reach.machine
    held = any(
        place in reach.values[item.location] if item.location >= 0 else item.fixed == place
        for item in machine.objects
    )
    return held or any(
        value == place and parameter.type == "object"
        for operator in machine.operators
        for value, parameter in zip(
            operator.arguments, machine.schemas[operator.schema].parameters, strict=True
        )
    )
