"""A Machine for verdicts: what its plays from the starts can do without is left out.

In: a Machine. Out: a quiet Machine with the same variables, starts and operator numbers, from
whose starts a win is reached in as many turns, or as little, as in the whole. Operators that
are left out refuse at once. It is for deciding and planning, not for playing, not for counting
states and not for states that no start leads to.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from worldengine.machine.schema import Machine
from worldengine.memo import by_machine
from worldengine.modelcheck.programs.quiet import quiet_machine
from worldengine.modelcheck.programs.values import TooWide
from worldengine.modelcheck.reductions.cone import relevant
from worldengine.modelcheck.reductions.dominance import useless
from worldengine.modelcheck.reductions.folding import REFUSED, folded
from worldengine.modelcheck.reductions.unspoken import unspoken
from worldengine.modelcheck.relaxation.abstract import reach
from worldengine.modelcheck.relaxation.actions import idle_operator
from worldengine.modelcheck.relaxation.reached import Reach

MANY = 2_000
"""Operators beyond which looking for what can be left out would cost more than it saves."""
ROUNDS = 3
"""How often all proposals of best values are gone through."""


@by_machine(64)
def reduced(machine: Machine, fold: bool = True, dominance: bool = True) -> Machine:
    """See the module. With both reductions off it is the Machine without its words. What no
    command means is left out with either."""
    current = quiet_machine(machine)
    if len(machine.operators) > MANY:
        return current
    try:
        reached = _reach(current)
        if fold or dominance:
            current = _refusing(current, unspoken(machine, reached))
            reached = _reach(current)
        if fold:
            current = folded(reached)
            reached = _reach(current)
        if not dominance or idle_operator(current) is None:
            return current
        for _ in range(ROUNDS):
            before = current
            for kind in range(4):
                current, reached = _without(current, reached, kind, fold)
            if current is before:
                break
    except TooWide:
        pass
    return current


def _reach(machine: Machine) -> Reach:
    return reach(machine, [machine.start(v) for v in range(len(machine.variants))])


def _without(machine: Machine, reached: Reach, kind: int, fold: bool) -> tuple[Machine, Reach]:
    matters = relevant(machine)
    dropped = useless(reached, matters, proposed(machine, matters, kind))
    if not dropped:
        return machine, reached
    machine = _refusing(machine, dropped)
    reached = _reach(machine)
    if fold:
        machine = folded(reached)
        reached = _reach(machine)
    return machine, reached


def _refusing(machine: Machine, dropped: Collection[int]) -> Machine:
    """The Machine with some operators that refuse at once."""
    if not dropped:
        return machine
    operators = tuple(
        replace(each, program=REFUSED, body=1) if index in dropped else each
        for index, each in enumerate(machine.operators)
    )
    return replace(machine, operators=operators)


def proposed(machine: Machine, matters: frozenset[int], kind: int) -> dict[int, int]:
    """Best values to try: those of the start; the player for things that can be carried; 1 and
    0 for what is yes or no."""
    found: dict[int, int] = {}
    starts = [machine.start(variant) for variant in range(len(machine.variants))]
    for variable in sorted(matters - {machine.status, machine.turn}):
        part = machine.variables[variable]
        if kind == 0 and len({start[variable] for start in starts}) == 1:
            found[variable] = starts[0][variable]
        elif kind == 1 and part.kind == "ref" and machine.player in part.domain:
            found[variable] = machine.player
        elif kind >= 2 and part.kind == "bool":
            found[variable] = kind - 2
    return found
