"""Chance, as a value built from (seed, world, episode): never from a clock or a process.

In: three values. Out: a generator nobody else has, and the variant an episode starts from.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from random import Random


def generator(seed: int, machine_hash: str, episode: int, purpose: str = "player") -> Random:
    """The generator of one episode; `purpose` keeps two uses of it apart."""
    text = f"{purpose}|{seed}|{machine_hash}|{episode}"
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


@lru_cache(maxsize=256)
def _order(seed: int, machine_hash: str, variants: int) -> tuple[int, ...]:
    order = list(range(variants))
    generator(seed, machine_hash, 0, "variants").shuffle(order)
    return tuple(order)


def variant_of(seed: int, machine_hash: str, episode: int, variants: int) -> int:
    """Episodes go through all variants in a seeded order, then through them again."""
    return _order(seed, machine_hash, variants)[episode % variants]
