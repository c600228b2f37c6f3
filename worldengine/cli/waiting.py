"""A bar on standard error while something long goes on; on a terminal only.

In: how many things there are, how long each may take. Out: one line that is drawn over itself
a few times a second, and is gone when others print or when all is done.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic

WIDTH = 30
EVERY = 0.2
"""Seconds between two drawings."""


class Waiting:
    """See the module. `what` names the things, `seconds` is what one may take at most."""

    def __init__(self, total: int, what: str, seconds: float) -> None:
        self.total, self.what, self.seconds = total, what, seconds
        self.done = 0
        self._began = monotonic()
        self._shown = sys.stderr.isatty()
        self._stop, self._lock = Event(), Lock()
        self._drawn = False
        self._thread = Thread(target=self._go_on, daemon=True)

    def __enter__(self) -> Waiting:
        if self._shown:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        if self._shown:
            self._thread.join()
            self._clear()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Out of the way while something is printed; one more is done."""
        with self._lock:
            self._clear()
            self.done += 1
            yield

    def line(self) -> str:
        """What is drawn."""
        spent = monotonic() - self._began
        if self.total > 1:
            share = self.done / self.total
            said = f"{self.done}/{self.total} {self.what}, {spent:.0f} s"
        else:
            share = min(1.0, spent / self.seconds) if self.seconds else 1.0
            said = f"{spent:.0f} s of at most about {self.seconds:.0f} s"
        full = int(WIDTH * share)
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {said}"

    def _go_on(self) -> None:
        while not self._stop.wait(EVERY):
            with self._lock:
                sys.stderr.write(f"\r\x1b[K{self.line()}")
                sys.stderr.flush()
                self._drawn = True

    def _clear(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False
