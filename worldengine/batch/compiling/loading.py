"""Machine code from disk, made callable. Nothing is compiled here, and numba is not needed.

In: code as `keeping` has it. Out: where its function stands, and what Python calls (a *door*, see
`doors`). llvmlite puts the code into memory and fills in where Python's functions and a few of its
objects stand, which are the only things of this process that the code knows of.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from worldengine.batch.compiling.keeping import Code
from worldengine.batch.compiling.kinds import NAMES, TYPES

HEADER = object.__basicsize__
"""Bytes at the beginning of every Python object; an array's own come after them."""
OBJECT = "worldengine "
"""What names of Python objects in compiled code begin with."""
FASTCALL = 0x80
"""A C function of Python's that takes its arguments side by side."""
FUNCTIONS = (
    "PyBool_FromLong", "PyBytes_FromStringAndSize", "PyErr_Clear", "PyErr_Occurred",
    "PyEval_RestoreThread", "PyEval_SaveThread", "PyFloat_AsDouble", "PyFloat_FromDouble",
    "PyLong_AsLongLong", "PyLong_AsUnsignedLongLong", "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong", "PyNumber_Index", "PyObject_IsTrue", "PyTuple_GetItem",
    "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size", "Py_DecRef", "Py_IncRef",
)  # fmt: skip
"""Python's functions that doors call."""
ELSEWHERE = frozenset({*FUNCTIONS, "memcpy", "memmove", "memset"})
"""All functions that code may call which are not in it."""


def accepted_types(name: str) -> list[str]:
    """The types of Python objects that are numbers of a kind, by their names in OBJECTS."""
    return [_named(made) for made, kind in TYPES.items() if kind.name == name]


def _named(made: type) -> str:
    return f"type {made.__module__}.{made.__name__}"  # there are two of the name bool


def _objects() -> dict[str, object]:
    types = {_named(made): made for made in TYPES}
    dtypes = {f"dtype {name}": np.dtype(name) for name in NAMES}
    return {"None": None, "array": np.ndarray, **types, **dtypes}


OBJECTS: dict[str, object] = _objects()
"""Python objects that doors know. They live as long as the process."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A function for arguments of some kinds: what Python calls (None where only compiled
    functions call it), where it stands, the type it gives back, and what holds it there."""

    door: Callable[..., Any] | None
    address: int
    returns: str
    holds: tuple[Any, ...]


class _Method(ctypes.Structure):
    """What Python wants to know of a function in C."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int),
        ("words", ctypes.c_char_p),
    )  # fmt: skip


def machine() -> tuple[str, ...]:
    """What decides on compiled code beside its source: this processor and the compiler's parts.
    What users tell numba through the environment counts, too."""
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # of a processor that cannot be asked
        features = ""
    told = sorted(f"{name}={value}" for name, value in os.environ.items() if _counts(name))
    return (llvmlite.__version__, llvm.get_process_triple(), llvm.get_host_cpu_name(), features,
            str(HEADER), *told)  # fmt: skip


def _counts(name: str) -> bool:
    return name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"


def loaded(code: Code, name: str) -> Ready:
    """Put it into memory; `name` is the function's in Python."""
    _told_names()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    engine = llvm.create_mcjit_compiler(
        llvm.parse_assembly(""),
        cast("Any", target.create_target_machine)(codemodel="jitdefault", jit=True),
    )
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.machine_code))
    engine.finalize_object()
    address = engine.get_function_address(code.function)
    if not code.door:
        return Ready(None, address, code.returns, (engine,))
    method = _Method(name.encode(), engine.get_function_address(code.door), FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
    return Ready(
        make(ctypes.addressof(method), None, None), address, code.returns, (engine, method)
    )


@cache
def _told_names() -> None:
    """Tell llvmlite where Python's functions and objects stand."""
    _try_arrays()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in FUNCTIONS:
        address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
        cast("Any", llvm.add_symbol)(name, address)
    for name, made in OBJECTS.items():
        cast("Any", llvm.add_symbol)(OBJECT + name, id(made))


def _try_arrays() -> None:
    """Whether arrays are as doors take them to be: better said here than found out by them."""
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    at = id(array) + HEADER
    data, shape, numbers = (ctypes.c_void_p.from_address(at + each).value for each in (0, 16, 40))
    count, flags = (ctypes.c_int.from_address(at + each).value for each in (8, 48))
    lengths = tuple((ctypes.c_ssize_t * 2).from_address(shape or 0)) if count == 2 else ()
    found = data, lengths, numbers, flags & 0x501
    if found != (array.ctypes.data, (2, 3), id(np.dtype(np.int16)), 0x501):
        raise RuntimeError(
            "arrays of this numpy or Python lie otherwise than compiled functions know: "
            "install CPython with numpy 1.26 to 2.x"
        )
