"""From a Machine's locations to the spans that diagnostics carry.

In: a span index of a Machine and the Source it was compiled from. Out: a Span in it. A
location in another file (the library of verbs) has no text here; it becomes the span of
the file's beginning under that file's name, so that the message still says where.
"""

from __future__ import annotations

import re
from typing import Final

from worldengine.machine.schema import Location, Machine
from worldengine.source import NOWHERE, Source, Span

# The Machine keeps no spans of its header and proofs; they stand in the source in order.
_PROOF: Final = re.compile(r"^[ \t]*proof\b", re.MULTILINE)
_VARY: Final = re.compile(r"^[ \t]*vary\b.*", re.MULTILINE)
_TURNS: Final = re.compile(r"^[ \t]*turns\s+\d+", re.MULTILINE)
_HEADER: Final = re.compile(r"^[ \t]*world\s+\w+", re.MULTILINE)


def location_of(machine: Machine, span: int) -> Location | None:
    """The location of a part, None for what no author wrote."""
    return machine.spans[span] if 0 <= span < len(machine.spans) else None


def span_of(machine: Machine, span: int, source: Source) -> Span:
    """The span of a part of the Machine in its source."""
    location = location_of(machine, span)
    return NOWHERE if location is None else located(location, source)


def located(location: Location, source: Source) -> Span:
    """The span of a location; see the module for other files."""
    if location.file != source.name:
        return Span(Source(location.file, ""), 0, 0)
    return Span(
        source,
        _offset(source, location.line, location.column),
        _offset(source, location.end_line, location.end_column),
    )


def _offset(source: Source, line: int, column: int) -> int:
    if not 1 <= line <= len(source.line_starts):
        return 0
    return min(source.line_starts[line - 1] + column - 1, len(source.text))


def proof_span(source: Source, proof: int) -> Span:
    """The keyword of the proof with this number."""
    starts = [match.end() - len("proof") for match in _PROOF.finditer(source.text)]
    if proof >= len(starts):
        return header_span(source)
    return Span(source, starts[proof], starts[proof] + len("proof"))


def turns_span(source: Source) -> Span:
    """The `turns N` of the header, or the header."""
    match = _TURNS.search(source.text)
    if match is None:
        return header_span(source)
    return Span(source, match.start() + len(match[0]) - len(match[0].lstrip()), match.end())


def header_span(source: Source) -> Span:
    """`world NAME`."""
    match = _HEADER.search(source.text)
    return Span(source, match.start(), match.end()) if match else Span(source, 0, 0)


def vary_span(source: Source) -> Span:
    """The first line that varies the start, or the header."""
    match = _VARY.search(source.text)
    if match is None:
        return header_span(source)
    return Span(source, match.start() + len(match[0]) - len(match[0].lstrip()), match.end())
