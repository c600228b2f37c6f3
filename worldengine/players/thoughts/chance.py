"""Draws as `random.Random` makes them, bit for bit, for less.

In: a generator's own methods, what is to be chosen from. Out: choices. Players draw several
times a turn; the generator's own functions look at their arguments for longer than they draw.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias, TypeVar

Thing = TypeVar("Thing")
Bits: TypeAlias = Callable[[int], int]
"""`Random.getrandbits`: so many bits of chance."""


def below(bits: Bits, count: int) -> int:
    """A number in 0..count-1."""
    width = count.bit_length()
    at = bits(width)
    while at >= count:
        at = bits(width)
    return at


def one_of(bits: Bits, things: Sequence[Thing]) -> Thing:
    """As `Random.choice`."""
    return things[below(bits, len(things))]


def in_any_order(bits: Bits, things: Sequence[Thing]) -> list[Thing]:
    """As `Random.sample` of all of them, where there are 21 at most."""
    pool, found = list(things), []
    for left in range(len(pool), 0, -1):
        at = below(bits, left)
        found.append(pool[at])
        pool[at] = pool[left - 1]
    return found


def weighed(share: Callable[[], float], weights: Sequence[float]) -> int:
    """The place of one of the weights, as `Random.choices`; `share` is `Random.random`."""
    sums = list(accumulate(weights))
    return bisect(sums, share() * (sums[-1] + 0.0), 0, len(sums) - 1)
