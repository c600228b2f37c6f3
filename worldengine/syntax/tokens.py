"""A tolerant reading of a broken script: whatever the characters, tokens come out.

In: any text. Out: loose tokens with their place, for `recovery` and `explain` only. The
grammar's own lexer is stricter and decides what is right; this one only looks around.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_PATTERN: Final = re.compile(
    r"""
    (?P<skip>[ \t\r\n]+|//[^\n]*)
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<unclosed>"[^\n]*)
  | (?P<smart>[“”„«‘‚][^\n“”„«»‘’‚]{0,200}[“”»’‘]|[“”„«»‘’‚])
  | (?P<single>'[^'\n]{0,200}'(?!\w))
  | (?P<fence>```[^\n]*|~~~[^\n]*)
  | (?P<block>/\*)
  | (?P<name>[a-z_][a-z0-9_]*(?!\w))
  | (?P<odd>\w*[^\W\d]\w*)
  | (?P<number>[0-9]+)
  | (?P<op>\.\.\.|\.\.|:=|\+=|-=|==|=>|->|!=|<=|>=|=<|<>|&&|\|\||\+\+|--|::|[^\w\s])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Loose:
    """One token; `depth` counts the braces around it, `first` says it opens its line."""

    kind: str
    text: str
    start: int
    end: int
    depth: int
    first: bool
    column: int


def scan(text: str, begin: int = 0) -> list[Loose]:
    """All tokens from `begin` on. A closing brace has the depth of its opening one."""
    found: list[Loose] = []
    depth = 0
    line_start = text.rfind("\n", 0, begin) + 1
    first = not text[line_start:begin].strip()
    for match in _PATTERN.finditer(text, begin):
        kind = match.lastgroup
        assert kind is not None
        if kind == "skip":
            newline = match.group().rfind("\n")
            if newline >= 0:
                line_start = match.start() + newline + 1
                first = True
            continue
        word = match.group()
        if word == "}":
            depth = max(0, depth - 1)
        column = match.start() - line_start + 1
        found.append(Loose(kind, word, match.start(), match.end(), depth, first, column))
        first = False
        if word == "{":
            depth += 1
    return found


def index_at(tokens: Sequence[Loose], offset: int) -> int:
    """The first token that ends beyond `offset`; the number of tokens if there is none."""
    low, high = 0, len(tokens)
    while low < high:
        middle = (low + high) // 2
        if tokens[middle].end <= offset:
            low = middle + 1
        else:
            high = middle
    return low
