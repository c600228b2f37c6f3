"""PDDL text → nested lists of lower-case words, each with its span.

In: a source. Out: what stands at the top level, and diagnostics. Tolerated: Markdown fences,
upper case, what follows a stray closing parenthesis. Refused: a list that is never closed,
too much text, too deep a nest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from lark import Lark, Token, Tree

from worldengine import resources
from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span

MAX_CHARACTERS: Final = 4_000_000
MAX_NESTING: Final = 100
MAX_MISSING: Final = 2
"""Parentheses that may lack at the end of a file; with more, nobody knows what was meant."""
_FENCE: Final = re.compile(r"^[ \t]*```.*$", re.MULTILINE)
_BRACKETS: Final = re.compile(r";[^\n]*|[()]")


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[Item, ...]
    span: Span

    @property
    def head(self) -> str:
        """The first word, or "" for an empty list and one that begins with a list."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Item: TypeAlias = Word | Listed


class Refused(Exception):
    """A part that cannot be imported; the diagnostic says why."""

    def __init__(self, id: str, span: Span, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(id, "error", message, span, hint)


def warning(id: str, span: Span, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(id, "warning", message, span, hint)


def read(source: Source) -> tuple[tuple[Item, ...], tuple[Diagnostic, ...]]:
    """The top level of a PDDL file. Raises Refused where brackets do not fit."""
    if len(source.text) > MAX_CHARACTERS:
        raise Refused(
            "pddl-too-long",
            Span(source, 0, 0),
            f"this file has more than {MAX_CHARACTERS:,} characters",
        )
    text = _FENCE.sub(lambda match: " " * len(match[0]), source.text)
    found: list[Diagnostic] = []
    tree = _grammar().parse(_closed(source, text, found))
    return tuple(_item(source, child) for child in tree.children), tuple(found)


def _closed(source: Source, text: str, found: list[Diagnostic]) -> str:
    """The text up to a closing parenthesis too many, and with the last ones if they lack."""
    opened: list[int] = []
    for match in _BRACKETS.finditer(text):
        place = Span(source, match.start(), match.start() + 1)
        if match[0] == "(":
            opened.append(match.start())
            if len(opened) > MAX_NESTING:
                raise Refused("pddl-too-deep", place, f"lists nest deeper than {MAX_NESTING}")
        elif match[0] == ")":
            if not opened:
                found.append(
                    warning(
                        "pddl-stray-bracket",
                        place,
                        "this `)` closes nothing; what follows it is left out",
                    )
                )
                return text[: match.start()]
            opened.pop()
    if opened:
        place = Span(source, opened[0], opened[0] + 1)
        words = f"this `(` is never closed: `{')' * len(opened)}` lacks at the end of the file"
        if len(opened) > MAX_MISSING:
            raise Refused("pddl-not-closed", place, words)
        found.append(warning("pddl-not-closed", place, words))
    return text + "\n" + ")" * len(opened)


def _item(source: Source, node: Tree[Token] | Token) -> Item:
    if isinstance(node, Token):
        start = node.start_pos or 0
        return Word(str(node).lower(), Span(source, start, start + len(node)))
    first, *inner, last = node.children
    assert isinstance(first, Token) and isinstance(last, Token)
    span = Span(source, first.start_pos or 0, (last.start_pos or 0) + 1)
    return Listed(tuple(_item(source, child) for child in inner), span)


@cache
def _grammar() -> Lark:
    text = resources.read("grammars", "pddl.lark")
    return Lark(text, parser="lalr", lexer="contextual", keep_all_tokens=True)
