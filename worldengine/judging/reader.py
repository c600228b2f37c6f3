"""Expectations written by a model that has read the prose and not the rules.

In: a model, a Machine. Out: expectations in the form of `expectations`, those that it wrote
wrongly counted by reason. The model sees title, intro, goal, descriptions and what may be
typed, and the names of what a state holds; no requirement, no effect, no condition of `win`.
Where the model can keep to a grammar, its answer is a list of expectations by construction.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from worldengine.judging.expectations import Expectation, Expectations
from worldengine.judging.situations import called
from worldengine.machine.schema import Machine
from worldengine.models.protocol import Message, Model, Request
from worldengine.runtime.prompt import prompt
from worldengine.syntax import ast

NUMBER: Final = 20
_ASK: Final = """\
You have read all of this game's texts and none of its rules. Write {number} expectations: for \
a situation you choose, what must happen on a command if the texts are true. Half of them \
about what should work and what it changes, half about what should be refused; two about \
winning. Answer with one JSON list and nothing else; each entry as here:
{{"because": "words of the texts", "variant": 0, "given": {{"lamp.lit": false, "player.in": \
"cellar"}}, "command": "light lamp", "expect": {{"outcome": "ok", "status": "running", \
"values": {{"lamp.lit": true}}}}}}
outcome is ok or refused. A situation is set with these names and values:
{names}"""


@dataclass(frozen=True, slots=True)
class Written:
    """`wrong` says of every entry that could not be used why not."""

    expectations: Expectations
    wrong: tuple[str, ...]


def expectations_of(
    model: Model, machine: Machine, document: ast.Document, number: int = NUMBER, seed: int = 0
) -> Written:
    """See the module."""
    asked = _ASK.format(number=number, names="\n".join(_names(machine)))
    messages = (Message("system", reading(machine, document)), Message("user", asked))
    request = Request(messages, 200 * number, 0.0, seed=seed, grammar=grammar(machine, number))
    (answer,) = model.answer([request])
    return written(answer.text, model.name, machine.name)


def written(text: str, author: str, world: str) -> Written:
    """The expectations in an answer; a list that broke off counts up to its last whole entry."""
    entries, wrong = _entries(text)
    good: list[Expectation] = []
    for number, entry in enumerate(entries, start=1):
        try:
            good.append(Expectation.model_validate(entry))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            wrong.append(f"entry {number}: {where or 'it'}: {first['msg']}")
    found = Expectations(world=world, author=author, expectations=tuple(good))
    return Written(found, tuple(wrong))


def _entries(text: str) -> tuple[list[Any], list[str]]:
    decoder = json.JSONDecoder()
    found: list[Any] = []
    at = text.find("[") + 1
    if at == 0:
        return [], ["the reader answered with no list"]
    while (start := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return found, [f"the list broke off or is no JSON after entry {len(found)}"]
        found.append(value)
    return found, []


def reading(machine: Machine, document: ast.Document) -> str:
    """All prose of a world that is not an answer: what a reader may know."""
    lines = [prompt(machine, reply="action"), "Things and people, each by its name in commands:"]
    printed = [o for o in machine.objects if o.role not in ("exit", "player")]
    lines += [f"{each.id}: {each.name}" for each in printed]
    lines.append("Descriptions:")
    for item in document.items:
        if isinstance(item, ast.Object | ast.Player):
            told = [f.text.plain for f in item.fields if isinstance(f, ast.Describe)]
            words = " / ".join(text for text in told if text)
            lines.append(f"{item.name.text}: {words}" if isinstance(item, ast.Object) else words)
    return "\n".join(line for line in lines if line)


def _names(machine: Machine) -> list[str]:
    rows = []
    for variable in machine.variables:
        if variable.role in ("attribute", "location", "fact"):
            rows.append(f"{variable.name}: {', '.join(_values(machine, variable))}")
    return rows


def _values(machine: Machine, variable: Any) -> list[str]:
    if variable.kind == "bool":
        return ["true", "false"]
    if variable.kind == "int":
        return [f"{variable.low}..{variable.high}"]
    return [str(called(machine, variable, number)) for number in variable.domain]


def grammar(machine: Machine, number: int) -> str:
    """A list of at most `number` expectations over the names of this Machine, in Lark."""
    names = [v for v in machine.variables if v.role in ("attribute", "location", "fact")]
    pairs = " | ".join(_pair(machine, variable) for variable in names) or '"\\"none\\": 0"'
    return "\n".join([
        f'start: "[" entry ("," entry){{0,{number - 1}}} "]"',
        'entry: "{\\"because\\": " QUOTE ", \\"variant\\": " VARIANT ", \\"given\\": {" values? '
        '"}, \\"command\\": " QUOTE ", \\"expect\\": {\\"outcome\\": " OUTCOME '
        '", \\"status\\": " STATUS (", \\"values\\": {" values "}")? "}}"',
        'values: pair (", " pair){0,3}',
        f"pair: {pairs}",
        f"VARIANT: {' | '.join(_quoted(str(v)) for v in range(min(len(machine.variants), 50)))}",
        'OUTCOME: "\\"ok\\"" | "\\"refused\\""',
        'STATUS: "\\"running\\"" | "\\"won\\"" | "\\"lost\\""',
        'QUOTE: /"[^"\\\\\\x00-\\x1f]{1,120}"/',
        "",
    ])  # fmt: skip


def _pair(machine: Machine, variable: Any) -> str:
    head = _quoted(json.dumps(variable.name) + ": ")
    if variable.kind == "bool":
        return f'{head} ("true" | "false")'
    if variable.kind == "int":
        return f"{head} /-?[0-9]{{1,4}}/"
    values = [_quoted(json.dumps(value)) for value in _values(machine, variable)]
    return f"{head} ({' | '.join(values)})" if values else f'{head} "\\"none\\""'


def _quoted(text: str) -> str:
    """`text` as a string of Lark."""
    return json.dumps(text, ensure_ascii=True)
