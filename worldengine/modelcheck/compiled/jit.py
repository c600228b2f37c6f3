"""Compiled functions of this room, kept on disk between runs.

Compiled code is kept in a folder named after the sources it is made from, so that a change in
any of them starts afresh: numba itself looks only at the file a function stands in, and not at
those it calls. Where nothing can be written nothing is kept, and all else works.

No memory is made in compiled code here, so arrays need no counting of references, which would
cost more than the steps themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from worldengine.batch.compiling.entries import entry_of
from worldengine.batch.compiling.jit import NAME as ENGINES
from worldengine.batch.compiling.keeping import folder_for, named_after
from worldengine.batch.compiling.notices import Notice, announce

Function = TypeVar("Function", bound=Callable[..., Any])


def _sources() -> list[Path]:
    """What is compiled here."""
    room = Path(__file__).parents[1]
    own = [path for path in sorted(room.rglob("*.py")) if _counts(path)]
    return [room.parent / "machine" / "schema.py", *own]


def _counts(path: Path) -> bool:
    return path.stem in ("tables", "nodes") or b"@compiled" in path.read_bytes()


FOLDER = folder_for(f"search-{named_after(_sources(), ENGINES)}")

NOTICE = announce(
    Notice(
        "worldengine.modelcheck.",
        "the model checker",
        "some seconds",
        FOLDER is not None,
        ("worldengine.batch.",),
    )
)


def compiled(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock."""
    made = entry_of(function, {"nogil": True, "_nrt": False}, FOLDER)
    return cast("Function", made)
