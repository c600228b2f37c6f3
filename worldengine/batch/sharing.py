"""Threads that work is shared out to.

In: a function of the part's number, how many parts. Out: nothing, when all are done, or what one
of them raised. Threads are begun when they are first needed, and begun anew in a process that was
forked: threads do not come along, and the parent's would be waited for without end.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


class Threads:
    """See the module. `count` is how many there are at most."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def share(self, work: Callable[[int], None], parts: int) -> None:
        """Do all parts, one of them alone in the caller's own thread."""
        if parts == 1:
            work(0)
            return
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self._count), os.getpid()
        list(self._pool.map(work, range(parts)))
