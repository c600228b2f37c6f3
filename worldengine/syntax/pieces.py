"""Cutting a broken script: where its items begin, and the statement around a mistake.

In: loose tokens. Out: pieces of one item each, or the range of one statement or field. All
of it is guessing by layout and words; `recovery` lets the grammar judge what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from worldengine.syntax import words
from worldengine.syntax.tokens import Loose

_OPENERS: Final = frozenset([*words.PART_WORDS, *words.FIELD_WORDS, *words.HEADER_WORDS])
_LOOSE_OPENERS: Final = _OPENERS - {"say", "text"}
_WITHIN: Final = frozenset(
    [
        "(",
        ",",
        "set",
        "when",
        "where",
        "of",
        "and",
        "or",
        "not",
        "if",
        "require",
        "match",
        "each",
        "in",
        ".",
        "!",
        "&&",
        "for",
        "foreach",
        "let",
        "var",
    ]
)
_CONTINUES: Final = frozenset(
    ["and", "or", "not", "is", "in", "else", "when", "say", "aka", "plural", "proper", "among"]
)

_GOES_ON: Final = _CONTINUES | {"where", "of", "through", "to"}
_TAKES_BRACES: Final = frozenset(
    ["world", "kind", "player", "action", "before", "after", "rule", *words.BUILT_IN_KINDS]
)


@dataclass(frozen=True, slots=True)
class Piece:
    """The tokens of one item, and whether a brace of it was never closed."""

    tokens: Sequence[Loose]
    open_braces: int


def pieces_of(tokens: Sequence[Loose]) -> list[Piece]:
    """Cuts where an item begins; a word in the first column begins one even inside braces."""
    found: list[Piece] = []
    begin = depth = parentheses = 0
    waiting = False  # for the `{` of the item
    for index, token in enumerate(tokens):
        forgotten = waiting and depth == 0 and token.text in _LOOSE_OPENERS
        forgotten |= parentheses > 0 and token.column > 1
        if (
            index > begin
            and not forgotten
            and _begins_item(tokens, index, depth, tokens[begin].text)
        ):
            found.append(Piece(tokens[begin:index], depth))
            begin = index
            depth = parentheses = 0
        if index == begin:
            waiting = token.text in _TAKES_BRACES
        if token.text in ("(", ")"):
            parentheses = max(0, parentheses + (1 if token.text == "(" else -1))
        if token.text == "{":
            waiting = False
            depth += 1
        elif token.text == "}":
            depth = max(0, depth - 1)
    if begin < len(tokens):
        found.append(Piece(tokens[begin:], depth))
    return found


def _begins_item(tokens: Sequence[Loose], index: int, depth: int, head: str) -> bool:
    token, before = tokens[index], tokens[index - 1]
    if depth > 0:
        return token.column == 1 and token.first and item_shape(tokens, index, strict=True)
    if token.text == "}":
        return True
    if token.kind == "fence":
        return True
    if before.kind == "fence":
        return True
    if before.text == "}":
        if token.text == "say":
            return head not in ("win", "lose")
        return token.kind in ("name", "odd") and token.text not in _GOES_ON
    if not token.first:
        return before.kind == "string" and item_shape(tokens, index, strict=True)
    if item_shape(tokens, index, strict=False):
        return True
    return token.text in _LOOSE_OPENERS or (
        token.column == 1 and token.kind in ("name", "odd") and token.text not in _CONTINUES
    )


def item_shape(tokens: Sequence[Loose], index: int, strict: bool) -> bool:
    token = tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.kind != "name" or after is None:
        return False
    if token.text == "world" or token.text in words.ITEM_WORDS:
        if token.text in ("win", "lose"):
            return after.text not in ("=", ":", ".")
        if token.text in ("start", "vary", "player", "proof"):
            return after.kind in ("name", "string") or after.text in ("{", "(")
        return after.kind in ("name", "odd") or (not strict and after.text not in ("=", ":"))
    if token.text in words.TAG_WORDS:
        return False
    third = tokens[index + 2] if index + 2 < len(tokens) else None
    named = after.kind in ("name", "odd") and third is not None and not after.first
    return named and third is not None and third.kind in ("string", "number")


def opens(tokens: Sequence[Loose], index: int) -> bool:
    """Does a statement or field begin with this token?"""
    return index < len(tokens) and _opens(tokens, index)


def region_of(tokens: Sequence[Loose], at: int, to_the_end: bool = False) -> tuple[int, int] | None:
    """The statement or field around token `at`; None where the head of the item is at fault."""
    if at >= len(tokens):
        return None
    if tokens[at].text == "}" and at:
        at -= 1
    begin = _opener_before(tokens, at)
    if begin is None:
        return None
    depth = tokens[begin].depth
    for index in range(max(at, begin + 1), len(tokens)):
        token = tokens[index]
        ends = not to_the_end and token.depth == depth and _opens(tokens, index)
        if token.depth < depth or ends:
            return tokens[begin].start, token.start
    return None


def _opener_before(tokens: Sequence[Loose], at: int) -> int | None:
    depth = tokens[at].depth
    for index in range(at, -1, -1):
        token = tokens[index]
        if token.text == "{" and token.depth == depth - 1 and tokens[index - 1].text != "in":
            return index + 1 if index + 1 <= at else None
        depth = min(depth, token.depth)
        if depth == 0:
            return None
        if token.depth == depth and _opens(tokens, index):
            return index
    return None


def _opens(tokens: Sequence[Loose], index: int) -> bool:
    token = tokens[index]
    if token.kind not in ("name", "odd"):
        return False
    before = tokens[index - 1].text if index else ""
    if token.text == "if" and before == "else":
        return False
    if token.text in _OPENERS:
        return before not in (".", "in")
    if token.first and token.text not in _GOES_ON:
        return True
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    assigns = after is not None and after.text in (":", "=", ":=")
    return assigns and before not in _WITHIN
