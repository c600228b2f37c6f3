"""Files that survive a process killed at any moment: replaced whole, or cut to whole lines.

In: a path. Out: the file, as it should be on disk.
"""

from __future__ import annotations

import os
from pathlib import Path

_TAIL_BLOCK = 64 * 1024


def cut_torn_tail(path: Path) -> int:
    """Removes what follows the last line end; how many bytes that were. Reads the tail only."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        position = size
        while position > 0:
            start = max(position - _TAIL_BLOCK, 0)
            file.seek(start)
            found = file.read(position - start).rfind(b"\n")
            if found >= 0:
                position = start + found + 1
                break
            position = start
        if position < size:
            file.truncate(position)
        return size - position


def replace(path: Path, data: bytes) -> None:
    """The file is whole or not there: written beside it, then renamed over it."""
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
