"""Who asks the checker: questions go to a process of their own, answers come back.

In: questions about a state, from threads. Out: answers. One process serves the whole program;
it is started with the first question and ends with the program. A question that nobody waits
for any more is let run to its end if that is near, else the process is ended and another one
started. Refused (CounselError): what the checker failed at, in a sentence.
"""

from __future__ import annotations

import json
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

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
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
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
        except (EOFError, OSError):
            self.close()
            if stop():
                return None
            raise CounselError("the checker's process ended before it answered") from None
        finally:
            self._lock.release()

    def _asked(
        self, machine: Machine, question: Question, stop: Callable[[], bool]
    ) -> Reply | None:
        connection = self._started()
        if self._told != machine.hash:
            connection.send_bytes(to_json(machine))
            self._told = machine.hash
        connection.send_bytes(b"?" + json.dumps(asdict(question)).encode())
        end = time.monotonic() + question.seconds
        while not connection.poll(LOOK):
            if stop() and end - time.monotonic() > NEAR:
                self.close()
                return None
        reply: dict[str, Any] = json.loads(connection.recv_bytes())
        if "failed" in reply:
            raise CounselError(f"the checker failed: {reply['failed']}")
        plan = reply["plan"]
        return Reply(None if plan is None else tuple(plan), reply["exact"], reply["doomed"],
                     reply["about"])  # fmt: skip

    def _started(self) -> Connection:
        if self._connection is None or self._process is None or not self._process.is_alive():
            self.close()
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            self._connection = ours
        return self._connection

    def close(self) -> None:
        """End the process; the next question starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None
        self._told = ""


def _serve(connection: Connection) -> None:
    from .checker import serve

    serve(connection)


@cache
def counsel() -> Counsel:
    """The one of this program."""
    return Counsel()
