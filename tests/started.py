"""Processes that a test begins: none outlives it, whatever becomes of the test."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process whose output is caught; killed at the end, if it is still there then."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **(pipes | options)) as process:
        try:
            yield process
        finally:
            process.kill()
