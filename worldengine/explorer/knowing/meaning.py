"""Which words mean anything in a world, whatever its state.

In: a Machine, a command. Out: whether some form of the world reads it, with numbers that are in
range. What no form reads is never understood: it changes nothing and teaches no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.runtime import runtime_of

WORLDS = 4
MOST_COMMANDS = 16_384
"""Commands of which it is kept whether they could mean anything."""


@by_machine(WORLDS)
def meaning_of(machine: Machine) -> Callable[[str], bool]:
    """The question, for one world."""
    readings = runtime_of(machine).matcher.readings

    @lru_cache(MOST_COMMANDS)
    def means(command: str) -> bool:
        return any(each.in_range for each in readings(command))

    return means
