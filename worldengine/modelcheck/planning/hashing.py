"""Hashes, tables of bits and of nodes, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.planning.nodes import Aim


@compiled
def mixed(value: Any) -> Any:
    """A 64-bit mix (the finaliser of SplitMix64)."""
    x = np.uint64(value)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def unseen(bits: Any, partition: Any, first: Any, second: Any) -> bool:
    """Whether this pair of facts is new in this partition; notes it down."""
    key = mixed(
        (np.uint64(partition) << np.uint64(40))
        ^ (np.uint64(first) << np.uint64(20))
        ^ np.uint64(second)
    )
    at = np.int64(key & np.uint64(len(bits) * 8 - 1))
    byte, bit = at >> 3, np.uint8(1 << (at & 7))
    if bits[byte] & bit:
        return False
    bits[byte] |= bit
    return True


@compiled
def sought(aim: Aim, table: Any, states: Any, state: Any) -> Any:
    """Where a state (in what is relevant) stands in the table, -1 - its free place if it does
    not."""
    key = np.uint64(1469598103934665603)
    for i in range(len(aim.relevant)):
        key = mixed(key ^ np.uint64(np.int64(state[aim.relevant[i]]) + 7))
    mask = np.uint64(len(table) - 1)
    at = np.int64(key & mask)
    while table[at] >= 0:
        other = table[at]
        equal = True
        for i in range(len(aim.relevant)):
            if states[other, aim.relevant[i]] != state[aim.relevant[i]]:
                equal = False
                break
        if equal:
            return at
        at = (at + 1) & np.int64(mask)
    return -1 - at


@compiled
def place_of(aim: Aim, table: Any, states: Any, state: Any) -> Any:
    """The free place of a state in the table, -1 if it stands there."""
    at = sought(aim, table, states, state)
    return np.int64(-1) if at >= 0 else -1 - at


@compiled
def standing(aim: Aim, table: Any, states: Any, state: Any) -> Any:
    """The node of a state that stands in the table."""
    return np.int64(table[sought(aim, table, states, state)])
