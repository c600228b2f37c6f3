"""Commands grouped by verb, and completion of what is being typed.

In: a session, a typed prefix. Out: rows and ranked candidates. Known commands are what a
player can work out from what was shown; applicable ones are an oracle's list and are marked
as the spoiler they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worldengine.matching.normal import normalise
from worldengine.matching.vocabulary import object_names

from .rows import BLANK, Row, Span, heading, row
from .session import Session

MOVES = ("undo", "redo", "again", "restart")
RANGE = re.compile(r"(?<!\S)-?[0-9]+\.\.-?[0-9]+(?!\S)")
FUZZY_LIMIT = 4_000
"""Candidates that the slow comparison looks at."""


def grouped(texts: Sequence[str]) -> dict[str, list[str]]:
    """Commands by their first word, in the order in which they came."""
    found: dict[str, list[str]] = {}
    for text in texts:
        found.setdefault(text.split(" ", 1)[0], []).append(text)
    return found


def rows(session: Session, spoilers: bool) -> list[Row]:
    """Every command, under its verb. Choosing one plays it."""
    if session.at.over:
        return [row(("The play is over; nothing more is accepted.", "muted"))]
    if spoilers:
        texts = session.applicable()
        shown = [
            row(("SPOILER", "warn"), (f" {len(texts)} commands are accepted now", "muted")),
            row(("s shows what a player knows instead", "muted")),
        ]
    else:
        texts = session.known()
        shown = [
            row((f"{len(texts)} commands from what has been shown", "muted")),
            row(("s shows what is accepted now (a spoiler)", "muted")),
        ]
    for verb, members in grouped(texts).items():
        shown += [BLANK, heading(verb, str(len(members)) if len(members) > 1 else "")]
        shown += [_command(text) for text in members]
    return shown


def _command(text: str) -> Row:
    spans = _with_range(text)
    if RANGE.search(text):
        return row(("  ", ""), *spans, action="fill", value=before_range(text))
    return row(("  ", ""), *spans, action="play", value=text, indent=4)


def _with_range(text: str) -> list[Span]:
    match = RANGE.search(text)
    if match is None:
        return [(text, "command")]
    return [
        (text[: match.start()], "command"),
        (match[0], "note"),
        (text[match.end() :], "command"),
    ]


def before_range(text: str) -> str:
    """A command up to the number that is still to be typed."""
    match = RANGE.search(text)
    return text if match is None else text[: match.start()]


# -- completion ----------------------------------------------------------------------------


def complete(session: Session, typed: str, most: int = 8) -> tuple[str, ...]:
    """The best continuations of what has been typed, best first. Empty text has none."""
    line = normalise(typed)
    if not line or (session.at.over and not any(move.startswith(line) for move in MOVES)):
        return ()
    candidates = (*session.known(), *MOVES)
    found = _ranked(line, candidates, most)
    if len(found) < most:
        found += [text for text in _named(session, typed) if text not in found]
    return tuple(text for text in found[:most] if normalise(text) != line)


def _ranked(line: str, candidates: Sequence[str], most: int) -> list[str]:
    """Those that begin so, then those whose words do, then those with the letters in order."""
    words = line.split()
    lowered = [(text.lower(), text) for text in candidates]
    starting = [text for low, text in lowered if low.startswith(line)]
    starting.sort(key=len)
    if len(starting) >= most:
        return starting[:most]
    holding = [
        text
        for low, text in lowered
        if not low.startswith(line) and all(_begins_word(low, word) for word in words)
    ]
    holding.sort(key=len)
    found = starting + holding
    if len(found) < most and len(line) > 1:
        have = set(found)
        loose = [
            (score, len(text), text)
            for low, text in lowered[:FUZZY_LIMIT]
            if text not in have and (score := _letters(line, low)) is not None
        ]
        found += [text for _, _, text in sorted(loose)]
    return found[:most]


def _begins_word(text: str, word: str) -> bool:
    return text.startswith(word) or f" {word}" in text


def _letters(line: str, text: str) -> int | None:
    """How far apart the letters of `line` stand in `text`, in order; None if they do not."""
    at = -1
    first = -1
    for letter in line:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    return at - first


def _named(session: Session, typed: str) -> Iterator[str]:
    """The text with its last word completed to a name that has been shown."""
    head, _, last = typed.rpartition(" ")
    start = normalise(last)
    if not head or not start:
        return
    for index, subject in enumerate(session.machine.objects):
        name = session.at.knowledge.name(session.machine, index)
        if name and any(_begins_word(known, start) for known in object_names(subject)):
            yield f"{head} {name}"
