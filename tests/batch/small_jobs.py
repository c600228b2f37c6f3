"""A list of small functions to be compiled by two processes, for `test_together`."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldengine.batch.compiling.entries import Entry, entry_of
from worldengine.batch.compiling.jit import OPTIONS
from worldengine.batch.compiling.keeping import folder_for
from worldengine.batch.compiling.kinds import KINDS
from worldengine.batch.compiling.together import Job

FOLDER = folder_for("small")


def one(value: int) -> int:
    return value + 1


def two(value: int) -> int:
    return value + 2


def three(value: int) -> int:
    return value + 3


def four(value: int) -> int:
    return value + 4


ENTRIES = [entry_of(each, OPTIONS, FOLDER) for each in (one, two, three, four)]


@dataclass
class Dying:
    """An entry that kills the second process, ends it with an exception, or is lost there."""

    entry: Entry
    first: int
    how: str

    def path(self, kinds: tuple[Any, ...]) -> Path | None:
        return self.entry.path(kinds)

    def ready(self, kinds: tuple[Any, ...]) -> Any:
        if os.getpid() != self.first:
            if self.how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "lost":
                return None
            raise ValueError("it cannot be compiled here")
        return self.entry.ready(kinds)


def jobs(how: str, first: str) -> list[Job]:
    """`first` is the process that does not die. Each counts as many seconds."""
    entries: list[Any] = list(ENTRIES)
    if how != "well":
        entries[-1] = Dying(ENTRIES[-1], int(first), how)
    return [Job(each, (KINDS["int64"],), 4.0) for each in entries]
