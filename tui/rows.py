"""What panels show, as plain values: rows of spans, each a text and the tone it is said in.

In: words of any kind. Out: rows that a widget can draw. A tone is a name ("muted", "good"),
never a colour and never markup, so whatever a world or a person writes is only ever text.
Control characters are made visible here, at the one door through which text comes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from worldengine.diagnostics import visible

SHORT: Final = 64
"""Characters of a text that is kept once it was made fit to be shown."""
Span = tuple[str, str]
"""A text without line breaks, and its tone ("" is the ordinary one)."""

TONES: Final = (
    "muted", "strong", "command", "good", "bad", "warn", "note", "title", "accent", "mark",
)  # fmt: skip


class Row(NamedTuple):
    """One entry of a panel. `action` and `value` tell what choosing it does ("" is nothing);
    `indent` is how far wrapped lines stand in; a `fixed` row is a picture: cut, not wrapped."""

    spans: tuple[Span, ...]
    action: str = ""
    value: object = None
    indent: int = 0
    fixed: bool = False

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.spans)


@lru_cache(maxsize=8_192)
def _kept(text: str) -> str:
    return visible(text)


def span(text: str, tone: str = "") -> Span:
    """A span of one line of foreign text. Short ones come again and again and are kept."""
    return _kept(text) if len(text) <= SHORT else visible(text), tone


def row(*parts: str | Span, action: str = "", value: object = None, indent: int = 0) -> Row:
    """A row of parts; a bare string has the ordinary tone."""
    spans = [span(part) if isinstance(part, str) else span(*part) for part in parts]
    return Row(tuple(spans), action, value, indent)


def rows_of(text: str, tone: str = "", indent: int = 0) -> list[Row]:
    """A text of several lines, a row each."""
    return [row((line, tone), indent=indent) for line in text.split("\n")]


def heading(text: str, note: str = "") -> Row:
    """A title over the rows that follow."""
    return row((text, "title"), *(((f"  {note}", "muted"),) if note else ()))


BLANK: Final = Row(())


def bar(part: float, width: int) -> str:
    """A bar of `width` cells, drawn so that it reads without colour."""
    full = max(0, min(width, round(part * width)))
    return "█" * full + "░" * (width - full)
