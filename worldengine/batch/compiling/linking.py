"""Compiled functions that are made ready once: as a whole, never part by part.

numba makes every compiled function ready to run by itself, with all that it calls, and then puts
a copy of it into each of its callers and goes over it again: a function at depth ten is gone over
ten times and turned into machine code ten times. A *part* here is only translated. What is called
from Python is an *entry*: its parts are put into it and it is gone over once.

In: Python functions and numba's options. Out: numba's dispatchers. An entry may be called from
compiled functions too: what they get is a part with the same meaning.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher

from worldengine.batch.compiling.keeping import Code, keep, kept, named_after, path_of

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


class _Whole(cast("Any", JITCodeLibrary)):  # type: ignore[misc]
    """Code of an entry, which is ready to run and goes into no other code."""

    def take(self, code: Code) -> None:
        """Take code from disk in place of what would have been compiled."""
        self._set_compiled_object(code.machine_code)
        names = {code.function, code.wrapper, code.environment}
        self._codegen._engine._defined_symbols.update(names)
        self._finalize_final_module()


def _empty(target: Any) -> Any:
    """A library for an entry."""
    made = _Whole(target.codegen(), "entry")
    made.enable_object_caching()
    return made


class _EntryCompiler(cast("Any", Compiler)):  # type: ignore[misc]
    """numba's own, but for where the code goes."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        super().__init__(typing, target, library or _empty(target), *others)


@dataclass(frozen=True, slots=True)
class Ready:
    """An entry for arguments of some types: what Python calls (None where only compiled
    functions call it), where it stands, the type it gives back, and what holds it there."""

    entry_point: Any
    address: int
    returns: str
    library: Any


class Entry(cast("Any", CPUDispatcher)):  # type: ignore[misc]
    """A function for Python, and its part for compiled functions."""

    part: Any
    folder: Path | None

    @property
    def _numba_type_(self) -> Any:
        """What compiled functions take it for."""
        return self.part._numba_type_

    def _compilation_chain_init_hook(self) -> None:
        """numba would look for extensions of other packages; none has to do with these."""

    def compile(self, types: Any) -> Any:
        """Load or compile it for arguments of these types."""
        return self.ready(tuple(types)).entry_point

    def ready(self, types: tuple[Any, ...]) -> Ready:
        """As `compile`, with all there is to know of it."""
        with global_compiler_lock:
            found = self.overloads.get(types)
            if not isinstance(found, Ready):
                path = self.path(types)
                found = self._loaded(types, path) or self._compiled(types, path)
                self.overloads[types] = found
            return found

    def path(self, types: tuple[Any, ...]) -> Path | None:
        """Where it is kept for arguments of these types; None if nothing can be."""
        if self.folder is None:
            return None
        function = f"{self.py_func.__module__}.{self.py_func.__name__}"
        told = [*map(_told, types), *map(str, self.targetctx.codegen().magic_tuple())]
        version = str(sys.implementation.cache_tag)
        own = _source(self.py_func.__code__.co_filename)  # the folder's name knows not all of them
        return path_of(self.folder, function.removeprefix("worldengine."), (version, own, *told))

    def _loaded(self, types: tuple[Any, ...], path: Path | None) -> Ready | None:
        """From disk, if it is there."""
        code = kept(path) if path is not None else None
        if code is None:
            return None
        library, entry_point = _empty(self.targetctx), None
        library.take(code)
        if code.wrapper:
            module = sys.modules[self.py_func.__module__]
            environment = _dynfunc.Environment(vars(module))
            entry_point = _dynfunc.make_function(
                module, self.py_func.__name__, self.py_func.__doc__ or "",
                library.get_pointer_to_function(code.wrapper), environment, (library,),
            )  # fmt: skip
            library.codegen.set_env(code.environment, environment)
            self._insert([kind._code for kind in types], entry_point, False)
        address = library.get_pointer_to_function(code.function)
        return Ready(entry_point, address, code.returns, library)

    def _compiled(self, types: tuple[Any, ...], path: Path | None) -> Ready:
        """By numba, and kept."""
        super().compile(types)
        made = self.overloads[types]
        names, returns = made.fndesc, str(made.signature.return_type)
        bare = self.targetoptions.get("no_cpython_wrapper", False)
        if path is not None:
            if any(each.consts for each in made._find_referenced_environments()):
                raise TypeError(f"{self.py_func.__name__} has constants outside its code")
            wrapper = "" if bare else names.llvm_cpython_wrapper_name
            code = made.library._get_compiled_object()
            keep(path, Code(names.llvm_func_name, wrapper, names.env_name, returns, code))
        address = made.library.get_pointer_to_function(names.llvm_func_name)
        return Ready(None if bare else made.entry_point, address, returns, made.library)


@cache
def _source(name: str) -> str:
    """The digest of a file of sources; empty where there is none, as for what is typed in."""
    path = Path(name)
    return named_after([path]) if path.is_file() else ""


def _told(kind: Any) -> str:
    """A type in words; those of named tuples tell where they are from."""
    if isinstance(kind, _types.BaseNamedTuple):
        inner = ", ".join(map(_told, kind))
        made = kind.instance_class
        return f"{made.__module__}.{made.__qualname__}({inner})"
    return str(kind)


def part_of(function: Any, options: dict[str, Any]) -> Any:
    """A function that only compiled ones call. It is never kept on disk."""
    part = _Part(function, options)
    return part.dispatcher if "inline" in options else part


def entry_of(function: Any, options: dict[str, Any], folder: Path | None) -> Entry:
    """A function that Python calls, kept on disk in a folder."""
    made = Entry(
        py_func=function, locals={}, targetoptions=_asked(options), pipeline_class=_EntryCompiler
    )
    made.part, made.folder = _Part(function, options), folder
    return made


def _asked(options: dict[str, Any]) -> dict[str, Any]:
    """Options as dispatchers take them."""
    return {**options, "nopython": True, "boundscheck": None}
