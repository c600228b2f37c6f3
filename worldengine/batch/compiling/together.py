"""A list of functions compiled by two processes at once, where there is a second core.

numba compiles with one thread, whatever it is given. What is on a list and not on disk yet is
shared out: this process takes from the front, a second one from the back, until nothing is left;
each writes what it has made, and here the rest is loaded from there. A list is a module with
`jobs(*types)`: the names in `types` go to the second process too, and both get the same jobs.

The second process does not live on: it ends with its input, so also when its parent is killed.
If it ends too early, that is said, and what it leaves is compiled here. Processes that are
workers themselves have none: their parent has done it, or they compile what they need. Nor is
there one where none can be started, or nothing can be written to the folder.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import IO, Any

from worldengine.batch.compiling.compile_time import begin_compiling, end_compiling
from worldengine.batch.compiling.keeping import can_keep
from worldengine.batch.compiling.notices import Notice, on_a_list

SHORT = 3.0
"""Seconds of work, all in all, for which no second process is started."""
SHARE = 0.6
"""What two processes need of the time of one: some is translated in both."""
START = (
    "import json, sys; path, *rest = json.loads(sys.argv[1]); sys.path[:] = path; "
    "from worldengine.batch.compiling.together import serve; serve(*rest)"
)


@dataclass(frozen=True, slots=True)
class Job:
    """An entry, the kinds of its arguments, and about how long it takes alone."""

    entry: Any
    types: tuple[Any, ...]
    seconds: float

    @property
    def path(self) -> Path | None:
        """Where it will be kept."""
        found: Path | None = self.entry.path(self.types)
        return found


_READY: set[tuple[str, ...]] = set()
_LOCK = Lock()


def make_ready(notice: Notice, module: str, *types: str) -> None:
    """Compile what a list has and the disk has not, and say so. Costs nothing a second time."""
    asked = (module, *types)
    if asked in _READY or multiprocessing.parent_process() is not None:
        return
    with _LOCK:
        if asked not in _READY:
            _make_ready(notice, module, types)
            _READY.add(asked)


def _make_ready(notice: Notice, module: str, types: tuple[str, ...]) -> None:
    if not notice.kept:
        notice.tell(kinds=types)
        return  # what is needed will be compiled, and nothing else
    jobs: list[Job] = import_module(module).jobs(*types)
    missing = [at for at, job in enumerate(jobs) if not (job.path and job.path.exists())]
    if not missing:
        return
    alone = sum(jobs[at].seconds for at in missing)
    worth = alone > SHORT and len(missing) > 1 and _cores() > 1 and _can_start()
    helped = worth and all(job.path is not None and can_keep(job.path) for job in jobs)
    notice.tell(_about(alone * SHARE if helped else alone), types)
    begin_compiling()
    try:
        with on_a_list():
            _share_out(jobs, deque(missing), helped, (module, *types))
    finally:
        end_compiling()


def _share_out(jobs: list[Job], waiting: deque[int], helped: bool, words: tuple[str, ...]) -> None:
    """Compile what waits, with a second process if that can be had."""
    second = None
    if helped:
        try:
            second = _Second(jobs, waiting, words)
        except OSError as error:  # no process more, or no room for a file
            told = f"no second process that compiles can be started ({error}): compiling alone"
            print(told, file=sys.stderr, flush=True)
    try:
        _compile(jobs, waiting)
    finally:
        if second is not None:
            second.end()
    _compile(jobs, waiting)  # what the other has left, if it broke off


def _compile(jobs: list[Job], waiting: deque[int]) -> None:
    while waiting:
        try:
            job = jobs[waiting.popleft()]
        except IndexError:  # the other was quicker
            return
        job.entry.ready(job.types)


def _about(seconds: float) -> str:
    return f"about {max(1, round(seconds))} seconds"


def _cores() -> int:
    """Cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can_start() -> bool:
    """Whether there is an interpreter to start; there is none within frozen programs."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


@dataclass
class _Second:
    """The second process, and a thread that hands it one job after the other."""

    jobs: list[Job]
    waiting: deque[int]
    words: tuple[str, ...]  # the module that has the list, its types
    ended: bool = False
    broke: str = ""
    errors: IO[bytes] = field(default_factory=tempfile.TemporaryFile)

    def __post_init__(self) -> None:
        path = [str(Path(each).absolute()) for each in sys.path]
        told = json.dumps([path, *self.words])
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, told],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
        )  # fmt: skip
        self.thread = Thread(target=self._hand_out, daemon=True)
        self.thread.start()

    def _hand_out(self) -> None:
        """From the back, each when the last is done."""
        given, taken = self.process.stdin, self.process.stdout
        assert given is not None and taken is not None
        while not self.ended:
            try:
                at = self.waiting.pop()
            except IndexError:
                return
            answer = b""
            try:
                given.write(b"%d\n" % at)
                given.flush()
                answer = taken.readline()
            except OSError as error:
                self.broke = str(error)
            path = self.jobs[at].path
            if answer != b"%d\n" % at or path is None or not path.exists():
                self.waiting.append(at)
                self.broke = self.broke or "what it compiled could not be kept"
                return

    def end(self) -> None:
        """Wait for the job it is at; after an exception here, for nothing."""
        if sys.exc_info()[0] is not None:
            self.ended = True
            self.process.kill()
        self.thread.join()
        assert self.process.stdin is not None and self.process.stdout is not None
        with suppress(OSError):  # it may have gone already
            self.process.stdin.close()  # it ends with its input
        status = self.process.wait()
        if self.broke and not self.ended:
            self.errors.seek(0)
            last = self.errors.read().decode(errors="replace").strip().splitlines()[-1:]
            why = last[0] if last else f"exit status {status}" if status else self.broke
            told = f"the second process that compiles broke off ({why}): compiling the rest alone"
            print(told, file=sys.stderr, flush=True)
        self.process.stdout.close()
        self.errors.close()


def serve(module: str, *types: str) -> None:
    """The second process: a number in, the same number out when that job is done."""
    jobs: list[Job] = import_module(module).jobs(*types)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    for line in sys.stdin:
        job = jobs[int(line)]
        with on_a_list():
            job.entry.ready(job.types)
        print(int(line), file=answers, flush=True)
