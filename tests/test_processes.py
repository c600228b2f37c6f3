"""Workers that are ended, or die, in the middle of what they have to say."""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import time
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.started import started
from worldengine.processes import WorkerPool, _whole, orderly, worker_pool

SECONDS = 60.0


def results_of_this_worker() -> Any:
    """What the executor reads, seen from inside the worker."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if "result_queue" in frame.f_locals:
            return frame.f_locals["result_queue"]
        frame = frame.f_back
    raise AssertionError("no worker of an executor")


def begin_and(ends: bool, mark: str) -> None:
    """The head of an answer of a thousand bytes, and ten of them."""
    results = results_of_this_worker()
    results._wlock.acquire()
    os.write(results._writer.fileno(), struct.pack("!i", 1000) + b"0123456789")
    Path(mark).touch()
    if ends:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(SECONDS)


def at_work(pool: WorkerPool, ends: bool, mark: Path) -> list[Future[None]]:
    """One begins an answer, the other is busy."""
    futures = [pool.submit(begin_and, ends, str(mark)), pool.submit(time.sleep, SECONDS)]
    deadline = time.monotonic() + SECONDS
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert mark.exists()
    return futures


def test_a_worker_that_dies_in_the_middle_of_an_answer_breaks_the_pool(tmp_path: Path) -> None:
    pool = worker_pool(2)
    futures = at_work(pool, True, tmp_path / "begun")
    done, waiting = wait(futures, timeout=SECONDS / 2)
    assert not waiting
    for future in done:
        with pytest.raises(BrokenProcessPool):
            future.result()
    pool.shutdown()


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_are_ended_in_the_middle_of_an_answer(tmp_path: Path, workers: int) -> None:
    """All of them started, and fewer than there may be."""
    pool = worker_pool(workers)
    at_work(pool, False, tmp_path / "begun")
    ending = threading.Thread(target=pool.end, daemon=True)
    ending.start()
    ending.join(SECONDS / 2)
    assert not ending.is_alive()


def test_what_was_asked_is_answered_and_the_pool_ends_by_itself() -> None:
    with worker_pool(2) as pool:
        assert [pool.submit(pow, 2, n).result() for n in range(20)] == [2**n for n in range(20)]
        assert pool.submit(pow, 2, 3) is not None


def test_what_is_raised_beside_the_pool_ends_its_work(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), worker_pool(2) as pool:
        at_work(pool, False, tmp_path / "begun")
        raise KeyboardInterrupt
    assert time.monotonic() - began < SECONDS, "nobody waits for what is asleep"


BUSY = """
import os, sys, time
from pathlib import Path
from worldengine.processes import worker_pool

if __name__ == "__main__":
    with worker_pool(2) as pool:
        print(pool.submit(pow, 2, 3).result())
else:  # a worker that has come as far as this
    Path(sys.argv[1] + ".part").write_text(str(os.getpid()))
    Path(sys.argv[1] + ".part").rename(sys.argv[1])
    time.sleep(1)
"""


def test_a_worker_never_hears_ctrl_c_not_even_while_it_starts(tmp_path: Path) -> None:
    """At a terminal it goes to all processes at once. A worker which did not yet know that it is
    to leave it to its parent wrote where it was, line by line."""
    file, mark = tmp_path / "busy.py", tmp_path / "starting"
    file.write_text(BUSY)
    with started([sys.executable, str(file), str(mark)], text=True) as process:
        while not mark.exists() and process.poll() is None:
            time.sleep(0.01)
        os.kill(int(mark.read_text()), signal.SIGINT)
        said, told = process.communicate(timeout=SECONDS)
    assert (process.returncode, said, told) == (0, "8\n", "")


def test_a_request_to_end_comes_after_what_is_begun() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), orderly(), _whole():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.05)
        done = True
    assert done


class Dropped:
    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):  # the signal is noticed here, where nothing can be raised
            pass


def test_a_request_to_end_is_not_lost_while_something_is_thrown_away() -> None:
    with pytest.raises(KeyboardInterrupt), orderly():
        thing = Dropped()
        del thing
        time.sleep(SECONDS)
