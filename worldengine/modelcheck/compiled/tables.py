"""The tables of one Machine for the searches that look at one state at a time.

In: `Tables` of the batch engine, of a Machine without its words. Out: `Tables`, a tuple of numpy
arrays that compiled code takes as one argument. They are the rows of the batch engine:
there is one lowering and one kernel for all that steps Machines in numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.batch.compiling.apart import attach
from worldengine.batch.slots.kernel import run
from worldengine.batch.tables.layout import H_BOUNDS, H_DERIVED_BASE, H_STATUS, H_VARIABLES
from worldengine.batch.tables.tables import Tables as BatchTables

Ints = npt.NDArray[np.int32]
VARIABLES, DERIVED_BASE, STATUS, SLOTS, WORDS, MARKS, STACK, SAYING = range(8)
"""Positions in `Tables.sizes`."""


class Tables(NamedTuple):
    """Layouts are those of `worldengine.batch.tables.layout`."""

    h: npt.NDArray[np.int64]  # the Machine's row of `head`
    code: npt.NDArray[Any]
    wide: Ints
    bits: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]  # [8], see above


def tables_of(tables: BatchTables) -> Tables:
    """The tables of the first Machine, with the sizes of the room that its kernel needs."""
    attach(run, tables.head, tables.code.dtype.type)
    h = tables.head[0]
    sizes = [
        h[H_VARIABLES],
        h[H_DERIVED_BASE],
        h[H_STATUS],
        tables.slots,
        tables.derived // 64 + 1,
        2 * tables.derived,
        tables.stack + 16,
        tables.saying,
    ]
    return Tables(h, tables.code, tables.wide, tables.bits, np.array(sizes, np.int64))


def widened(tables: Tables, bounds: dict[int, tuple[int, int]]) -> Tables:
    """The tables with other ends for what is computed into some variables. Constants stand in
    programs as they are stored, and stay so."""
    wide, first = tables.wide.copy(), int(tables.h[H_BOUNDS])
    for variable, (low, high) in bounds.items():
        wide[first + 2 * variable : first + 2 * variable + 2] = low, high
    return tables._replace(wide=wide)
