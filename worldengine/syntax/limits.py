"""What is refused before the grammar sees a script: size, control characters, nesting.

In: a source. Out: the text to parse (of the same length, so that every offset still points
at the same character), its comments, and the diagnostics of what is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span
from worldengine.syntax.ast import Comment

MAX_BYTES: Final = 1 << 20
MAX_NESTING: Final = 50
MAX_CHAIN: Final = 32
"""Terms in a row that make a tree deeper; beyond it the depth is measured."""
MAX_DIGITS: Final = 10
MAX_DIAGNOSTICS: Final = 20

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u2028\u2029]|\r(?!\n)")
_STRUCTURE = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|[{(]|[})]')


@dataclass(frozen=True, slots=True)
class Screened:
    """A text fit for the grammar, or the reasons why it is not."""

    text: str
    comments: tuple[Comment, ...]
    nesting: int
    refused: tuple[Diagnostic, ...]


def screen(source: Source) -> Screened:
    """Look through the characters once, before any of them means something."""
    text = source.text
    refusal = _too_big(source) or _control_character(source)
    if refusal is not None:
        return Screened("", (), 0, (refusal,))
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    comments: list[Comment] = []
    depth = deepest = 0
    for match in _STRUCTURE.finditer(text):
        first = match.group()[0]
        if first in "{(":
            depth += 1
            deepest = max(deepest, depth)
            if depth > MAX_NESTING:
                return Screened("", (), depth, (_too_deep(source, match.start()),))
        elif first in "})":
            depth = max(0, depth - 1)
        elif first == "/":
            span = Span(source, match.start(), match.end())
            comments.append(Comment(match.group()[2:].strip(), span))
    return Screened(text, tuple(comments), deepest, ())


def nesting(text: str) -> int:
    """How deep the brackets of an expression go; strings are skipped."""
    depth = deepest = 0
    for match in _STRUCTURE.finditer(text):
        if match.group() in "{(":
            depth += 1
            deepest = max(deepest, depth)
        elif match.group() in "})":
            depth -= 1
    return deepest


def _too_big(source: Source) -> Diagnostic | None:
    length = len(source.text)
    if length <= MAX_BYTES // 4:
        return None
    if length <= MAX_BYTES and len(source.text.encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return None
    return Diagnostic(
        "syntax-too-big",
        "error",
        "the script is larger than 1 MiB",
        Span(source, 0, 0),
        "a world is a few hundred lines; split a verb library into files of its own",
    )


def _control_character(source: Source) -> Diagnostic | None:
    match = _CONTROL.search(source.text)
    if match is None:
        return None
    code = ord(match.group())
    what = "carriage return" if code == 13 else "control character"
    return Diagnostic(
        "syntax-control-character",
        "error",
        f"a {what} (U+{code:04X}) cannot stand in a script",
        Span(source, match.start(), match.end()),
        "remove it; inside a string write \\n for a line break",
    )


def _too_deep(source: Source, offset: int) -> Diagnostic:
    return Diagnostic(
        "syntax-too-deep",
        "error",
        f"brackets are nested more than {MAX_NESTING} deep here",
        Span(source, offset, offset + 1),
        "name a part of it with `derive`",
    )
