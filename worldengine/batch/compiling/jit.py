"""Compiled functions, kept on disk between runs.

`compiled` is numba's `njit` with a type that checkers understand. Compiled code is kept in
the user's cache folder under a name made from the sources that are compiled: a change in any of
them starts afresh (numba itself looks only at the file a function stands in, not at those it
calls). Where nothing can be written, nothing is kept and all else works. Nothing here loads numba.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from worldengine.batch.compiling.entries import compiler_version, entry_of, part_of
from worldengine.batch.compiling.keeping import folder_for, named_after
from worldengine.batch.compiling.notices import Notice, announce
from worldengine.batch.compiling.teaching import Lesson, taught

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _sources() -> list[Path]:
    """What is compiled, and what has a say in how."""
    room = Path(__file__).parents[1]
    own = [path for path in sorted(room.rglob("*.py")) if _counts(path)]
    return [room.parent / "machine" / "schema.py", *own]


def _counts(path: Path) -> bool:
    return path.stem in HAVE_A_SAY or b"compiling.jit import" in path.read_bytes()


HAVE_A_SAY = {"layout", "jit", "linking", "doors", "entries", "kinds", "loading", "teaching"}
NAME = named_after(_sources(), compiler_version())
FOLDER = folder_for(f"kernels-{NAME}")

NOTICE = announce(
    Notice("worldengine.batch.", "the batch engine", "some seconds", FOLDER is not None)
)

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,  # no kernel makes an array, so none need count who holds one: 5 times faster
}


def compiled(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile on first call, without the interpreter's lock, kept on disk."""
    return cast("Callable[Arguments, Result]", entry_of(function, OPTIONS, FOLDER))


def inner(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """As `compiled`, for functions that only compiled ones call."""
    return cast("Callable[Arguments, Result]", part_of(function, OPTIONS))


def inlined(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """As `inner`, for small functions that belong into their callers."""
    made = part_of(function, {**OPTIONS, "forceinline": True})
    return cast("Callable[Arguments, Result]", made)


def spliced(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """As `inner`, for large functions with few callers: they become part of their callers,
    whose compilation would otherwise go through all that they call once more."""
    made = part_of(function, {**OPTIONS, "inline": "always"})
    return cast("Callable[Arguments, Result]", made)


class _Width:
    """A change of width that numba need not search its long lists for."""

    def __init__(self, made: type[np.integer[Any]]) -> None:
        self._made = made
        taught(self, self._lesson)

    def _lesson(self) -> Lesson:
        import numba

        types = cast("Any", numba.types)
        kind = getattr(types, self._made.__name__)

        def typed(_: Any, arguments: Any, named: Any) -> Any:
            (argument,) = arguments
            return kind(types.unliteral(argument))

        def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.cast(builder, arguments[0], signature.args[0], kind)

        return Lesson(typed, lowered, types.Any)

    def __call__(self, value: int) -> int:
        return cast("int", self._made(value))


u: Callable[[int], int] = _Width(np.uint64)
"""Of an index that is known not to be negative: arrays then need not ask whether it counts
from their end."""
i64: Callable[[int], int] = _Width(np.int64)
"""The one width in which numbers are handed around: a function is compiled once, not once for
every width that rows come in."""
