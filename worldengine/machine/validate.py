"""Whether a Machine means something: every index in range, every program sure to end.

In: a Machine of any origin. Out: nothing. Refused, with one sentence that names the part:
indices out of range, jumps that do not go ahead, values outside their domains, blocks that
call in a circle, derived variables that depend on one another without saying so, requirements
that would change the state, refusals elsewhere than in requirements, registers read before
they are written, gaps of texts without arguments, forms that lack a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldengine.machine.errors import MachineError
from worldengine.machine.graph import circle
from worldengine.machine.programs import check_programs
from worldengine.machine.schema import (
    FORMAT,
    NONE,
    RUNNING,
    SATURATION,
    UNDEFINED,
    Form,
    Insert,
    Machine,
    Schema,
    Variable,
)

__all__ = ["MachineError", "validate"]

VARIABLE_KINDS = ("bool", "int", "enum", "ref", "text")
VARIABLE_ROLES = ("attribute", "location", "fact", "turn", "once", "milestone", "status")
OBJECT_ROLES = ("place", "thing", "person", "door", "exit", "player", "concept")
TEXT_KINDS = ("say", "more", "list", "item", "end")
INSERT_TYPES = ("object", "symbol", "number", "bool", "text")
INSERT_STYLES = ("", "the", "a", "The", "A", "is", "has", "it", "s")
PARAMETER_TYPES = ("object", "symbol", "number")
RULE_KINDS = ("rule", "milestone", "lose", "win")


def validate(machine: Machine) -> None:
    """Raise MachineError with one sentence unless the Machine is sound; see the module."""
    _need(
        machine.format == FORMAT,
        f"this Machine has format {machine.format}; this version reads format {FORMAT}",
    )
    _need(machine.turns > 0, f"turns must be positive, not {machine.turns}")
    _check_variables(machine)
    _check_variants(machine)
    _check_texts(machine)
    _check_objects(machine)
    _check_exits_and_scopes(machine)
    for schema in machine.schemas:
        _check_schema(schema, machine)
    _check_operator_arguments(machine)
    _check_tables(machine)
    _check_calls(machine)
    check_programs(machine)
    _check_special(machine)
    _check_spans(machine)


def _need(holds: bool, sentence: str) -> None:
    if not holds:
        raise MachineError(sentence)


def _within(index: int, items: Sequence[object], what: str, optional: bool = False) -> None:
    """An index into `items`; NONE is allowed where it is optional."""
    if not (0 <= index < len(items) or (optional and index == NONE)):
        raise MachineError(f"{what} is {index}, but there are {len(items)}")


def _one_of(value: str, words: tuple[str, ...], what: str) -> None:
    if value not in words:
        raise MachineError(f"{what} is {value!r}, not one of {', '.join(map(repr, words))}")


def _check_variables(machine: Machine) -> None:
    for variable in machine.variables:
        name = f"variable {variable.name}"
        _one_of(variable.kind, VARIABLE_KINDS, f"the kind of {name}")
        _one_of(variable.role, VARIABLE_ROLES, f"the role of {name}")
        if variable.kind in ("bool", "int"):
            _need(
                -SATURATION <= variable.low <= variable.high <= SATURATION,
                f"{name} has the impossible range {variable.low}..{variable.high}",
            )
        else:
            _check_domain(variable, machine)
        _need(
            _holds_value(variable, variable.initial),
            f"{name} starts at {variable.initial}, which it cannot hold",
        )


def _check_domain(variable: Variable, machine: Machine) -> None:
    items: dict[str, Sequence[object]] = {
        "enum": machine.symbols,
        "ref": machine.objects,
        "text": machine.strings,
    }
    _need(len(variable.domain) > 0, f"variable {variable.name} has no values")
    for value in variable.domain:
        _within(value, items[variable.kind], f"a value of variable {variable.name}", optional=True)


def _holds_value(variable: Variable, value: int) -> bool:
    if variable.kind in ("bool", "int"):
        return variable.low <= value <= variable.high
    return value in variable.domain


def _check_variants(machine: Machine) -> None:
    _need(len(machine.variants) > 0, "a Machine has at least one variant")
    for number, variant in enumerate(machine.variants):
        for index, value in variant.assignments:
            _within(index, machine.variables, f"a variable of variant {number}")
            variable = machine.variables[index]
            _need(
                _holds_value(variable, value),
                f"variant {number} starts variable {variable.name} at {value},"
                " which it cannot hold",
            )


def _check_texts(machine: Machine) -> None:
    for index, text in enumerate(machine.texts):
        _one_of(text.kind, TEXT_KINDS, f"the kind of text {index}")
        _need(
            text.kind not in ("list", "end") or not text.parts,
            f"text {index} is a {text.kind} and must have no parts",
        )
        for part in text.parts:
            if isinstance(part, Insert):
                _one_of(part.type, INSERT_TYPES, f"an insertion's type in text {index}")
                _one_of(part.style, INSERT_STYLES, f"an insertion's style in text {index}")
                _need(part.index >= 0, f"text {index} has the gap {part.index}")


def _check_objects(machine: Machine) -> None:
    for item in machine.objects:
        _one_of(item.role, OBJECT_ROLES, f"the role of object {item.id}")
        if item.location >= 0:
            _within(item.location, machine.variables, f"the location of object {item.id}")
        _within(item.fixed, machine.objects, f"the place of object {item.id}", optional=True)


def _check_exits_and_scopes(machine: Machine) -> None:
    for leaving in machine.exits:
        what = f"of the exit {leaving.direction}"
        _within(leaving.object, machine.objects, f"the object {what}", optional=True)
        _within(leaving.place, machine.objects, f"the place {what}")
        _within(leaving.target, machine.objects, f"the target {what}")
        _within(leaving.door, machine.objects, f"the door {what}", optional=True)
    words = [scope.word for scope in machine.scopes]
    _need(len(set(words)) == len(words), "a scope word stands twice")
    for scope in machine.scopes:
        for row in scope.rows:
            _within(row.object, machine.objects, f"an object in scope {scope.word}")
            _need(
                row.slot == -1 or 0 <= row.slot < machine.slots,
                f"scope {scope.word} reads slot {row.slot}, but there are {machine.slots}",
            )


def _check_schema(schema: Schema, machine: Machine) -> None:
    name = f"action {schema.name}"
    _need(len(schema.forms) > 0, f"{name} has no form")
    numbers = [parameter for parameter in schema.parameters if parameter.type == "number"]
    _need(len(numbers) <= 1, f"{name} has more than one number parameter")
    for parameter in schema.parameters:
        _one_of(parameter.type, PARAMETER_TYPES, f"the type of {parameter.name} of {name}")
        items = machine.symbols if parameter.type == "symbol" else machine.objects
        for value in parameter.candidates:
            _within(value, items, f"a value of {parameter.name} of {name}")
        if parameter.type == "number":
            _need(
                -SATURATION <= parameter.low <= parameter.high <= SATURATION,
                f"{parameter.name} of {name} has the impossible range"
                f" {parameter.low}..{parameter.high}",
            )
    for form in schema.forms:
        _check_form(form, schema)


def _check_form(form: Form, schema: Schema) -> None:
    wanted = list(range(len(schema.parameters)))
    _need(
        sorted(part for part in form.template if isinstance(part, int)) == wanted,
        f"a form of action {schema.name} does not print every parameter once",
    )
    if not form.regex:
        _need(
            sorted(part for part in form.pattern if isinstance(part, int)) == wanted,
            f"a form of action {schema.name} does not match every parameter once",
        )


def _check_operator_arguments(machine: Machine) -> None:
    met: dict[tuple[int, tuple[int, ...]], int] = {}
    for index, operator in enumerate(machine.operators):
        _within(operator.schema, machine.schemas, f"the action of operator {index}")
        schema = machine.schemas[operator.schema]
        name = f"operator {index} of action {schema.name}"
        _need(
            len(operator.arguments) == len(schema.parameters),
            f"{name} has {len(operator.arguments)} arguments for"
            f" {len(schema.parameters)} parameters",
        )
        for parameter, value in zip(schema.parameters, operator.arguments, strict=True):
            _need(
                value == NONE if parameter.type == "number" else value in parameter.candidates,
                f"{name} has {value} for {parameter.name}",
            )
        key = operator.schema, operator.arguments
        _need(key not in met, f"{name} stands twice, first as operator {met.get(key)}")
        met[key] = index


def _check_tables(machine: Machine) -> None:
    for index, table in enumerate(machine.tables):
        values = [row.value for row in table]
        _need(len(set(values)) == len(values), f"table {index} has two rows for one value")
        for row in table:
            _need(
                row.slot == -1 or 0 <= row.slot < machine.slots,
                f"table {index} reads slot {row.slot}, but there are {machine.slots}",
            )
            _need(
                min(row.value, row.constant) >= UNDEFINED
                and max(row.value, row.constant) <= SATURATION,
                f"table {index} has a number that 32 bits cannot hold",
            )


def _check_calls(machine: Machine) -> None:
    calls: list[tuple[int, ...]] = []
    for block in machine.blocks:
        found = tuple(step.call for step in block.program if step.call != NONE)
        for call in found:
            _within(call, machine.blocks, f"a call in block {block.name}")
        calls.append(found)
    looping = circle(calls)
    if looping:
        names = ", ".join(machine.blocks[index].name for index in looping)
        raise MachineError(f"blocks call one another in a circle: {names}")


def _check_special(machine: Machine) -> None:
    _within(machine.opening, machine.blocks, "the opening block", optional=True)
    _within(machine.player, machine.objects, "the player", optional=True)
    _within(machine.status, machine.variables, "the status variable")
    _need(
        machine.variables[machine.status].initial == RUNNING,
        "a Machine starts with the status running",
    )
    _within(machine.turn, machine.variables, "the turn variable", optional=True)
    for index in machine.milestones:
        _within(index, machine.variables, "a milestone's variable")
    order = [RULE_KINDS.index(rule.kind) for rule in machine.rules if rule.kind in RULE_KINDS]
    _need(len(order) == len(machine.rules), "a rule's kind is not rule, milestone, lose or win")
    _need(order == sorted(order), "rules come first, then milestones, then lose, then win")


def _check_spans(machine: Machine) -> None:
    spans = [part.span for part in machine.variables]
    spans += [part.span for part in machine.derived]
    spans += [part.span for part in machine.schemas]
    spans += [part.span for part in machine.rules]
    spans += [part.span for part in machine.objects]
    for operator in machine.operators:
        spans.append(operator.span)
        spans += [requirement.span for requirement in operator.requirements]
    for span in spans:
        _within(span, machine.spans, "a span", optional=True)
