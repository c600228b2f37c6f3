"""How long this process has been compiling: time that no search has had.

In: the beginning and the end of each compilation, as `notices` reports them. Out: `compiling()`,
seconds so far, those of a compilation under way among them. Nothing of numba is loaded here.
"""

from __future__ import annotations

from time import monotonic


class _Spent:
    """Compilations may lie in each other; they are counted once. By numba's lock those that are
    reported at one time are of one thread."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.begun: list[float] = []


_SPENT = _Spent()


def begin_compiling() -> None:
    """A compilation begins."""
    _SPENT.begun.append(monotonic())


def end_compiling() -> None:
    """The one that began last has ended."""
    if len(_SPENT.begun) == 1:
        _SPENT.seconds += monotonic() - _SPENT.begun[0]
    _SPENT.begun.pop()


def compiling() -> float:
    """Seconds that have gone into compiling since the process began. Asked from any thread: where
    one ends at this very moment it counts twice for once, and never not at all."""
    under_way = _SPENT.begun[:1]
    return _SPENT.seconds + (monotonic() - under_way[0] if under_way else 0.0)
