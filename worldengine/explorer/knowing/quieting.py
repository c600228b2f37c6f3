"""Which operators only tell, note or open: looking, reading, asking, lids.

In: a Machine, the operators that can never be done. Out: operators. What can never be done is as
its kind is: nobody sees from outside that it changes nothing.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.machine.reads import writes

LIGHT = frozenset({"turn", "once", "milestone", "fact"})
"""Roles of variables that looking and asking may change."""


def quiet_operators(machine: Machine, never: frozenset[int]) -> frozenset[int]:
    """See the module."""
    found = []
    for index, operator in enumerate(machine.operators):
        slots = writes(operator.program[operator.body :], machine)
        variables = [machine.variables[s] for s in slots if s < len(machine.variables)]
        if all(v.role in LIGHT or v.name.endswith(".open") for v in variables):
            found.append(index)
    kinds = {machine.operators[each].schema for each in found if each not in never}
    return frozenset(
        each for each in found if each not in never or machine.operators[each].schema in kinds
    )
