"""A script the grammar refused → every independent mistake in it.

In: the source and the first error. Out: diagnostics. The script is cut where its items
begin; an item that does not parse is explained, the statement at fault is blanked (so that
all offsets stay) and the item is tried again. Nothing here builds a document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from lark import UnexpectedInput

from worldengine.diagnostics import Diagnostic, Label, did_you_mean
from worldengine.source import Source, Span
from worldengine.syntax import explain, grammar, words
from worldengine.syntax.expressions import Placed
from worldengine.syntax.heads import SHAPES
from worldengine.syntax.insertions import Insertions
from worldengine.syntax.limits import MAX_DIAGNOSTICS
from worldengine.syntax.pieces import Piece, item_shape, opens, pieces_of, region_of
from worldengine.syntax.tokens import Loose, index_at, scan
from worldengine.syntax.tree import DocumentBuilder

MAX_TRIES: Final = 8
"""Mistakes looked for within one item."""
MAX_EXAMINED: Final = 100_000
"""Characters that are read again, item by item; no script of a usual size is longer."""

_BEGINS: Final = frozenset(["SET", "DESCRIBE", "PERSONA"])
_LINE_START: Final = re.compile(
    rf"^(?:{'|'.join(words.ITEM_WORDS + words.BUILT_IN_KINDS)})[ \t]", re.MULTILINE
)


def recover(source: Source, text: str, error: UnexpectedInput, library: bool) -> list[Diagnostic]:
    """All mistakes that can be told apart, at most `MAX_DIAGNOSTICS`."""
    found: list[Diagnostic] = []
    begin, end = _window(text, explain.position(error, text))
    text = _without_fences(source, text[:end], begin, found)
    tokens = scan(text, begin)
    pieces = pieces_of(tokens)
    if begin == 0:
        found += _misplaced_headers(source, pieces, library, whole=end == len(source.text))
    failures = 0
    misplaced = False
    for index, piece in enumerate(pieces):
        if len(found) >= MAX_DIAGNOSTICS or failures > 2 * MAX_DIAGNOSTICS:
            break
        cut = index == len(pieces) - 1 and end < len(source.text)
        new = _examine(source, text, piece, cut)
        failures += bool(new)
        outside = any(item.id in ("syntax-misplaced", "syntax-prose") for item in new)
        if not (outside and misplaced):
            found += new
        misplaced = outside
    if not found:
        found.append(explain.explain(explain.stop(error, Placed(source), tokens, 0)))
    return found


def _window(text: str, failed: int) -> tuple[int, int]:
    """What is looked at: all of a usual script, the surroundings of the error in a huge one."""
    if len(text) <= MAX_EXAMINED:
        return 0, len(text)
    starts = list(_LINE_START.finditer(text, 0, failed))
    begin = starts[-1].start() if starts else 0
    return begin, min(len(text), max(begin, failed) + MAX_EXAMINED // 2)


def header_missing(source: Source) -> Diagnostic:
    first = next(iter(scan(source.text[:2000])), None)
    span = Span(source, first.start, first.end) if first else Span(source, 0, 0)
    message = "a world begins with its header"
    return Diagnostic("syntax-header-missing", "error", message, span, SHAPES["world"])


def header_twice(span: Span) -> Diagnostic:
    message = "a script has one header, and this is a second"
    hint = "put a second world into a file of its own"
    return Diagnostic("syntax-header-twice", "error", message, span, hint)


def header_late(span: Span) -> Diagnostic:
    message = "the header comes first, before all items"
    return Diagnostic("syntax-header-place", "error", message, span, "move it to the beginning")


def header_in_library(span: Span) -> Diagnostic:
    first = Span(span.source, span.start, min(span.end, span.start + len("world")))
    message = "a library of verbs has no header"
    return Diagnostic("syntax-header-in-library", "error", message, first, "remove it")


# --- examining one item -------------------------------------------------------------


def _examine(source: Source, text: str, piece: Piece, cut: bool) -> list[Diagnostic]:
    tokens = piece.tokens
    first = tokens[0]
    if first.text == "}":
        span = Span(source, first.start, first.end)
        hint = "remove it; or an item before it is closed too early"
        return [
            Diagnostic("syntax-unbalanced-brace", "error", "this `}` closes nothing", span, hint)
        ]
    found: list[Diagnostic] = []
    if piece.open_braces and not cut:
        found.append(_unclosed(source, tokens))
    base, end = first.start, tokens[-1].end
    body = text[base:end]
    reached = -1
    for _ in range(max(1, min(MAX_TRIES, 2 * MAX_EXAMINED // (end - base)))):
        insertions = Insertions(source)
        try:
            tree = grammar.load().parse(body + "}" * piece.open_braces, start="start")
        except UnexpectedInput as error:
            placed = Placed(source, base)
            moved = [replace(t, start=t.start - base, end=t.end - base) for t in tokens]
            stopped = explain.stop(error, placed, moved, 0)
            if stopped.offset <= reached or (piece.open_braces and not stopped.closed):
                break
            if piece.open_braces and stopped.at >= len(tokens):
                break
            found.append(explain.explain(_at_item(stopped)))
            blamed = index_at(moved, found[-1].span.start - base)
            blamed = min(blamed, stopped.at)
            if blamed == stopped.at and opens(moved, blamed) and not _BEGINS & stopped.accepted:
                blamed -= 1  # what stands before was left unfinished
            arrow = found[-1].id == "syntax-arrow"  # further cases are written the same way
            region = region_of(moved, max(0, blamed), to_the_end=arrow)
            if region is None:
                break
            reached = max(stopped.offset, region[1] - 1)
            body = body[: region[0]] + " " * (region[1] - region[0]) + body[region[1] :]
        else:
            builder = DocumentBuilder(Placed(source, base), insertions)
            builder.build(tree)
            return [*found, *builder.diagnostics, *insertions.diagnostics]
    return found


def _at_item(stopped: explain.Stop) -> explain.Stop:
    """A piece may hold several items on one line: the last one that began is at fault."""
    head = stopped.head
    for index in range(stopped.head + 1, min(stopped.at, len(stopped.tokens))):
        token = stopped.tokens[index]
        if token.depth == 0 and item_shape(stopped.tokens, index, strict=True):
            before = stopped.tokens[index - 1]
            if before.text == "}" or before.kind == "string" or token.first:
                head = index
    return replace(stopped, head=head)


def _unclosed(source: Source, tokens: Sequence[Loose]) -> Diagnostic:
    """Points at the item, and at the brace that the indentation makes the likely one."""
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.text == "{":
            opened.append(index)
        elif token.text == "}" and opened:
            opened.pop()
    name = next((i for i, t in enumerate(tokens[:3]) if t.text == "{"), 2)
    head = Span(source, tokens[0].start, tokens[max(0, min(name, 2) - 1)].end)
    brace = _suspect(tokens, opened)
    label = Label(Span(source, brace.start, brace.end), "opened here")
    return Diagnostic(
        "syntax-unclosed-brace",
        "error",
        f"`{head.text}` is never closed: a `}}` is missing",
        head,
        "add `}` where the block ends",
        (label,),
    )


def _suspect(tokens: Sequence[Loose], opened: list[int]) -> Loose:
    """A brace whose line is indented deeper than the `}` that closes it is the culprit."""
    stack: list[tuple[Loose, int]] = []
    indent = 1
    for token in tokens:
        if token.first:
            indent = token.column
        if token.text == "{":
            stack.append((token, indent))
        elif token.text == "}" and stack:
            opening, column = stack.pop()
            if token.first and token.column < column:
                return opening
    return tokens[opened[-1]]


# --- the whole ----------------------------------------------------------------------


def _without_fences(source: Source, text: str, begin: int, found: list[Diagnostic]) -> str:
    """A script wrapped in a Markdown block: one complaint, and only the inside is read."""
    fences = [token for token in scan(text, begin) if token.kind == "fence" and token.first]
    if not fences:
        return text
    first, last = fences[0], fences[-1]
    span = Span(source, first.start, first.end)
    message = "a script is not wrapped in a Markdown code block"
    hint = "remove the lines of backticks and everything outside them"
    found.append(Diagnostic("syntax-markdown-fence", "error", message, span, hint))
    end = len(text) if first is last else last.start
    inside = first.end if text[first.end :].strip() else 0
    return " " * inside + text[inside:end]


def _misplaced_headers(
    source: Source, pieces: Sequence[Piece], library: bool, whole: bool
) -> list[Diagnostic]:
    headers = [i for i, piece in enumerate(pieces) if piece.tokens[0].text == "world"]
    found: list[Diagnostic] = []
    for count, index in enumerate(headers):
        first = pieces[index].tokens[0]
        span = Span(source, first.start, first.end)
        if library:
            found.append(header_in_library(span))
        elif count:
            found.append(header_twice(span))
        elif index and not _only_prose(pieces[:index]):
            found.append(header_late(span))
    if not headers and whole and not library and not _misspelt_header(pieces):
        found.append(header_missing(source))
    return found


def _only_prose(pieces: Sequence[Piece]) -> bool:
    """Nothing before the header looks like an item: that is told as prose already."""
    return not any(
        piece.tokens[0].text in words.ITEM_WORDS or item_shape(piece.tokens, 0, strict=True)
        for piece in pieces
    )


def _misspelt_header(pieces: Sequence[Piece]) -> bool:
    return any(
        did_you_mean(piece.tokens[0].text.lower(), ["world"]) or piece.tokens[0].text == "World"
        for piece in pieces[:2]
    )
