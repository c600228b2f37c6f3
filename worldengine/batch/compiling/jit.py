"""Compiled functions, kept on disk between runs.

`compiled` is numba's `njit` with a type that checkers understand. Compiled code is kept in
the user's cache folder under a name made from the sources that are compiled: a change in any of
them starts afresh (numba itself looks only at the file a function stands in, not at those it
calls). Where nothing can be written, nothing is kept and all else works.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from worldengine.batch.compiling.keeping import folder_for, named_after
from worldengine.batch.compiling.linking import entry_of, part_of
from worldengine.batch.compiling.notices import Notice, announce

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _sources() -> list[Path]:
    """What is compiled, and what has a say in how."""
    room = Path(__file__).parents[1]
    own = [path for path in sorted(room.rglob("*.py")) if _counts(path)]
    return [room.parent / "machine" / "schema.py", *own]


def _counts(path: Path) -> bool:
    return path.stem in ("layout", "jit", "linking") or b"compiling.jit import" in path.read_bytes()


NAME = named_after(_sources(), numba.__version__)
FOLDER = folder_for(f"kernels-{NAME}")

NOTICE = announce(
    Notice("worldengine.batch.", "the batch engine", "some seconds", FOLDER is not None)
)

_types = cast("Any", numba.types)
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
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


def taught(unit: object, typed: Any, lowered: Any, arguments: Any) -> None:
    """Tell numba how compiled functions call `unit`: `typed(template, arguments, named)` gives
    its signature, `lowered(context, builder, signature, arguments)` what is put in its place."""
    template = type("Template", (AbstractTemplate,), {"key": unit, "generic": typed})
    cast("Any", infer_global)(unit, _types.Function(template))
    cast("Any", lower_builtin)(unit, arguments)(lowered)


class _Width:
    """A change of width that numba need not search its long lists for."""

    def __init__(self, made: type[np.integer[Any]], kind: Any) -> None:
        self._made = made

        def generic(_: Any, arguments: Any, named: Any) -> Any:
            (argument,) = arguments
            return kind(_types.unliteral(argument))

        def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.cast(builder, arguments[0], signature.args[0], kind)

        taught(self, generic, lowered, _types.Any)

    def __call__(self, value: int) -> int:
        return cast("int", self._made(value))


u: Callable[[int], int] = _Width(np.uint64, _types.uint64)
"""Of an index that is known not to be negative: arrays then need not ask whether it counts
from their end."""
i64: Callable[[int], int] = _Width(np.int64, _types.int64)
"""The one width in which numbers are handed around: a function is compiled once, not once for
every width that rows come in."""
