"""Programs in notation: one line a step.

In: programs of one Machine. Out: lines. A step reads

```
2: if kettle.on == 1 and water > 0: temp := temp + 20; say "It hums." -> 4 else 3
```

Targets are left out where they are simply the next step. Names of slots and values are those
of the Machine's own variables, objects and symbols.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from worldengine.machine.schema import (
    ADD,
    CLASS_NAMES,
    CONST,
    COPY,
    DIV,
    IS_UNDEFINED,
    MIN,
    MOD,
    MUL,
    NONE,
    SELECT,
    SUB,
    TEST_SYMBOLS,
    UNDEFINED,
    Argument,
    Assign,
    Insert,
    Machine,
    Operator,
    Program,
    Row,
    Step,
    Test,
)


class Notation:
    """Writes parts of one Machine; see the module."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    # -- slots and values ----------------------------------------------------------------

    def slot(self, slot: int) -> str:
        """The name of a slot."""
        machine = self._machine
        count = len(machine.variables)
        if slot < count:
            return machine.variables[slot].name
        if slot < 2 * count:
            return f"prior {machine.variables[slot - count].name}"
        if slot == machine.number_slot:
            return "number"
        if slot < machine.derived_base:
            return f"r{slot - machine.register_base}"
        return machine.derived[slot - machine.derived_base].name

    def kind(self, slot: int) -> str:
        """The kind of what a slot holds; registers and the number hold ints."""
        machine = self._machine
        count = len(machine.variables)
        if slot < 2 * count:
            return machine.variables[slot % count].kind
        if slot >= machine.derived_base:
            return machine.derived[slot - machine.derived_base].kind
        return "int"

    def value(self, kind: str, value: int) -> str:
        """A value in the words of its kind."""
        if value == UNDEFINED:
            return "undefined"
        if kind == "bool" and value in (0, 1):
            return "true" if value else "false"
        if value == NONE and kind in ("enum", "ref", "text"):
            return "none"
        if kind == "ref" and 0 <= value < len(self._machine.objects):
            return self._machine.objects[value].id
        if kind == "enum" and 0 <= value < len(self._machine.symbols):
            return self._machine.symbols[value].id
        if kind == "text" and 0 <= value < len(self._machine.strings):
            return self.quoted(self._machine.strings[value])
        return str(value)

    def object(self, index: int) -> str:
        return self.value("ref", index)

    def quoted(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    # -- programs ------------------------------------------------------------------------

    def program(self, program: Program) -> Iterator[str]:
        """A whole program, one line a step."""
        yield from self._steps(program, 0, len(program))

    def operator(self, operator: Operator) -> Iterator[str]:
        """An operator: each requirement with its class, then what it does."""
        entries = [requirement.entry for requirement in operator.requirements]
        first = entries[0] if entries else operator.body
        if first:
            yield "first"
            yield from ("  " + line for line in self._steps(operator.program, 0, first))
        ends = [*entries[1:], operator.body]
        for requirement, end in zip(operator.requirements, ends, strict=False):
            yield f"require, else {CLASS_NAMES[requirement.refusal]}"
            lines = self._steps(operator.program, requirement.entry, end)
            yield from ("  " + line for line in lines)
        if operator.body < len(operator.program):
            yield "do"
            lines = self._steps(operator.program, operator.body, len(operator.program))
            yield from ("  " + line for line in lines)

    def _steps(self, program: Program, start: int, end: int) -> Iterator[str]:
        for index in range(start, end):
            yield f"{index}: {self.step(program[index], index)}"

    def step(self, step: Step, index: int) -> str:
        """One step, without its number."""
        doing = [self.assign(assign) for assign in step.assigns]
        if step.text >= 0:
            doing.append(self.say(step.text, step.arguments))
        if step.call >= 0:
            doing.append(f"call {self._machine.blocks[step.call].name}")
        if step.refuse:
            doing.append(f"refuse {CLASS_NAMES[step.refuse]}")
        line = "; ".join(doing) or "go on"
        if step.tests:
            line = f"if {' and '.join(map(self.test, step.tests))}: {line}"
        if step.then != index + 1 and not step.refuse:
            line += f" -> {step.then}"
        if step.tests and step.other != index + 1:
            line += f" else {step.other}"
        return line

    def test(self, test: Test) -> str:
        left, symbol = self.slot(test.left), TEST_SYMBOLS[test.op]
        if test.op == IS_UNDEFINED:
            return f"{left} is undefined"
        if test.right < 0:
            return f"{left} {symbol} {self.value(self.kind(test.left), test.offset)}"
        return f"{left} {symbol} {self.slot(test.right)}{_plus(test.offset)}"

    def assign(self, assign: Assign) -> str:
        target, op, left, right, constant = assign
        name = self.slot(target)
        if op == CONST:
            return f"{name} := {self.value(self.kind(target), constant)}"
        first = self.slot(left)
        if op == COPY:
            return f"{name} := {first}{_plus(constant)}"
        if op in (ADD, SUB):
            sign = "+" if op == ADD else "-"
            return f"{name} := {first} {sign} {self.slot(right)}{_plus(constant)}"
        if op in (MUL, DIV, MOD):
            sign = {MUL: "*", DIV: "/", MOD: "%"}[op]
            return f"{name} := {first} {sign} {constant}"
        if op == SELECT:
            rows = (self.row(row, self.kind(left)) for row in self._machine.tables[constant])
            return f"{name} := {first} ? {', '.join(rows)}"
        return f"{name} := {'min' if op == MIN else 'max'}({first}, {self.slot(right)})"

    def row(self, row: Row, kind: str) -> str:
        found = self.slot(row.slot) if row.slot >= 0 else str(row.constant)
        return f"{self.value(kind, row.value)}: {found}"

    def say(self, text: int, arguments: tuple[Argument, ...]) -> str:
        """A text as it is said, its gaps filled with the operands."""
        said = self._machine.texts[text]
        parts = [
            part if isinstance(part, str) else self._gap(part, arguments) for part in said.parts
        ]
        if said.kind in ("list", "end"):
            return "begin list" if said.kind == "list" else "end list"
        return f"{said.kind} {self.quoted(''.join(parts))}"

    def _gap(self, gap: Insert, arguments: tuple[Argument, ...]) -> str:
        operand = arguments[gap.index]
        if operand.slot >= 0:
            name = self.slot(operand.slot)
        else:
            kind = {"object": "ref", "symbol": "enum"}.get(gap.type, gap.type)
            name = self.value(kind, operand.constant)
        return "{" + f"{gap.style} {name}".strip() + "}"


def _plus(offset: int) -> str:
    if offset == 0:
        return ""
    return f" + {offset}" if offset > 0 else f" - {-offset}"
