"""Worker processes: one way to start them, for all that share work out over cores.

In: how many, and what each does first. Out: an executor. Workers are spawned, never forked
(threads of numba would not survive), leave Ctrl-C to their parent, and end when it does: one that
was killed cannot end them, and they would wait for work for ever.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any


def worker_pool(
    workers: int, first: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> ProcessPoolExecutor:
    """An executor of so many processes; each calls `first(*arguments)` once."""
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(first, arguments),
    )


def _start(first: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(100_000, 20, 20)  # as the command line does: little of this is garbage
    if first is not None:
        first(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
