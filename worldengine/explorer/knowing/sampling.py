"""The values that a player may think a variable has before it has seen anything of it.

In: a Machine. Out: values by variable. What a player knows by itself has none: where it is,
what it carries and has done, the turn, what has been reached; nor has what differs between
the starts, which are hypotheses of their own. No initial value is looked at.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.machine.reads import with_blocks
from worldengine.machine.schema import Variable

KNOWN_ROLES = ("turn", "once", "milestone", "status")
MANY = 12
"""Values of a number that are thought of at most, unless its range is that short."""

SPREAD = 8
"""Equal parts that a longer range is divided into; the ends of the parts are thought of."""


def sampled(machine: Machine) -> tuple[tuple[int, ...], ...]:
    """See the module."""
    varied = {variable for each in machine.variants for variable, _ in each.assignments}
    told_apart = _told_apart(machine)
    return tuple(
        _values(machine, index, variable, told_apart.get(index, ()))
        if _hidden(machine, index, variable, varied)
        else ()
        for index, variable in enumerate(machine.variables)
    )


def _hidden(machine: Machine, index: int, variable: Variable, varied: set[int]) -> bool:
    if variable.role in KNOWN_ROLES or index in varied:
        return False
    own = machine.objects[machine.player]
    if index == own.location:
        return False
    return not variable.name.startswith(f"{own.id}.")


def _values(
    machine: Machine, index: int, variable: Variable, told_apart: tuple[int, ...]
) -> tuple[int, ...]:
    if variable.kind == "bool":
        return (0, 1)
    if variable.kind != "int":
        carried = machine.player if variable.role == "location" else None
        return tuple(value for value in variable.domain if value != carried)
    if variable.high - variable.low < MANY:
        return tuple(range(variable.low, variable.high + 1))
    inside = [v for v in told_apart if variable.low <= v <= variable.high]
    width = variable.high - variable.low
    spread = [variable.low + width * part // SPREAD for part in range(SPREAD + 1)]
    return tuple(sorted(dict.fromkeys([*spread, *inside[: MANY - len(spread)]])))


def _told_apart(machine: Machine) -> dict[int, tuple[int, ...]]:
    """The constants that a variable is compared with, outside requirements."""
    programs = [operator.program[operator.body :] for operator in machine.operators]
    programs += [rule.program for rule in machine.rules]
    programs += [derived.program for derived in machine.derived]
    found: dict[int, dict[int, None]] = {}
    for program in programs:
        for step in with_blocks(program, machine):
            for test in step.tests:
                if test.right < 0 and 0 <= test.left < len(machine.variables):
                    found.setdefault(test.left, {})[test.offset] = None
    return {variable: tuple(sorted(values)) for variable, values in found.items()}
