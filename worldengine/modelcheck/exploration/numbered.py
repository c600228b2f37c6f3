"""Hash tables of numbers, with some bits of the hash beside each number, compiled.

In: 64-bit hashes, rows that are numbered. Out: places in a table of `int32`. An entry is -1, or a
number in its lowest `bits` bits with as many bits of the hash above it as there is room for: the
*tag*. A number whose tag is another's need not be looked at, which is one look at memory saved
for each; an equal tag proves nothing, and the rows themselves are compared. So a table may be
nearly full and a look still costs one row.

`bits` follows from how many rows there is room for: a table is made anew whenever that changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.modelcheck.compiled.steps import compiled


def bits_for(rows: int) -> int:
    """Bits that a number of one of so many rows takes."""
    return max(1, (rows - 1).bit_length())


@compiled
def mixed(value: Any) -> Any:
    """A 64-bit hash of a 64-bit number."""
    found = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)
    found ^= found >> np.uint64(29)
    found *= np.uint64(0xBF58476D1CE4E5B9)
    return found ^ (found >> np.uint64(32))


@compiled
def home_of(table: Any, mix: Any) -> Any:
    """Where in a table a hash is sought first."""
    return np.int64(((mix >> np.uint64(32)) * np.uint64(len(table))) >> np.uint64(32))


@compiled
def tag_of(mix: Any, bits: Any) -> Any:
    """The bits of a hash that stand in an entry, where the number is 0."""
    return (np.int64(mix & np.uint64(0x7FFFFFFF)) >> bits) << bits


@compiled
def next_to(table: Any, at: Any) -> Any:
    """The place after one."""
    return 0 if at + 1 == len(table) else at + 1


@compiled
def free_place(table: Any, mix: Any) -> Any:
    """The place for a hash whose row is not in the table."""
    at: Any = home_of(table, mix)
    while table[at] >= 0:
        at = next_to(table, at)
    return at
