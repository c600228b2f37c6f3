"""The grammar, loaded once: text in, Lark's tree out.

In: the text of a script or of one insertion. Out: a Lark tree that still has every token.
Refused: by Lark's `UnexpectedInput`, which `recovery` turns into diagnostics. Nothing here
knows what the rules mean.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Protocol, cast

from lark import Lark, Token, Tree

ParseTree = Tree[Token]

ENTRY_POINTS: Final = ["start", "insertion"]


class Grammar(Protocol):
    """The little of Lark that this package uses."""

    def parse(self, text: str, start: str) -> ParseTree: ...


def grammar_text() -> str:
    """The text of `world.lark`, wherever the package is installed."""
    packaged = files("worldengine").joinpath("grammars", "world.lark")
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    beside = Path(__file__).parents[2] / "grammars" / "world.lark"
    return beside.read_text(encoding="utf-8")


@cache
def load() -> Grammar:
    """The parser of this process. Lark's own cache is not used: it is a pickle."""
    lark = Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        start=ENTRY_POINTS,
        keep_all_tokens=True,
        maybe_placeholders=False,
    )
    return cast(Grammar, lark)
