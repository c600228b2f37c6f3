"""How far something long is: a bar on a terminal, elsewhere a plain line now and then.

In: what is counted. Out: what is told how many there are and how many there are to be. The lines
come by the clock, so that it is also said where nothing has come yet.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

from worldengine.processes import orderly

EVERY = 10.0
"""Seconds between two lines."""

Progress = Callable[[int, int], None]


@contextmanager
def progress_of(what: str) -> Iterator[Progress]:
    """See the module; on standard error, as long as the block lasts. What takes long enough to be
    told is ended in order when it is asked to."""
    with orderly():
        if sys.stderr.isatty():
            yield bar(what)
            return
        lines = _Lines(what)
        thread = Thread(target=lines.go_on, daemon=True)
        thread.start()
        try:
            yield lines.told
        finally:
            lines.stop.set()
            thread.join()


class _Lines:
    """What was told last, said every so often."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.stop = Event()
        self._began = self._came = monotonic()
        self._first, self._counts = -1, (0, 0)

    def told(self, done: int, total: int) -> None:
        if self._first < 0:  # what was there before is no work of ours, nor was getting ready
            self._first, self._came = done - 1, monotonic()
        self._counts = done, total

    def go_on(self) -> None:
        while not self.stop.wait(EVERY):
            sys.stderr.write(self.line(monotonic()) + "\n")
            sys.stderr.flush()

    def line(self, now: float) -> str:
        """At a moment of the clock. The rate is of the time since the first came."""
        done, total = self._counts
        if not total:
            return f"no {self.what} yet, {time_of(now - self._began)}"
        rate = (done - self._first) / max(now - self._came, 1e-6)
        left = f", {time_of((total - done) / rate)} left" if done < total else ""
        return f"{done}/{total} {self.what}, {rate_of(rate)}{left}"


DRAWN = 0.1
"""Seconds between two drawings of the bar."""


def bar(what: str) -> Callable[[int, int], None]:
    """A progress bar on standard error with the rate and the time left; the caller asks for
    one only on a terminal. The rate counts what was done since the first call."""
    began = drawn = monotonic()
    first = -1

    def show(done: int, total: int) -> None:
        nonlocal first, drawn
        now = monotonic()
        first = done - 1 if first < 0 else first
        if now - drawn < DRAWN and done < total:
            return
        drawn = now
        width = 30
        full = width * done // max(total, 1)
        rate = (done - first) / max(now - began, 1e-6)
        left = time_of((total - done) / rate) if done < total else time_of(now - began)
        word = "left" if done < total else "in all"
        line = (
            f"[{'#' * full}{'.' * (width - full)}] {done}/{total} {what}, {rate_of(rate)}, {left}"
        )
        sys.stderr.write(f"\r{line} {word}\x1b[K" + ("\n" if done >= total else ""))
        sys.stderr.flush()

    return show


def rate_of(rate: float) -> str:
    return (
        f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
    )


def time_of(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = int(seconds / 60 + 0.5)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
