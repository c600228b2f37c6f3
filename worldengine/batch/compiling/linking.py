"""Compiled functions that are made ready once: as a whole, never part by part.

numba makes every compiled function ready to run by itself, with all that it calls, and then puts
a copy of it into each of its callers and goes over it again: a function at depth ten is gone over
ten times and turned into machine code ten times. A *part* here is only translated. What is called
from Python is an *entry*: its parts are put into it and it is gone over once.

In: Python functions and numba's options. Out: numba's dispatchers. An entry may be called from
compiled functions too: what they get is a part with the same meaning.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
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


class _PartDispatcher(cast("Any", CPUDispatcher)):  # type: ignore[misc]
    """A function for compiled functions."""

    def get_call_template(self, arguments: Any, named: Any) -> Any:
        """numba translates a function once more for every number that is written out in a call;
        here only where nothing else will do."""
        plain = tuple(map(_types.unliteral, arguments))
        try:
            return super().get_call_template(plain, named)
        except TypingError:
            if plain == tuple(arguments):
                raise
            return super().get_call_template(arguments, named)


class _Part:
    """In place of a dispatcher, which is made when a compiled function first asks for it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self._function, self._options = function, options

    @cached_property
    def dispatcher(self) -> Any:
        """numba's."""
        asked = {**_asked(self._options), "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return _PartDispatcher(
            py_func=self._function, locals={}, targetoptions=asked, pipeline_class=_PartCompiler
        )

    @property
    def _numba_type_(self) -> Any:
        """What compiled functions take it for."""
        return _types.Dispatcher(self.dispatcher)


class _Entry(cast("Any", CPUDispatcher)):  # type: ignore[misc]
    """A function for Python, and its part for compiled functions. Where it is kept is looked
    for when it is first called."""

    part: Any
    folder: Path | None

    @property
    def _numba_type_(self) -> Any:
        """What compiled functions take it for."""
        return self.part._numba_type_

    def compile(self, signature: Any) -> Any:
        """Load or compile it for arguments of these types."""
        with global_compiler_lock:
            if self.folder is not None:
                settings: Any = numba.config
                before, settings.CACHE_DIR = settings.CACHE_DIR, str(self.folder)
                self.folder = None
                try:
                    self.enable_caching()
                finally:
                    settings.CACHE_DIR = before
            return super().compile(signature)


def part_of(function: Any, options: dict[str, Any]) -> Any:
    """A function that only compiled ones call. It is never kept on disk."""
    part = _Part(function, options)
    return part.dispatcher if "inline" in options else part


def entry_of(function: Any, options: dict[str, Any], folder: Path | None) -> Any:
    """A function that Python calls, kept on disk in a folder."""
    made = _Entry(py_func=function, locals={}, targetoptions=_asked(options))
    made.part, made.folder = _Part(function, options), folder
    return made


def _asked(options: dict[str, Any]) -> dict[str, Any]:
    """Options as dispatchers take them."""
    return {**options, "nopython": True, "boundscheck": None}
