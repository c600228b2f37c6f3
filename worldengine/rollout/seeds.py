"""Chance, as a value built from (seed, world, episode): never from a clock or a process.

In: three values. Out: a generator nobody else has, and the variant an episode starts from.

The starts of a world fall into three parts, for training, validation and testing. Which part
a start belongs to follows from the world's shape and the start alone: nobody has to hand
lists about, and a world in other words keeps its parts.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from random import Random
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["all", "train", "validation", "test"]
PARTS: tuple[Part, ...] = ("all", "train", "validation", "test")
TENTHS = {"validation": 1, "test": 2}
"""How many starts in ten are kept for each; the rest is for training."""


class NoStarts(ValueError):
    """The part that was asked for has no start in it; the message is for people."""


def generator(seed: int, machine_hash: str, episode: int, purpose: str = "player") -> Random:
    """The generator of one episode; `purpose` keeps two uses of it apart."""
    text = f"{purpose}|{seed}|{machine_hash}|{episode}"
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


def part_of(shape: str, variant: int) -> Part:
    """The part that one start belongs to; the first start is always for training."""
    text = f"part|{shape}|{variant}"
    tenth = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 10
    if variant == 0 or tenth >= TENTHS["validation"] + TENTHS["test"]:
        return "train"
    return "validation" if tenth < TENTHS["validation"] else "test"


@lru_cache(maxsize=256)
def starts_in(part: Part, shape: str, variants: int) -> tuple[int, ...]:
    """The starts of a part, ascending."""
    return tuple(
        number for number in range(variants) if part == "all" or part_of(shape, number) == part
    )


@lru_cache(maxsize=256)
def some_of(starts: tuple[int, ...], shape: str, most: int) -> tuple[int, ...]:
    """At most so many of the starts, the same ones in every run and in all wordings."""
    order = list(starts)
    generator(0, shape, 0, "some starts").shuffle(order)
    return tuple(sorted(order[:most]))


@lru_cache(maxsize=256)
def _order(seed: int, machine_hash: str, starts: tuple[int, ...]) -> tuple[int, ...]:
    order = list(starts)
    generator(seed, machine_hash, 0, "variants").shuffle(order)
    return tuple(order)


def variant_of(seed: int, machine_hash: str, episode: int, starts: tuple[int, ...]) -> int:
    """Episodes go through all of `starts` in a seeded order, then through them again."""
    order = _order(seed, machine_hash, starts)
    return order[episode % len(order)]
