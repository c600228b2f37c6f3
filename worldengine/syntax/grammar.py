"""The grammar, loaded once: text in, Lark's tree out.

In: the text of a script or of one insertion. Out: a Lark tree that still has every token,
or the words that could have stood where it stopped.
Refused: by Lark's `UnexpectedInput`, which `recovery` turns into diagnostics. Nothing here
knows what the rules mean.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Protocol, cast

from lark import Token, Tree, UnexpectedInput
from lark.parsers.lalr_interactive_parser import InteractiveParser

from worldengine import resources
from worldengine.syntax import tables

ParseTree = Tree[Token]

ENTRY_POINTS: Final = ("start", "insertion")


class Grammar(Protocol):
    """The little of Lark that this package uses."""

    def parse(self, text: str, start: str) -> ParseTree: ...

    def parse_interactive(self, text: str, start: str) -> InteractiveParser: ...


@cache
def load() -> Grammar:
    """The parser of this process."""
    return cast(Grammar, tables.load(resources.read("grammars", "world.lark")))


def accepted(error: UnexpectedInput) -> frozenset[str]:
    """The terminals that could have stood where the parser stopped."""
    state = getattr(error, "state", None)
    if state is None:
        return frozenset()
    # Lark answers this through its interactive parser only, which wants a lexer it never asks.
    idle = load().parse_interactive("", start=ENTRY_POINTS[0]).lexer_thread
    stopped: Any = InteractiveParser(cast(Any, None), state, idle)
    return frozenset(stopped.accepts())
