"""The line that says a command is compiling, where nothing else would tell why it waits.

In: lists of functions, and functions that no list has. Out: one line on standard error for each
list that is compiled, and one for the first function of a room that is compiled beside them,
terminal or not: what is compiled, how long it takes, whether it is kept. Worker processes whose
parent has told of a room say nothing of it.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from worldengine.batch.compiling.compile_time import begin_compiling, end_compiling
from worldengine.batch.compiling.keeping import some_closed

_TOLD = "WORLDENGINE_TOLD"
"""In the environment, since worker processes inherit it: what has been told of."""


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

    def tell(self, takes: str = "", kinds: Sequence[str] = ()) -> None:
        """Say that a list is compiled, unless it has been said; `takes` if it is known better
        than usual, `kinds` if there are several of this room."""
        of = f" ({', '.join(kinds)})" if kinds else ""
        self._say(self.package + of.replace(" ", ""), self.what + of, takes or self.takes)

    def tell_of_part(self, name: str) -> None:
        """Say that a module's function is compiled which is on no list, or was damaged on disk:
        once for all of a room, and not where a parent process has told of the room, or where
        lists are told of and then compiled bit by bit."""
        here = self.kept and multiprocessing.parent_process() is None
        if here or self.package not in _told():
            self._say(f"{self.package}part", f"a part of {self.what} ({name})", self.takes)

    def _say(self, key: str, what: str, takes: str) -> None:
        told = _told()
        if key not in told:
            os.environ[_TOLD] = " ".join([*told, key, self.package, *self.covers])
            kept = self.kept and not some_closed()
            often = "once" if kept else "in every run (the cache cannot be written)"
            print(f"compiling {what}, {often}: {takes}", file=sys.stderr, flush=True)


def _told() -> list[str]:
    return os.environ.get(_TOLD, "").split()


class _Compilations:
    """Compilations may lie in each other: one that is part of another room's is not told, nor is
    one that is on a list."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.open: list[str] = []  # modules; by the lock of entries those of one thread at a time
        self.lists = 0


_COMPILATIONS = _Compilations()


@contextmanager
def compilation(module: str) -> Iterator[None]:
    """A function of that module is compiled; nothing is told for what comes from disk."""
    begin_compiling()
    _COMPILATIONS.open.append(module)
    try:
        outermost = _COMPILATIONS.open[0]
        for notice in _COMPILATIONS.notices:
            if outermost.startswith(notice.package) and not _COMPILATIONS.lists:
                notice.tell_of_part(outermost.removeprefix(notice.package))
        yield
    finally:
        _COMPILATIONS.open.pop()
        end_compiling()


@contextmanager
def on_a_list() -> Iterator[None]:
    """What is compiled meanwhile has been told of."""
    _COMPILATIONS.lists += 1
    try:
        yield
    finally:
        _COMPILATIONS.lists -= 1


def announce(notice: Notice) -> Notice:
    """Tell of the first compilation in a room."""
    _COMPILATIONS.notices.append(notice)
    return notice
