"""Turns that are left, which remember what was asked of them.

In: a number. Out: a `Left` that compares as the number does. What is worked out with it
holds for every number that would have given the same answers: from `low` up to, but not
with, `high`. So work is shared by players that differ in nothing but their turns.
"""

from __future__ import annotations

from dataclasses import dataclass

FOREVER = 1 << 60


@dataclass(slots=True)
class Span:
    """The numbers from `low` up to, but not with, `high`; `turns` is one of them."""

    turns: int
    low: int = -FOREVER
    high: int = FOREVER

    def narrow(self, low: int, high: int) -> None:
        """Only what is in both spans is left."""
        self.low, self.high = max(self.low, low), min(self.high, high)

    def reach(self, bound: int) -> bool:
        """Whether there are so many turns."""
        if self.turns >= bound:
            self.low = max(self.low, bound)
            return True
        self.high = min(self.high, bound)
        return False


class Left:
    """See the module: `span`'s number less `spent`."""

    __slots__ = ("_spent", "span")

    def __init__(self, span: Span, spent: int = 0) -> None:
        self.span = span
        self._spent = spent

    def __sub__(self, other: int) -> Left:
        return Left(self.span, self._spent + other)

    def __add__(self, other: int) -> Left:
        return Left(self.span, self._spent - other)

    def __ge__(self, other: int) -> bool:
        return self.span.reach(other + self._spent)

    def __gt__(self, other: int) -> bool:
        return self.span.reach(other + self._spent + 1)

    def __le__(self, other: int) -> bool:
        return not self.span.reach(other + self._spent + 1)

    def __lt__(self, other: int) -> bool:
        return not self.span.reach(other + self._spent)

    def more(self, other: Left) -> bool:
        """Whether it is as many as another of the same span, or more; that tells nothing of
        the number itself."""
        return self._spent <= other._spent


NONE_TOLD = Left(Span(0))
"""What a belief has that nobody has counted the turns of."""
