"""From a command with a range of numbers, as lists of commands print it, to one that can be typed.

In: a command such as `set harbour clock to 1..12`. Out: the same with one of the numbers, each as
likely. A command without a range comes back as it is.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

from worldengine.matching.patterns import compiled


class Chance(Protocol):
    """`random.Random`, or a generator of numpy: gives a number from 0 on below 1."""

    def random(self) -> float: ...


def concrete(command: str, chance: Chance) -> str:
    """A command that stands for those of a list: each range in it becomes one of its numbers.

    worldengine.concrete("set clock to 1..12", random.Random(1))
    """
    shown, at = "", 0
    for found in _ranges().finditer(command):
        low, high = int(found[1]), int(found[2])
        drawn = low + int(chance.random() * (high - low + 1))
        shown += command[at : found.start()] + str(min(drawn, max(low, high)))
        at = found.end()
    return shown + command[at:]


@cache
def _ranges() -> Any:
    return compiled(r"(-?[0-9]{1,10})\.\.(-?[0-9]{1,10})")
