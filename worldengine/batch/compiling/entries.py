"""Compiled functions as Python has them: loaded from disk when they are first called, or compiled.

numba makes every compiled function ready to run by itself, with all that it calls, and then puts
a copy of it into each of its callers and goes over it again: a function at depth ten is gone over
ten times and turned into machine code ten times. A *part* here is only translated. What is called
from Python is an *entry*: its parts are put into it and it is gone over once.

In: Python functions and numba's options. Out: what stands in their place. Neither numba nor
`linking`, which compiles, is loaded before something has to be compiled.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import Any

from worldengine.batch.compiling.keeping import kept, named_after, path_of
from worldengine.batch.compiling.kinds import Kind, kind_of, plain, told
from worldengine.batch.compiling.loading import Ready, loaded, machine

LOCK = RLock()
"""Of loading and compiling: numba is for one thread at a time."""


class Part:
    """In place of numba's dispatcher, which is made when a compiled function first asks for it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.py_func, self.targetoptions = function, options

    @cached_property
    def dispatcher(self) -> Any:
        """numba's."""
        from worldengine.batch.compiling.linking import part_dispatcher

        return part_dispatcher(self.py_func, self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        """What compiled functions take it for."""
        from worldengine.batch.compiling.linking import dispatcher_type

        return dispatcher_type(self.dispatcher)

    def __call__(self, *arguments: Any) -> Any:
        """Not compiled: by itself it is for compiled functions."""
        return self.py_func(*arguments)


@dataclass(eq=False)
class Entry:
    """A function for Python, and its part for compiled functions. `bare` ones Python calls not."""

    py_func: Any
    options: dict[str, Any]
    folder: Path | None
    bare: bool = False
    overloads: dict[tuple[Kind, ...], Ready] = field(default_factory=dict)
    doors: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        self.part = Part(self.py_func, self.options)
        self.__name__, self.__doc__ = self.py_func.__name__, self.py_func.__doc__
        self.__module__, self.__wrapped__ = self.py_func.__module__, self.py_func

    @property
    def _numba_type_(self) -> Any:
        """What compiled functions take it for."""
        return self.part._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """As the Python function; TypeError for what compiled functions cannot take."""
        for door in self.doors:
            made = door(*arguments)
            if made.__class__ is not bytes:
                return made
            if made:
                self._raise(made)
        return self._otherwise(arguments)

    def _otherwise(self, arguments: tuple[Any, ...]) -> Any:
        """The first call with arguments of these kinds, or one whose arguments have another
        form than is usual for their kind."""
        kinds = tuple(map(kind_of, arguments))
        door = self.ready(kinds).door
        if door is None:
            raise TypeError(f"{self.__name__} is called from compiled functions only")
        made = door(*map(plain, arguments))
        if made.__class__ is bytes:
            if made:
                self._raise(made)
            words = ", ".join(map(told, kinds))
            raise TypeError(f"{self.__name__} does not take what it was compiled for: {words}")
        return made

    def _raise(self, made: bytes) -> None:
        """Raise what the compiled function did."""
        from worldengine.batch.compiling.linking import raise_again

        raise_again(made)

    def ready(self, kinds: tuple[Kind, ...]) -> Ready:
        """Load or compile it for arguments of these kinds."""
        with LOCK:
            found = self.overloads.get(kinds)
            if found is None:
                path = self.path(kinds)
                code = kept(path) if path is not None else None
                if code is None:
                    from worldengine.batch.compiling.linking import made_of

                    code = made_of(self, kinds, path)
                found = self.overloads[kinds] = loaded(code, self.__name__)
                if found.door is not None:
                    self.doors = (*self.doors, found.door)
            return found

    def path(self, kinds: tuple[Kind, ...]) -> Path | None:
        """Where it is kept for arguments of these kinds; None if nothing can be."""
        if self.folder is None:
            return None
        function = f"{self.py_func.__module__}.{self.py_func.__name__}"
        own = _source(self.py_func.__code__.co_filename)  # the folder's name knows not all of them
        words = [own, str(self.bare), *map(told, kinds)]
        return path_of(self.folder, function.removeprefix("worldengine."), (*_here(), *words))


@cache
def _here() -> tuple[str, ...]:
    """What else decides on compiled code: the versions of what compiles, and the processor."""
    return (str(sys.implementation.cache_tag), compiler_version(), *machine())


@cache
def compiler_version() -> str:
    """The digest of the file that tells numba's version: numba need not be loaded for it."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("numba is not installed: install worldengine's requirements")
    return named_after([Path(found.origin).with_name("_version.py")])


@cache
def _source(name: str) -> str:
    """The digest of a file of sources; empty where there is none, as for what is typed in."""
    path = Path(name)
    return named_after([path]) if path.is_file() else ""


def part_of(function: Any, options: dict[str, Any]) -> Part:
    """A function that only compiled ones call. It is never kept on disk."""
    return Part(function, options)


def entry_of(
    function: Any, options: dict[str, Any], folder: Path | None, bare: bool = False
) -> Entry:
    """A function that Python calls (or none does: `bare`), kept on disk in a folder."""
    return Entry(function, options, folder, bare)
