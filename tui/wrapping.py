"""Breaking rows into lines of a given width in terminal cells.

In: a row's spans and a width. Out: lines of spans, none wider than the width. Words stay
whole where they fit; a word that does not is broken between characters, never before a
combining one. It costs microseconds a row, so a long transcript can be broken anew while a
window is being dragged.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from .rows import Row, Span

Line = tuple[Span, ...]


def wrap(row: Row, width: int) -> list[Line]:
    """The lines of a row; at least one, which may be empty."""
    width = max(1, width)
    text = row.text
    if cell_len(text) <= width:
        return [row.spans]
    if row.fixed:
        return [_cut(row.spans, 0, _fitting(text, 0, width))]
    indent = min(row.indent, max(0, width - 2) // 2)
    pieces = list(_pieces(text, width, width - indent))
    lines = [_cut(row.spans, start, end) for start, end in pieces]
    pad: Line = ((" " * indent, ""),) if indent else ()
    return [lines[0], *((*pad, *line) for line in lines[1:])]


def _pieces(text: str, first: int, rest: int) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends. Blanks at a break belong to no line."""
    start, room, length = 0, first, len(text)
    while start < length:
        end = _fitting(text, start, room)
        if end >= length:
            yield start, length
            return
        space = text.rfind(" ", start, end + 1)
        cut = space if space > start and text[start:space].strip() else end
        yield start, cut
        start = cut
        while start < length and text[start] == " ":
            start += 1
        room = rest


def _fitting(text: str, start: int, room: int) -> int:
    """The end of the longest stretch from `start` that fits; always at least one character."""
    guess = text[start : start + room]
    if guess.isascii():
        return start + len(guess)
    used, end = 0, start
    while end < len(text):
        size = cell_len(text[end])
        if used + size > room and end > start:
            break
        used += size
        end += 1
    return end


def _cut(spans: tuple[Span, ...], start: int, end: int) -> Line:
    """The part of the spans between two places in their text."""
    found: list[Span] = []
    at = 0
    for text, tone in spans:
        low, high = max(start - at, 0), min(end - at, len(text))
        if low < high:
            found.append((text[low:high], tone))
        at += len(text)
    return tuple(found)
