"""Compiled functions of this room, kept on disk between runs.

Compiled code is kept in a folder named after the sources it is made from, so that a change in
any of them starts afresh: numba itself looks only at the file a function stands in, and not at
those it calls. Where nothing can be written nothing is kept, and all else works.

No memory is made in compiled code here, so arrays need no counting of references, which would
cost more than the steps themselves.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from worldengine.batch.compiling.jit import cache_folder
from worldengine.batch.compiling.linking import entry_of
from worldengine.batch.compiling.notices import Notice, announce

Function = TypeVar("Function", bound=Callable[..., Any])


def _folder() -> Path | None:
    """The folder of this version of the sources, or None."""
    near = cache_folder()
    if near is None:
        return None
    digest = hashlib.sha256(near.name.encode())  # what is compiled in the room of the engines
    digest.update(numba.__version__.encode())
    room = Path(__file__).parents[1]
    for path in (room.parent / "machine" / "schema.py", *sorted(room.rglob("*.py"))):
        source = path.read_bytes()
        if path.name in ("schema.py", "tables.py", "nodes.py") or b"@compiled" in source:
            digest.update(source)
    folder = near.parent / f"search-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


FOLDER = _folder()


NOTICE = announce(
    Notice(
        "worldengine.modelcheck.",
        "the model checker",
        "half a minute or so",
        FOLDER is not None,
        ("worldengine.batch.",),
    )
)


def tell_if_cold() -> None:
    """Say it at once where nothing has been compiled yet: worker processes would say it later,
    and each for itself."""
    if FOLDER is None or not any(FOLDER.rglob("*.nbc")):
        NOTICE.tell()


def compiled(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock."""
    made = entry_of(function, {"nogil": True, "_nrt": False}, FOLDER)
    return cast("Function", made)
