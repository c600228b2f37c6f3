"""Compiled functions that are made ready once: as a whole, never part by part.

numba makes every compiled function ready to run by itself, with all that it calls, and then puts
a copy of it into each of its callers and goes over it again: a function at depth ten is gone over
ten times and turned into machine code ten times. A *part* here is only translated. What is called
from Python is an *entry*: its parts are put into it and it is gone over once.

In: Python functions and numba's options. Out: numba's dispatchers. An entry may be called from
compiled functions too: what they get is a part with the same meaning.
"""

from __future__ import annotations

from typing import Any, cast

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

_types = cast("Any", numba.types)


class _NoEngine:
    """In place of what keeps code that can be run."""

    def set_env(self, name: str, env: Any) -> None:
        """Parts have no place in memory where anything could stand."""


class _Translated(cast("Any", JITCodeLibrary)):  # type: ignore[misc]
    """Code that is only ever put into that of others: no passes, no machine code."""

    codegen = _NoEngine()

    def _optimize_final_module(self) -> None:
        """Left to those who call it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _PartCompiler(cast("Any", Compiler)):  # type: ignore[misc]
    """numba's own, but for where the code goes."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        if library is None:
            library = _Translated(target.codegen(), "part")
        super().__init__(typing, target, library, *others)


class _Entry(cast("Any", CPUDispatcher)):  # type: ignore[misc]
    """A function for Python, and its part for compiled functions."""

    part: Any

    @property
    def _numba_type_(self) -> Any:
        """What compiled functions take it for."""
        return _types.Dispatcher(self.part)


def part_of(function: Any, options: dict[str, Any]) -> Any:
    """A function that only compiled ones call. It is never kept on disk."""
    asked = {key: value for key, value in options.items() if key != "cache"}
    asked |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Any", numba.njit)(**asked, pipeline_class=_PartCompiler)(function)


def entry_of(function: Any, options: dict[str, Any]) -> Any:
    """A function that Python calls, kept on disk where `options["cache"]` says so."""
    asked = {key: value for key, value in options.items() if key != "cache"}
    made = _Entry(py_func=function, locals={}, targetoptions={**asked, "nopython": True})
    made.part = part_of(function, options)
    if options.get("cache"):
        made.enable_caching()
    return made
