"""Commands with a number: which there are, and which numbers known ways say.

In: a Machine. Out: operators, numbers. Both follow from what the world is, whatever start it is in.
"""

from __future__ import annotations

from worldengine.explorer.ways import ways_of
from worldengine.machine import Machine
from worldengine.memo import by_machine

WORLDS = 8


@by_machine(WORLDS)
def numbered(machine: Machine) -> frozenset[int]:
    """Operators whose command has a number."""
    return frozenset(
        index
        for index, operator in enumerate(machine.operators)
        if any(each.type == "number" for each in machine.schemas[operator.schema].parameters)
    )


@by_machine(WORLDS)
def said_numbers(machine: Machine) -> frozenset[int]:
    """The numbers that known ways say."""
    among = numbered(machine)
    return frozenset(step[1] for way in ways_of(machine) for step in way if step[0] in among)
