"""The line that says a command is compiling, where nothing else would tell why it waits.

In: the first compilation of a room's functions. Out: one line on standard
error for each room, terminal or not: what is compiled, how long it takes, whether it is kept.
Worker processes whose parent has said it say nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from worldengine.batch.compiling.compile_time import begin_compiling, end_compiling

_TOLD = "WORLDENGINE_TOLD"
"""In the environment, since worker processes inherit it: the rooms that have been told of."""


@dataclass(frozen=True, slots=True)
class Notice:
    """`package` holds the compiled functions; `what` and `takes` go into the line; `kept` tells
    whether the next run finds them."""

    package: str
    what: str
    takes: str
    kept: bool
    covers: tuple[str, ...] = ()
    """Packages that are compiled for this one, within the same time."""

    def tell(self, takes: str = "") -> None:
        """Say it, unless it has been said; `takes` if it is known better than usual."""
        told = os.environ.get(_TOLD, "").split()
        if self.package not in told:
            os.environ[_TOLD] = " ".join([*told, self.package, *self.covers])
            kept = "once" if self.kept else "in every run (the cache cannot be written)"
            print(
                f"compiling {self.what}, {kept}: {takes or self.takes}", file=sys.stderr, flush=True
            )


class _Compilations:
    """Compilations may lie in each other: one that is part of another room's is not told."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.open: list[str] = []  # modules; by the lock of entries those of one thread at a time


_COMPILATIONS = _Compilations()


@contextmanager
def compilation(module: str) -> Iterator[None]:
    """A function of that module is compiled; nothing is told for what comes from disk."""
    begin_compiling()
    _COMPILATIONS.open.append(module)
    try:
        for notice in _COMPILATIONS.notices:
            if _COMPILATIONS.open[0].startswith(notice.package):
                notice.tell()
        yield
    finally:
        _COMPILATIONS.open.pop()
        end_compiling()


def announce(notice: Notice) -> Notice:
    """Tell of the first compilation in a room."""
    _COMPILATIONS.notices.append(notice)
    return notice
