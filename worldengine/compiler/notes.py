"""Where the steps of a program were written: beside a Machine, never part of it.

In: what the compiler noted while it lowered. Out: for every operator, rule and block of the
Machine, in its order, a note for each step of the program. Coverage reads them.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.source import Span

TAKEN, PASSED, INNER = 1, 0, -1
"""A branch was taken, was not taken, or is not decided yet."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A test that decides a branch written at `span`: what it means if it holds or fails."""

    span: Span
    held: int
    failed: int


@dataclass(frozen=True, slots=True)
class Note:
    """One step: a decision (or None) for each of its tests, and where what it says stands."""

    decisions: tuple[Decision | None, ...]
    said: Span | None


@dataclass(frozen=True, slots=True)
class Notes:
    """By number of the operator, rule or block, then by step."""

    operators: tuple[tuple[Note, ...], ...]
    rules: tuple[tuple[Note, ...], ...]
    blocks: tuple[tuple[Note, ...], ...]
