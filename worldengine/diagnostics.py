"""Diagnostics: what is wrong with a script, as a value.

In: a stable id, a span and words. Out: a value that is rendered in one place only
(`render_terminal`, `to_json`), so terminal and JSON can never disagree. An author's
mistake is always a Diagnostic, never an exception of ours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from worldengine.source import Span


@dataclass(frozen=True, slots=True)
class Label:
    """A second place worth looking at, with a few words about it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint. `id` outlives the wording: tests and tools rely on it."""

    id: str
    severity: str
    message: str
    span: Span
    hint: str | None = None
    labels: tuple[Label, ...] = ()


def has_errors(diagnostics: tuple[Diagnostic, ...]) -> bool:
    return any(item.severity == "error" for item in diagnostics)


# --- for machines -------------------------------------------------------------------


def to_json(diagnostic: Diagnostic) -> dict[str, str | int | None]:
    """The same words for a program: lines and columns from 1, the end exclusive."""
    source = diagnostic.span.source
    line, column = source.position(diagnostic.span.start)
    end_line, end_column = source.position(diagnostic.span.end)
    return {
        "id": diagnostic.id,
        "severity": diagnostic.severity,
        "file": source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    }


# --- for people ---------------------------------------------------------------------

WIDTH: Final = 100
_COLOURS: Final = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_BOLD: Final = "\x1b[1m"
_RESET: Final = "\x1b[0m"


def render_terminal(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """Each complaint with its line and a pointer, an empty line between two."""
    return "\n".join(_render(item, color) for item in diagnostics)


def _render(item: Diagnostic, color: bool) -> str:
    line, column = item.span.source.position(item.span.start)
    place = f"{visible(item.span.source.name)}:{line}:{column}"
    severity, message = item.severity, visible(item.message)
    if color:
        severity = f"{_COLOURS.get(severity, '')}{severity}{_RESET}"
        message = f"{_BOLD}{message}{_RESET}"
    lines = [f"{place}: {severity}[{item.id}]: {message}"]
    lines += _excerpt(item.span, "^", "")
    for label in item.labels:
        lines += _excerpt(label.span, "-", " " + visible(label.message))
    if item.hint is not None:
        lines.append(f"  = hint: {visible(item.hint)}")
    return "\n".join(lines) + "\n"


def _excerpt(span: Span, pointer: str, words: str) -> list[str]:
    """The line of the span and what points at it, cut to the width of a terminal."""
    source = span.source
    if not source.text:
        return []
    number, column = source.position(span.start)
    text = source.line(number)
    start = min(column - 1, len(text))
    end = max(start, min(start + span.end - span.start, len(text)))
    before, marked, after = text[:start], text[start:end], text[end:]
    before, marked, after = _cut(visible(before), visible(marked), visible(after))
    gutter = f"{number:>5} | "
    pointers = pointer * max(1, width(marked))
    under = " " * 5 + " | " + " " * width(before) + pointers + words
    return [(gutter + before + marked + after).rstrip(), under]


def _cut(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """Leaves out the far ends of a long line, never what is pointed at."""
    if width(before) + width(marked) + width(after) <= WIDTH:
        return before, marked, after
    marked = _keep(marked, WIDTH * 2 // 3)
    left = max(10, (WIDTH - width(marked)) // 2)
    if width(before) > left:
        before = "…" + _keep(before[::-1], left)[::-1].removeprefix("…")
    return before, marked, _keep(after, max(10, WIDTH - width(before) - width(marked)))


def _keep(text: str, room: int) -> str:
    total = 0
    for index, character in enumerate(text):
        total += width(character)
        if total > room:
            return text[:index] + "…"
    return text


def visible(text: str) -> str:
    """Control, bidirectional and lone surrogate characters as escapes; a tab as two blanks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return "  "
    category = unicodedata.category(character)
    blank = category == "Zs" and character not in " \u3000"
    hidden = category == "Cf" and character != "\u200d"
    if blank or hidden or category in ("Cc", "Cs", "Zl", "Zp"):
        code = ord(character)
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    return character


def width(text: str) -> int:
    """Columns of a terminal: wide letters and emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    total = 0
    for character in text:
        if unicodedata.combining(character) or character in "\u200d\ufe0e\ufe0f":
            continue
        total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total


# --- suggestions --------------------------------------------------------------------


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to `name`, if it is near enough; ties go to the alphabet."""
    limit = 1 if len(name) <= 4 else 2 if len(name) <= 8 else 3
    best: tuple[int, str] | None = None
    for candidate in sorted(set(candidates)):
        if candidate == name or abs(len(candidate) - len(name)) > limit:
            continue
        distance = _distance(name, candidate, limit)
        if distance <= limit and (best is None or distance < best[0]):
            best = (distance, candidate)
    return best[1] if best else None


def _distance(left: str, right: str, limit: int) -> int:
    """Edits with swaps of neighbours (optimal string alignment), given up beyond `limit`."""
    before_last: list[int] = []
    last = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        row = [i]
        for j, other in enumerate(right, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before_last, last = last, row
    return last[-1]
