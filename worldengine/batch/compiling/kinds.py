"""What the arguments of compiled functions are, told without the compiler.

In: an argument. Out: its kind, which names the compiled code that is asked for, and is turned
into the compiler's own types only where something has to be compiled: loading the compiler costs
more than all that a start needs of it. Nothing but numbers, arrays and tuples of these has a kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np


@dataclass(frozen=True, slots=True)
class Number:
    """An integer, a float or a truth value; `name` is numpy's, for example `int64`."""

    name: str


@dataclass(frozen=True, slots=True)
class Rows:
    """An array: the name of its numbers and its dimensions; `whole` if it lies in one piece, row
    by row, `fixed` if nothing may be written to it."""

    name: str
    dimensions: int
    whole: bool = True
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """A tuple, often a named one."""

    made: type
    parts: tuple[Kind, ...]


Kind: TypeAlias = Number | Rows | Parts

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64",
)  # fmt: skip
"""Numbers that compiled functions take, by numpy's names."""
KINDS = {name: Number(name) for name in NAMES}
TYPES: dict[type, Number] = {
    **{np.dtype(name).type: kind for name, kind in KINDS.items()},
    bool: KINDS["bool"],
    int: KINDS["int64"],
    float: KINDS["float64"],
}
"""Which kind a number has, by its type."""


def kind_of(value: Any) -> Kind:
    """The kind of an argument; TypeError if it has none."""
    number = TYPES.get(type(value))
    if number is not None:
        return number
    if isinstance(value, np.ndarray):
        return _rows(value)
    if isinstance(value, tuple):
        return Parts(type(value), tuple(map(kind_of, value)))
    if isinstance(value, np.generic) and value.dtype.name in KINDS:
        return KINDS[value.dtype.name]
    raise TypeError(
        f"compiled functions take numbers, arrays and tuples of them, not {type(value).__name__}"
    )


def _rows(array: Any) -> Rows:
    name, flags = array.dtype.name, array.flags
    if name not in KINDS or not array.dtype.isnative or not flags.aligned:
        raise TypeError(f"compiled functions take arrays of {', '.join(NAMES)}, not {array.dtype}")
    return Rows(name, array.ndim, bool(flags.c_contiguous), not flags.writeable)


def told(kind: Kind) -> str:
    """A kind in words, the same in every process; those of tuples tell where they are from."""
    if isinstance(kind, Number):
        return kind.name
    if isinstance(kind, Rows):
        return f"{kind.name}[{kind.dimensions}{' apart' * (not kind.whole)}{' fixed' * kind.fixed}]"
    return f"{kind.made.__module__}.{kind.made.__qualname__}({', '.join(map(told, kind.parts))})"


def plain(value: Any) -> Any:
    """The same argument in the one form of its kind: numpy has several descriptions of one type
    of numbers, of which compiled functions know the usual one."""
    if isinstance(value, np.ndarray):
        usual = np.dtype(value.dtype.name)
        return value if value.dtype is usual else value.view(usual)
    if isinstance(value, tuple):
        parts = [plain(part) for part in value]
        return tuple(parts) if type(value) is tuple else cast("Any", type(value))(*parts)
    if type(value) in TYPES:
        return value
    return np.dtype(value.dtype.name).type(value)
