"""Source text and the spans that point into it.

In: the text of one script and the name a person knows it by. Out: frozen values that
every later stage passes forward, so that whatever goes wrong can be shown where it was
written. Nothing here opens a file.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Source:
    """One script's text under the name shown in diagnostics (a path, or `<text>`)."""

    name: str
    text: str
    line_starts: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0]
        for offset, character in enumerate(self.text):
            if character == "\n":
                starts.append(offset + 1)
        object.__setattr__(self, "line_starts", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, both counted from 1, columns in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1) without its line ending."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range [start, end) of characters of one source."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the beginning of this span to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))


NOWHERE = Span(Source("<none>", ""), 0, 0)
"""The span of what no author wrote (defaults made by the compiler)."""
