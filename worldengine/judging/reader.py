"""Expectations written by a model that has read the prose and not the rules.

In: a model, a Machine. Out: expectations in the form of `expectations`, those that it wrote
wrongly counted by reason. The model sees the reader's sheet (see `sheet`): prose, what may be
typed, a play that wins, and the names of what a state holds; no requirement, no effect, no
condition. Where the model can keep to a grammar, its answer is a list of expectations by
construction.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from worldengine.judging.expectations import (
    MOST_BYTES,
    Expectation,
    Expectations,
    ExpectationsError,
    parse,
)
from worldengine.judging.sheet import ROLES, sheet
from worldengine.judging.situations import called
from worldengine.machine.schema import Machine
from worldengine.models.protocol import Message, Model, Request
from worldengine.syntax import ast

_TOKENS: Final = 80
"""Of an answer, for each entry."""
_GIVEN_UP: Final = 50
"""Broken entries after which the rest is not read."""


@dataclass(frozen=True, slots=True)
class Written:
    """`wrong` says of every entry that could not be used why not."""

    expectations: Expectations
    wrong: tuple[str, ...]


def expectations_of(
    model: Model, machine: Machine, document: ast.Document, seed: int = 0
) -> Written:
    """See the module."""
    asked = sheet(machine, document)
    messages = (Message("system", "You test text games."), Message("user", asked.text))
    held = grammar(machine, asked.number)
    request = Request(messages, _TOKENS * asked.number, 0.0, seed=seed, grammar=held)
    (answer,) = model.answer([request])
    return written(answer.text, model.name, machine.name)


def read_expected(path: Path) -> Written:
    """The expectations in a file, strictly; or, in a bare list as a reader writes it into its
    sheet, those that can be used. The reader is called by the name of the file."""
    data = path.read_bytes()
    if len(data) > MOST_BYTES:
        raise ExpectationsError(f"{path} has more than {MOST_BYTES:,} bytes")
    text = data.decode("utf-8-sig", "replace")
    if not text.lstrip().startswith("["):
        return Written(parse(text, str(path)), ())
    found = written(text, path.stem, "")
    if not found.expectations.expectations:
        why = "the list is empty" if "".join(text.split()) == "[]" else "no entry can be read"
        raise ExpectationsError(f"{path}: {found.wrong[0] if found.wrong else why}")
    return found


def written(text: str, author: str, world: str) -> Written:
    """The expectations in an answer; a list that broke off counts up to its last whole entry."""
    entries, wrong = _entries(text)
    good: list[Expectation] = []
    for number, entry in enumerate(entries, start=1):
        try:
            good.append(Expectation.model_validate(entry))
            good[-1].model_dump_json()  # half a surrogate passes as a text and can be kept nowhere
        except PydanticSerializationError:
            del good[-1]
            wrong.append(f"entry {number}: a text in it is no Unicode (half a surrogate)")
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            wrong.append(f"entry {number}: {where or 'it'}: {first['msg']}")
    found = Expectations(world=world, author=author, expectations=tuple(good))
    return Written(found, tuple(wrong))


def _entries(text: str) -> tuple[list[Any], list[str]]:
    decoder = json.JSONDecoder()
    found: list[Any] = []
    wrong: list[str] = []
    at = text.find("[") + 1
    if at == 0:
        return [], ["the reader answered with no list"]
    while (start := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            wrong.append(f"the list broke off or is no JSON after entry {len(found)}")
            at = text.find("\n", start) + 1  # an entry a line: the next may be whole
            if at == 0 or len(wrong) == _GIVEN_UP:
                break
            continue
        found.append(value)
    return found, wrong


def grammar(machine: Machine, number: int) -> str:
    """A list of at most `number` expectations over the names of this Machine, in Lark."""
    names = [v for v in machine.variables if v.role in ROLES]
    pairs = " | ".join(_pair(machine, variable) for variable in names) or '"\\"none\\": 0"'
    changes = " | ".join(_quoted(json.dumps(v.name)) for v in names) or '"\\"none\\""'
    longest = max((len(proof) for proof in machine.proofs), default=0)
    where = "(before | free)" if longest else "free"
    return "\n".join([
        f'start: "[" entry (",\\n" entry){{0,{number - 1}}} "]"',
        'entry: "{\\"about\\": " QUOTE ", \\"because\\": " QUOTE ", \\"variant\\": " VARIANT '
        f'{where} ", \\"expect\\": " expect "}}"',
        'before: ", \\"before\\": " BEFORE given typed?',
        "free: given typed",
        'given: ", \\"given\\": {" values? "}"',
        'typed: ", \\"command\\": " QUOTE',
        'expect: WORD | "{\\"outcome\\": " OUTCOME ", \\"status\\": " STATUS '
        '(", \\"values\\": {" values "}")? (", \\"changes\\": {" change "}")? '
        '(", \\"says\\": [" QUOTE "]")? (", \\"omits\\": [" QUOTE "]")? "}"',
        'values: pair (", " pair){0,3}',
        f"pair: {pairs}",
        f'change: ({changes}) ": " CHANGE',
        f"VARIANT: {_numbers(range(min(len(machine.variants), 50)))}",
        f"BEFORE: {_numbers(range(1, max(longest, 1) + 1))}",
        f"WORD: {_words('ok', 'refused', 'won', 'lost', 'not_won')}",
        f"OUTCOME: {_words('ok', 'refused')}",
        f"STATUS: {_words('running', 'won', 'lost', 'not_won')}",
        f"CHANGE: {_words('more', 'less', 'same', 'other')}",
        'QUOTE: /"[^"\\\\\\x00-\\x1f]{1,120}"/',
        "",
    ])  # fmt: skip


def _numbers(numbers: range) -> str:
    return " | ".join(_quoted(str(number)) for number in numbers)


def _words(*words: str) -> str:
    return " | ".join(_quoted(json.dumps(word)) for word in words)


def _pair(machine: Machine, variable: Any) -> str:
    head = _quoted(json.dumps(variable.name) + ": ")
    if variable.kind == "bool":
        return f'{head} ("true" | "false")'
    if variable.kind == "int":
        return f"{head} /-?[0-9]{{1,4}}/"
    called_so = [str(called(machine, variable, number)) for number in variable.domain]
    values = [_quoted(json.dumps(value)) for value in called_so]
    return f"{head} ({' | '.join(values)})" if values else f'{head} "\\"none\\""'


def _quoted(text: str) -> str:
    """`text` as a string of Lark."""
    return json.dumps(text, ensure_ascii=True)
