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
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn


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


def end_workers(pool: ProcessPoolExecutor) -> None:
    """Ends the processes of an executor at once, and all that belongs to it: what they were at
    is lost. Left to themselves they would finish what they were given, which may take minutes."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def orderly() -> Iterator[None]:
    """While this lasts, a request to end is raised in the main thread, as Ctrl-C is, so that
    what was opened is closed; the process would be gone on the spot else, and what workers
    share with it would be left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


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
