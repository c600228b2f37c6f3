"""Hashes and tables of bits, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.modelcheck.steps import compiled


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
