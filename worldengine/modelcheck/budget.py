"""What a search may use: states, seconds, bytes.

In: numbers, or what an author types (`30s`, `2M`, `1GiB`). Out: a `Budget`. Refused with
ValueError, in a sentence: what is none of these. Time that goes into compiling this package's
own functions, when they are used for the first time, is not the search's and does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from time import monotonic
from typing import Final

from worldengine.batch.compiling.compile_time import compiling

_AMOUNT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
_SECONDS: Final = {"s": 1.0, "sec": 1.0, "min": 60.0, "ms": 0.001}
_STATES: Final = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
_BYTES: Final = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 10**3, "MB": 10**6}
_BYTES_TOO: Final = {"GB": 10**9, "B": 1}


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds on one world, all its variants together."""

    states: int = 20_000_000
    seconds: float = 30.0
    memory: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Clock:
    """A deadline, passed down to whatever searches. `compiled` is what compiling had taken when
    the clock was set: what it takes from then on moves the deadline."""

    deadline: float
    compiled: float

    @property
    def left(self) -> float:
        return max(0.0, self.deadline + compiling() - self.compiled - monotonic())


def clock(seconds: float) -> Clock:
    """A clock that runs out in so many seconds."""
    return Clock(monotonic() + seconds, compiling())


def budget_of(text: str) -> Budget:
    """Amounts joined by commas or blanks, each by its unit."""
    budget = Budget()
    for part in re.split(r"[,\s]+", text.strip()):
        match = _AMOUNT.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is no budget; write 30s, 2M (states) or 1GiB")
        number, unit = float(match[1]), match[2]
        size = {**_BYTES, **_BYTES_TOO}.get(unit)
        if unit in _SECONDS:
            budget = Budget(budget.states, number * _SECONDS[unit], budget.memory)
        elif unit in _STATES:
            budget = Budget(int(number * _STATES[unit]), budget.seconds, budget.memory)
        elif size is not None:
            budget = Budget(budget.states, budget.seconds, int(number * size))
        else:
            raise ValueError(f"{unit!r} is no unit; write 30s, 2M (states) or 1GiB")
        if min(budget.states, budget.seconds, budget.memory) <= 0:
            raise ValueError(f"{part!r} leaves nothing to search with: a budget is more than 0")
    return budget
