"""Variables of states, fetched into lanes and put back from them.

States come as bytes, `size` of them a variable, lowest first, so that kernels are compiled once
and not once for every type of states. `rows` says which state each lane holds; see `columns`.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.compiling.jit import i64, inner, u
from worldengine.batch.tables.arrays import Integers


@inner
def value_of(source: Integers, size: int, row: int, variable: int) -> int:
    """One variable of one state."""
    at = variable * size
    if size == 1:
        return int(np.int8(source[u(row), u(at)]))
    low = i64(source[u(row), u(at)]) | i64(source[u(row), u(at + 1)]) << 8
    if size == 2:
        return int(np.int16(low))
    high = i64(source[u(row), u(at + 2)]) | i64(source[u(row), u(at + 3)]) << 8
    return int(np.int32(low | high << 16))


@inner
def gather(cols: Integers, c: int, source: Integers, rows: Integers, variable: int, size: int,
           b: int, e: int) -> None:  # fmt: skip
    """Fetch one variable of the states `source[rows[lane]]`."""
    row = cols[u(c)]
    if size == 1:
        for lane in range(b, e):
            row[u(lane)] = np.int8(source[u(rows[u(lane)]), u(variable)])
        return
    if size == 2:
        for lane in range(b, e):
            state = source[u(rows[u(lane)])]
            low, high = i64(state[u(2 * variable)]), i64(state[u(2 * variable + 1)])
            row[u(lane)] = np.int16(low | high << 8)
        return
    for lane in range(b, e):
        row[u(lane)] = value_of(source, size, i64(rows[u(lane)]), variable)


@inner
def scatter(cols: Integers, c: int, target: Integers, rows: Integers, variable: int, size: int,
            b: int, e: int) -> bool:  # fmt: skip
    """Put one variable back; False if a value does not fit the type of states."""
    row = cols[u(c)]
    if size == 1:
        wrong = np.int32(0)
        for lane in range(b, e):
            value = row[u(lane)]
            wrong |= value ^ np.int32(np.int8(value))
            target[u(rows[u(lane)]), u(variable)] = np.uint8(value)
        return bool(wrong == 0)
    if size == 2:
        wrong = np.int32(0)
        for lane in range(b, e):
            value, at = row[u(lane)], 2 * variable
            wrong |= value ^ np.int32(np.int16(value))
            target[u(rows[u(lane)]), u(at)] = np.uint8(value)
            target[u(rows[u(lane)]), u(at + 1)] = np.uint8(value >> 8)
        return bool(wrong == 0)
    lost, least = False, i64(-1) << (8 * size - 1)
    for lane in range(b, e):
        value, at = i64(row[u(lane)]), variable * size
        lost |= (value < least) | (value >= -least)
        for byte in range(size):
            target[u(rows[u(lane)]), u(at + byte)] = (value >> (8 * byte)) & 255
    return not lost
