"""Compiling, by numba: an entry as a whole, never part by part (see `entries`).

In: entries and the kinds of their arguments. Out: machine code. This module loads numba, and is
loaded where something has to be compiled. It leans on what is inside numba: which versions will
do stands in `pyproject.toml`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numba
from numba.core import dispatcher, serialize
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from worldengine.batch.compiling.doors import Door, type_of
from worldengine.batch.compiling.entries import Entry
from worldengine.batch.compiling.keeping import Code, keep
from worldengine.batch.compiling.kinds import Kind
from worldengine.batch.compiling.loading import ELSEWHERE, OBJECT
from worldengine.batch.compiling.notices import compilation
from worldengine.batch.compiling.teaching import LESSONS

_types = cast("Any", numba.types)
_IN_VAIN = frozenset({
    "WithLifting", "InlineClosureLikes", "RewriteSemanticConstants", "DeadBranchPrune",
    "RewriteDynamicRaises", "MakeFunctionToJitFunction", "FindLiterallyCalls", "LiteralUnroll",
    "LiteralPropagationSubPipelinePass", "InlineOverloads", "AnnotateTypes",
    "DumpParforDiagnostics",
})  # fmt: skip
"""numba's passes for closures, contexts, literals and the like; a twentieth of the time."""
_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


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


class _Passes(cast("Any", Compiler)):  # type: ignore[misc]
    """numba's own, without passes for what no function here has."""

    def define_pipelines(self) -> list[Any]:
        """One, as numba wants it."""
        (passes,) = super().define_pipelines()
        passes.passes = [each for each in passes.passes if each[0].__name__ not in _IN_VAIN]
        passes.finalize()
        return [passes]


class _PartCompiler(_Passes):
    """The code goes where that of parts does."""

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


class _Whole(cast("Any", JITCodeLibrary)):  # type: ignore[misc]
    """Code of an entry, which goes into no other code, and is run by `loading`."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def machine_code(self) -> bytes:
        """What the processor understands."""
        return bytes(self._codegen._tm.emit_object(self._final_module))

    def wants(self) -> list[str]:
        """What it calls or reads that is not in it."""
        module = self._final_module
        every = [*module.functions, *module.global_variables]
        return [each.name for each in every if each.is_declaration]


class _EntryCompiler(_Passes):
    """The code goes where that of entries does; nothing is made ready to run."""

    def __init__(
        self, typing: Any, target: Any, library: Any, arguments: Any, returns: Any, flags: Any,
        *others: Any,
    ) -> None:  # fmt: skip
        flags.no_compile = True
        library = library or _Whole(target.codegen(), "entry")
        super().__init__(typing, target, library, arguments, returns, flags, *others)


def made_of(entry: Entry, kinds: tuple[Kind, ...], path: Path | None) -> Code:
    """An entry for arguments of these kinds, compiled, and kept if there is a place for it."""
    with cast("Any", global_compiler_lock), compilation(entry.py_func.__module__), _no_collecting():
        hold_lessons()
        asked = {**_asked(entry.options), **_BARE}
        make = cast("Any", dispatcher)._FunctionCompiler(
            entry.py_func, cpu_target, asked, {}, _EntryCompiler
        )
        made = make.compile(tuple(map(type_of, kinds)), None)
        if any(each.consts for each in made._find_referenced_environments()):
            raise TypeError(f"{entry.__name__} has constants outside its code")
        code = _whole(entry, kinds, made, path)
    if path is not None:
        keep(path, code)
    return code


@contextmanager
def _no_collecting() -> Iterator[None]:
    """numba makes millions of objects, few of them garbage: looking for that takes a tenth of the
    time, again and again. It is looked for when a function is done."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _whole(entry: Entry, kinds: Sequence[Kind], made: Any, path: Path | None) -> Code:
    """The function and its door as machine code."""
    library, door = made.library, "" if entry.bare else "door"
    if door:
        library.add_ir_module(Door(made.target_context, made.fndesc, door).build(kinds))
    library.finalize()
    unknown = [name for name in library.wants() if not _is_known(name)]
    if unknown:
        raise TypeError(f"{entry.__name__} needs what only numba has: {', '.join(unknown)}")
    returns = str(made.signature.return_type)
    return Code(made.fndesc.llvm_func_name, door, returns, library.machine_code())


def _is_known(name: str) -> bool:
    return name in ELSEWHERE or name.startswith((OBJECT, "llvm."))


def hold_lessons() -> None:
    """Tell numba of what compiled functions call and it does not know yet."""
    while LESSONS:
        unit, lesson = LESSONS.pop(0)
        told = lesson()
        template = type("Template", (AbstractTemplate,), {"key": unit, "generic": told.typed})
        cast("Any", infer_global)(unit, _types.Function(template))
        cast("Any", lower_builtin)(unit, told.arguments)(told.lowered)


def part_dispatcher(function: Any, options: dict[str, Any]) -> Any:
    """numba's dispatcher of a part."""
    return _PartDispatcher(
        py_func=function, locals={}, targetoptions={**_asked(options), **_BARE},
        pipeline_class=_PartCompiler,
    )  # fmt: skip


def dispatcher_type(made: Any) -> Any:
    """What numba takes it for where it stands in compiled functions."""
    return _types.Dispatcher(made)


def raise_again(told: bytes) -> None:
    """Raise what compiled code describes: its class, its arguments, where it was raised."""
    made, arguments, _ = serialize.loads(told)
    raise made(*(arguments or ()))


def _asked(options: dict[str, Any]) -> dict[str, Any]:
    """Options as dispatchers take them."""
    return {**options, "nopython": True, "boundscheck": None}
