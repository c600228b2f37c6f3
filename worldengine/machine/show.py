"""A Machine in readable lines, one a part. Lowering is tested by this print.

In: a Machine. Out: text, the same for equal Machines, with every part that means something:
variables, derived variables, objects, scopes, actions with their forms, operators and rules
step by step, blocks, texts, variants. Programs look like

```
3 unlock oak door with red key
    require held(red_key) == 1 else place "You are not holding {the 0}." (red_key)
    do      door.locked := 0; say "Click."
```

Slots are printed by name (`lamp.lit`, `prior lamp.lit`, `number`, `r0`), values by the kind of
what they are compared with or stored into (`red_key`, `in flower`, `yes`).
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.machine.notation import Notation
from worldengine.machine.schema import Derived, Machine, Operator, Schema, Variable


def show(machine: Machine) -> str:
    """The whole Machine as text; see the module."""
    write = Notation(machine)
    sections = (
        _head(machine, write),
        _section("variables", (_variable(item, write) for item in machine.variables)),
        _section("derived", _derived(machine, write)),
        _section("values", (f"{item.id} {write.quoted(item.display)}" for item in machine.symbols)),
        _section("objects", _objects(machine, write)),
        _section("exits", _exits(machine, write)),
        _section("scopes", _scopes(machine, write)),
        _section("actions", _schemas(machine, write)),
        _section("operators", _operators(machine, write)),
        _section("rules", _rules(machine, write)),
        _section("blocks", _blocks(machine, write)),
        _section("variants", _variants(machine, write)),
    )
    lines = [line for section in sections for line in section]
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Iterator[str]) -> list[str]:
    found = list(lines)
    return ["", f"{title}:", *("  " + line for line in found)] if found else []


def _head(machine: Machine, write: Notation) -> list[str]:
    lines = [f"machine {machine.name} {write.quoted(machine.title)}"]
    for name in ("persona", "intro", "goal", "timeout"):
        value = getattr(machine, name)
        if value:
            lines.append(f"  {name} {write.quoted(value)}")
    lines.append(f"  turns {machine.turns}")
    special = (("status", machine.status), ("turn", machine.turn))
    lines += [f"  {name} in {write.slot(index)}" for name, index in special if index >= 0]
    if machine.player >= 0:
        lines.append(f"  player {write.object(machine.player)}")
    if machine.milestones:
        lines.append(f"  milestones in {', '.join(map(write.slot, machine.milestones))}")
    if machine.opening >= 0:
        lines.append(f"  opening {machine.blocks[machine.opening].name}")
    return lines


def _variable(variable: Variable, write: Notation) -> str:
    if variable.kind == "bool":
        values = "bool"
    elif variable.kind == "int":
        values = f"{variable.low}..{variable.high}"
    else:
        values = " | ".join(write.value(variable.kind, value) for value in variable.domain)
    initial = write.value(variable.kind, variable.initial)
    return f"{variable.name} : {values} = {initial}   ({variable.role})"


def _derived(machine: Machine, write: Notation) -> Iterator[str]:
    for item in machine.derived:
        yield f"{item.name} : {_derived_values(item)}{_group(item)}"
        yield from ("  " + line for line in write.program(item.program))


def _derived_values(item: Derived) -> str:
    return f"{item.low}..{item.high}" if item.kind == "int" else item.kind


def _group(item: Derived) -> str:
    return f"   (least fixed point, group {item.group})" if item.group >= 0 else ""


def _objects(machine: Machine, write: Notation) -> Iterator[str]:
    for item in machine.objects:
        words = [item.role, write.quoted(item.name)]
        if item.aka:
            words.append("aka " + ", ".join(map(write.quoted, item.aka)))
        words += [word for word in ("plural", "proper", "numbered") if getattr(item, word)]
        if item.location >= 0:
            words.append(f"in {write.slot(item.location)}")
        elif item.fixed >= 0:
            words.append(f"in {write.object(item.fixed)}")
        yield f"{item.id} is {', '.join(item.kinds)}: {' '.join(words)}"


def _exits(machine: Machine, write: Notation) -> Iterator[str]:
    for leaving in machine.exits:
        words = [write.object(leaving.place), leaving.direction, "to", write.object(leaving.target)]
        if leaving.door >= 0:
            words += ["through", write.object(leaving.door)]
        yield " ".join(words) + (" (may be barred)" if leaving.conditional else "")


def _scopes(machine: Machine, write: Notation) -> Iterator[str]:
    for scope in machine.scopes:
        rows = [
            f"{write.object(row.object)} if {write.slot(row.slot)}"
            if row.slot >= 0
            else f"{write.object(row.object)} {'always' if row.constant else 'never'}"
            for row in scope.rows
        ]
        yield f"{scope.word}: {'; '.join(rows)}"


def _schemas(machine: Machine, write: Notation) -> Iterator[str]:
    for schema in machine.schemas:
        parameters = ", ".join(_parameters(schema, write))
        yield f"{schema.name}({parameters}){'' if schema.own else '   (library)'}"
        for form in schema.forms:
            printed = write.quoted("".join(_piece(piece, schema) for piece in form.template))
            source = form.regex or "".join(_piece(piece, schema) for piece in form.pattern)
            yield f"  form {printed}   matches /{source}/   ({form.literal} letters)"


def _parameters(schema: Schema, write: Notation) -> Iterator[str]:
    for parameter in schema.parameters:
        scope = "" if parameter.scope in ("", "anywhere") else f" {parameter.scope}"
        if parameter.type == "number":
            yield f"{parameter.name}: {parameter.low}..{parameter.high}"
            continue
        kind = "enum" if parameter.type == "symbol" else "ref"
        values = " | ".join(write.value(kind, value) for value in parameter.candidates)
        yield f"{parameter.name}: {values or 'nothing'}{scope}"


def _piece(piece: str | int, schema: Schema) -> str:
    return piece if isinstance(piece, str) else "{" + schema.parameters[piece].name + "}"


def _operators(machine: Machine, write: Notation) -> Iterator[str]:
    for index, operator in enumerate(machine.operators):
        yield f"{index} {_ground(operator, machine, write)}"
        yield from ("  " + line for line in write.operator(operator))


def _ground(operator: Operator, machine: Machine, write: Notation) -> str:
    schema = machine.schemas[operator.schema]
    arguments = (
        f"{parameter.low}..{parameter.high}"
        if parameter.type == "number"
        else write.value("enum" if parameter.type == "symbol" else "ref", value)
        for parameter, value in zip(schema.parameters, operator.arguments, strict=True)
    )
    return f"{schema.name}({', '.join(arguments)})"


def _rules(machine: Machine, write: Notation) -> Iterator[str]:
    for rule in machine.rules:
        yield f"{rule.kind} {rule.name}" + (f" {write.quoted(rule.title)}" if rule.title else "")
        yield from ("  " + line for line in write.program(rule.program))


def _blocks(machine: Machine, write: Notation) -> Iterator[str]:
    for block in machine.blocks:
        yield block.name
        yield from ("  " + line for line in write.program(block.program))


def _variants(machine: Machine, write: Notation) -> Iterator[str]:
    for number, variant in enumerate(machine.variants):
        told = ", ".join(f"{target} = {value}" for target, value in variant.values)
        stored = "; ".join(
            f"{write.slot(index)} := {write.value(machine.variables[index].kind, value)}"
            for index, value in variant.assignments
        )
        yield f"{number}: {told or 'as written'}" + (f"   {stored}" if stored else "")
        if number < len(machine.proofs) and machine.proofs[number]:
            yield f"  proof {', '.join(map(write.quoted, machine.proofs[number]))}"
