"""Worker processes: one way to start them, for all that share work out over cores.

In: how many, and what each does first. Out: an executor. Workers are spawned, never forked
(threads of numba would not survive), leave Ctrl-C to their parent, and end when it does: one that
was killed cannot end them, and they would wait for work for ever.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess as Process
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

T = TypeVar("T")


class WorkerPool(ProcessPoolExecutor):
    """An executor that does not wait for ever for a worker which is gone.

    The workers write their results into one pipe, and the executor reads the rest of what one
    of them began. If that one is dead the rest never comes, and no end of the pipe is told as
    long as anybody holds it open to write: the other workers and this process do. So one death
    ends all of them, and this process keeps nothing open.
    """

    def __init__(self, workers: int, first: Callable[..., None] | None, given: tuple[Any, ...]):
        spawned = multiprocessing.get_context("spawn")
        super().__init__(workers, spawned, initializer=_start, initargs=(first, given))
        self._wanted, self._watched, self._ending = workers, False, False

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        if self._watched:
            return super().submit(fn, *args, **kwargs)
        with _whole():  # a worker may be started by this
            future = super().submit(fn, *args, **kwargs)
        started = self._started()
        if len(started) == self._wanted:
            self._watched = True
            self._close_results()  # there is nobody any more to hand it on to
            threading.Thread(target=self._watch, args=(started,), daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._ending = True
        super().shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(self, kind: type[BaseException] | None, *told: object) -> None:
        """In peace all work is done first; where something was raised, Ctrl-C among it, or
        nobody wants the rest, none of it is."""
        if kind is None:
            self.shutdown(wait=True)
        else:
            self.end()

    def end(self) -> None:
        """Ends the processes at once, and all that belongs to the executor: what they were at
        is lost. Left to themselves they would finish what they were given, which may take
        minutes."""
        for process in self._started():
            process.terminate()
        self._close_results()
        self.shutdown(wait=True, cancel_futures=True)

    def _started(self) -> list[Process]:
        return list((self._processes or {}).values())

    def _close_results(self) -> None:
        results: Any = self._result_queue
        if results is not None:
            results._writer.close()

    def _watch(self, started: list[Process]) -> None:
        wait([process.sentinel for process in started])
        if not self._ending:
            for process in started:
                process.terminate()


def worker_pool(
    workers: int, first: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> WorkerPool:
    """An executor of so many processes; each calls `first(*arguments)` once."""
    return WorkerPool(workers, first, arguments)


@contextmanager
def _whole() -> Iterator[None]:
    """What is begun here is not left in the middle: Ctrl-C and a request to end come after it. A
    worker that is started here never hears Ctrl-C, not even before it could say that it will not:
    what is held back goes along with it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    ours = [number for number, handler in before.items() if handler is not None]
    mask = getattr(signal, "pthread_sigmask", None)  # not in every system
    for number in ours:
        signal.signal(number, lambda number, _: came.append(number))
    held = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask else None
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, held)
        for number in ours:
            signal.signal(number, before[number])
        for each in dict.fromkeys(came):
            signal.raise_signal(each)


@contextmanager
def orderly() -> Iterator[None]:
    """While this lasts, a request to end is raised in the main thread, as Ctrl-C is, so that
    what was opened is closed; the process would be gone on the spot else, and what workers
    share with it would be left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, lost = signal.signal(signal.SIGTERM, _raise), sys.unraisablehook
    sys.unraisablehook = _again_if_lost
    try:
        yield
    finally:
        sys.unraisablehook = lost
        signal.signal(signal.SIGTERM, before)


def _again_if_lost(told: UnraisableHookArgs) -> None:
    """What a signal raises where nothing can be raised, such as while something is thrown away,
    is lost: it is sent once more."""
    if told.exc_type is KeyboardInterrupt:
        again = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(told)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def give_back() -> None:
    """Looks for garbage, and gives free memory to the system where the C library can: after many
    small pieces have come and gone it would keep a growing part of it, between those in use."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """glibc's `malloc_trim`, None elsewhere."""
    try:
        found = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library, or another system
        return None
    found.argtypes, found.restype = [ctypes.c_size_t], ctypes.c_int
    return cast("Callable[[int], int]", found)


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
