"""A bound on what untrusted code may take: a template can build gigabytes with one `*`.

In: bytes. Out: a context in which the process grows by no more than that; what would take more
raises MemoryError. jinja2's sandbox has no such bound: it sees `*` and `+`, not `~` nor filters.
The bound is the system's own, on the address space; where a system has none (Windows) or does
not say how large a process is, there is no bound.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SIZES = Path("/proc/self/statm")


@contextmanager
def growing_by(most: int) -> Iterator[None]:
    """The limit holds for the whole process: no other thread should need much meanwhile."""
    if sys.platform == "win32" or not _SIZES.exists():
        yield
        return
    import resource

    pages = int(_SIZES.read_text("ascii").split()[0])
    wanted = pages * resource.getpagesize() + most
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY and soft <= wanted:
        yield  # a tighter bound is set already
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
