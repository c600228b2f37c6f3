"""Two own forms that accept one command: nothing would say which action is meant.

Found in the finished Machine by `matching.conflicts`, which writes the commands into one
dictionary; told here with both forms and the command.
"""

from __future__ import annotations

from worldengine.compiler.reporter import Reporter
from worldengine.diagnostics import Label
from worldengine.machine.schema import Machine, Schema
from worldengine.matching.conflicts import NUMBER, conflicts
from worldengine.source import Span
from worldengine.syntax import ast

MAX_COMMANDS = 50_000
"""Commands written out at most; beyond it the rest goes unchecked."""


def check_forms(machine: Machine, own: ast.Document, reporter: Reporter) -> None:
    """An error for each pair of the script's own forms that some command cannot tell apart."""
    forms = {item.name.text: _spans(item) for item in own.items if isinstance(item, ast.Action)}
    for clash in conflicts(machine, MAX_COMMANDS):
        first, second = machine.schemas[clash.first[0]], machine.schemas[clash.second[0]]
        numbers = _shared_numbers(first, second)
        if not (first.own and second.own) or not numbers:
            continue
        one, other = forms[first.name][clash.first[1]], forms[second.name][clash.second[1]]
        how = "two things" if first is second else f"`{first.name}` or `{second.name}`"
        command = " ".join(
            str(numbers[0]) if word == NUMBER else word for word in clash.command.split(" ")
        )
        reporter.error(
            "form-conflict",
            other,
            f'"{command}" could mean {how}: both forms accept it',
            "make one form say more, or give its parameters kinds that differ",
            [Label(one, "the other form")],
        )


def _shared_numbers(first: Schema, second: Schema) -> range:
    """Numbers that both take; numbers are symbolic in the dictionary of commands."""
    ranges = [
        range(item.low, item.high + 1)
        for schema in (first, second)
        for item in schema.parameters
        if item.type == "number"
    ]
    low = max((item.start for item in ranges), default=0)
    return range(low, min((item.stop for item in ranges), default=1))


def _spans(node: ast.Action) -> list[Span]:
    """Where the forms stand, in the order of the schema: regular expressions last."""
    forms = [part.span for part in node.parts if isinstance(part, ast.Form)]
    return forms + [part.span for part in node.parts if isinstance(part, ast.Regex)]
