"""Compiled code on disk: one file for each function and the types of its arguments.

In: machine code as the compiler has made it, and the names under which it is found there. Out:
the same in another process. numba keeps more of a function, and before it loads any it loads all
that it could need to compile another; what is kept here is only ever called, and is loaded by
itself.

A file is written whole under another name and then takes its place, so that processes may write
and read at one time. It begins with the digest of its name and the rest: a file that was cut short,
changed or put in another's place is not used, and is written anew. Code is run, so nor is a file
that somebody else wrote or may write. A folder that cannot be written is read all the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

DIGEST = hashlib.sha256().digest_size
OURS = re.compile(r"(?:kernels|search)-[0-9a-f]{16}")
"""What folders of compiled code are called."""
UNUSED = 14 * 24 * 3600.0
"""Seconds after which compiled code of another revision is taken to be of no use any more."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
_CLOSED: set[Path] = set()
"""Folders that are read and cannot be written to."""


@dataclass(frozen=True, slots=True)
class Code:
    """What is kept. `function` and `door` are the names of what is called from compiled functions
    and from Python (empty where there is none); `returns` is the type that is given back."""

    function: str
    door: str
    returns: str
    machine_code: bytes = b""


def named_after(sources: Iterable[Path], *more: str) -> str:
    """A short name for what is compiled, from all that goes into it."""
    digest = hashlib.sha256(chr(0).join(more).encode())
    for path in sources:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def folder_for(name: str) -> Path | None:
    """The folder of that name among those of compiled code, or None if there is none and none can
    be made. It may be one that can only be read, as where a container has brought it along."""
    folder = _base() / name
    fresh = not folder.is_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)  # it was used today
    except OSError:
        if fresh:
            return None
        _CLOSED.add(folder)
    if fresh:
        with suppress(OSError):  # a folder that cannot be listed is left alone
            _clear(folder)
    return folder


def some_closed() -> bool:
    """Whether what is compiled now cannot be kept."""
    return len(_CLOSED) > 0


def can_keep(path: Path) -> bool:
    """Whether a function can be kept there."""
    return path.parent not in _CLOSED


def _clear(new: Path) -> None:
    """Removes folders of other revisions that nobody has used for long. Whoever is about to use
    one after all finds nothing kept, and compiles. What cannot be removed stays."""
    before = time.time() - UNUSED
    for folder in sorted(new.parent.iterdir()):
        if folder == new or not OURS.fullmatch(folder.name):
            continue
        with suppress(OSError):
            status = folder.lstat()  # a link is none of ours, wherever it leads
            if stat.S_ISDIR(status.st_mode) and status.st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)


def _base() -> Path:
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "worldengine"
    named = os.environ.get("XDG_CACHE_HOME", "")
    if Path(named).is_absolute():  # others count for nothing, says who made up the name
        return Path(named) / "worldengine"
    try:
        return Path.home() / ".cache" / "worldengine"
    except RuntimeError:  # nobody's home
        return Path(tempfile.gettempdir()) / f"worldengine-{os.geteuid()}"


def path_of(folder: Path, function: str, parts: Iterable[str]) -> Path:
    """Where a function is kept: by the types of its arguments and whatever else tells one
    compilation from another."""
    return folder / f"{function}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"


def kept(path: Path) -> Code | None:
    """What is kept there, if anything that is whole and our own."""
    try:
        # A pipe in its place would have us wait for somebody who writes.
        with open(path, "rb", opener=lambda name, how: os.open(name, how | _AT_ONCE)) as file:
            if not _ours(os.fstat(file.fileno())):
                return None
            content = file.read()
    except OSError:
        return None
    digest, rest = content[:DIGEST], content[DIGEST:]
    if _digest(path, rest) != digest:
        return None
    names, _, machine_code = rest.partition(b"\n")
    try:
        return Code(**json.loads(names), machine_code=machine_code)
    except (ValueError, TypeError):  # of another revision, or made up
        return None


def _ours(status: os.stat_result) -> bool:
    """Whether it is a file, and this user or the system's own wrote it, and no others may."""
    if not stat.S_ISREG(status.st_mode):
        return False
    if sys.platform == "win32":  # users' folders are closed to others there
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & OTHERS_WRITE


def _digest(path: Path, rest: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\n" + rest).digest()


def keep(path: Path, code: Code) -> None:
    """Write it. A full disk is no reason to end: the code is there to be used."""
    names = asdict(code)
    del names["machine_code"]
    rest = json.dumps(names).encode() + b"\n" + code.machine_code
    aside: Path | None = None
    try:
        # A fresh file under a name nobody could foresee: no link that others laid is followed.
        handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
        aside = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(path, rest) + rest)
        aside.chmod(0o644)
        aside.replace(path)
    except OSError:
        if aside is not None:
            with suppress(OSError):  # the folder may have gone, or be closed by now
                aside.unlink()
