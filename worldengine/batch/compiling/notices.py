"""The line that says a command is compiling, where nothing else would tell why it waits.

In: the first compilation of a room's functions, as numba reports it. Out: one line on standard
error for each room, terminal or not: what is compiled, how long it takes, whether it is kept.
Worker processes whose parent has said it say nothing.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, cast

from numba.core.event import Event, Listener, register

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


class _Compilations(Listener):
    """Compilations may lie in each other: one that is part of another room's is not told."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.open: list[str] = []  # modules; by numba's lock those of one thread at a time

    def on_start(self, event: Event) -> None:
        """Compilation begins; nothing is reported for what comes out of the cache."""
        begin_compiling()
        self.open.append(_module(event))
        for notice in self.notices:
            if self.open[0].startswith(notice.package):
                notice.tell()

    def on_end(self, event: Event) -> None:
        """One that lay inside, or the whole."""
        self.open.pop()
        end_compiling()


def _module(event: Event) -> str:
    function: Any = event.data["dispatcher"].py_func
    return str(function.__module__)


_COMPILATIONS = _Compilations()


def announce(notice: Notice) -> Notice:
    """Tell of the first compilation in a room."""
    if not _COMPILATIONS.notices:
        cast("Any", register)("numba:compile", _COMPILATIONS)
    _COMPILATIONS.notices.append(notice)
    return notice
