"""Who asks the checker: questions go to a process of their own, answers come back.

In: questions about a state, from threads. Out: answers. One process serves the whole program;
it is started with the first question and ends with the program. A question that nobody waits
for any more is let run to its end if that is near, else the process is ended and another one
started. Refused (CounselError): what the checker failed at, in a sentence.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from queue import Empty, SimpleQueue
from typing import IO, Any

from worldengine.machine import Machine, State
from worldengine.machine.storage import to_json

NEAR = 2.0
"""Seconds that an answer nobody waits for may still take."""
LOOK = 0.05
"""Seconds between two looks at whether somebody still waits."""


class CounselError(RuntimeError):
    """The checker failed; says how, for people."""


@dataclass(frozen=True, slots=True)
class Question:
    """`asked` is proven, known or searched, see `checker`; `left` are turns."""

    asked: str
    variant: int
    state: State
    left: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """As `checker.Answer`, which this process does not load."""

    plan: tuple[str, ...] | None
    exact: bool
    doomed: str
    about: int | None


class Counsel:
    """See the module. May be asked from several threads; they wait for one another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: SimpleQueue[bytes] = SimpleQueue()
        self._told = ""

    def ask(
        self, machine: Machine, question: Question, stop: Callable[[], bool] = lambda: False
    ) -> Reply | None:
        """The answer, None if `stop` said that nobody wants it any more."""
        while not self._lock.acquire(timeout=LOOK):
            if stop():
                return None
        try:
            return None if stop() else self._asked(machine, question, stop)
        except OSError as error:
            self.close()
            if stop():
                return None
            raise CounselError(f"the checker's process ended: {error}") from None
        finally:
            self._lock.release()

    def _asked(
        self, machine: Machine, question: Question, stop: Callable[[], bool]
    ) -> Reply | None:
        if self._process is None or self._process.poll() is not None:
            self._start()
        replies = self._replies
        if self._told != machine.hash:
            self._send(to_json(machine))
            self._told = machine.hash
        self._send(b"?" + json.dumps(asdict(question)).encode())
        end = time.monotonic() + question.seconds
        while True:
            try:
                line = replies.get(timeout=LOOK)
                break
            except Empty:
                if stop() and end - time.monotonic() > NEAR:
                    self.close()
                    return None
        if not line:
            raise ConnectionError("it gave no answer")
        reply: dict[str, Any] = json.loads(line)
        if "failed" in reply:
            raise CounselError(f"the checker failed: {reply['failed']}")
        plan = reply["plan"]
        return Reply(None if plan is None else tuple(plan), reply["exact"], reply["doomed"],
                     reply["about"])  # fmt: skip

    def _send(self, line: bytes) -> None:
        assert self._process is not None and self._process.stdin is not None
        assert b"\n" not in line, "one message is one line"
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def _start(self) -> None:
        """No pool of `multiprocessing`: that one cannot be started while Textual holds the
        streams of this process."""
        self.close()
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.checker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert process.stdout is not None
        self._replies = replies = SimpleQueue[bytes]()
        threading.Thread(target=_listen, args=(process.stdout, replies), daemon=True).start()

    def close(self) -> None:
        """End the process; the next question starts another one."""
        process, self._process, self._told = self._process, None, ""
        if process is not None:
            process.kill()
            process.wait()
            if process.stdin is not None:
                with suppress(BrokenPipeError):  # what it did not read, nobody will read
                    process.stdin.close()


def _listen(stream: IO[bytes], replies: SimpleQueue[bytes]) -> None:
    """Line after line, and an empty one when there are no more."""
    with stream:
        for line in stream:
            replies.put(line)
    replies.put(b"")


@cache
def counsel() -> Counsel:
    """The one of this program."""
    return Counsel()
