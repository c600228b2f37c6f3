"""Stated limits of grounding, checked while the work is done, never after it.

Grounding multiplies: actions by objects, facts by arguments, quantifiers by one another. The
meter counts what is looked at and built, so that a world which would take minutes is refused
by name after a second or two. It counts work, not time: the same script is always refused or
always accepted.
"""

from __future__ import annotations

from worldengine.source import Span

MAX_WORK = 600_000
"""Units a world may cost: about two seconds. The largest shipped world takes a twentieth; one of
forty places and five hundred things two thirds."""
MAX_OPERATORS = 20_000
"""Ground actions a world may have; rich worlds have a few hundred."""
MAX_CELLS = 20_000
"""Attributes and facts that can change."""
MAX_PIECES = 5_000
"""Pieces of text that one derived text may print, with all that it inserts."""
MAX_DIGITS = 200
"""Values of a second number parameter, which has to be grounded."""
MAX_DERIVED = 20_000
"""Ground derived values."""


class OverBudget(Exception):
    """Grounding met a stated limit; the message is for the author."""

    def __init__(self, id: str, span: Span | None, message: str, hint: str) -> None:
        super().__init__(message)
        self.id = id
        self.span = span
        self.hint = hint


class Meter:
    """Counts work. `at` is what is being ground, for the complaint."""

    __slots__ = ("at", "left")

    def __init__(self) -> None:
        self.left = MAX_WORK
        self.at: Span | None = None

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise OverBudget(
                "budget-work",
                self.at,
                "this world multiplies into more cases than the compiler will write out",
                "the case counter ran out here: use smaller kinds, or fewer nested "
                "`each`, `any` and `count`",
            )
