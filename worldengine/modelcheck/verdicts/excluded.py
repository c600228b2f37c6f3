"""Worlds that cannot be won because conditions exclude one another.

In: a `Problem` whose Machine may be reduced, a start. Out: a `Reason`, or None where a win follows
in the relaxed world from there. It names the action (or the win) whose conditions, each of which
can hold, never hold together: the one without whose contexts (see `together`) a win would follow.
"""

from __future__ import annotations

from worldengine.machine.schema import Machine
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.units import OPERATOR
from worldengine.modelcheck.relaxation.relaxed import FAR, Relaxed, Space, relaxed_of
from worldengine.modelcheck.verdicts.reasons import Reason
from worldengine.modelcheck.wording.places import location_of


def excluded(problem: Problem, machine: Machine, variant: int) -> Reason | None:
    """See the module."""
    relaxed, horn = problem.relaxed, problem.horn
    if relaxed is None or horn is None or _follows(relaxed, machine, variant):
        return None
    alike: dict[tuple[int, int], list[int]] = {}
    for number in relaxed.without_hope:
        unit = horn.reach.units[number]
        what = machine.operators[unit.index].schema if unit.kind == OPERATOR else unit.index
        alike.setdefault((unit.kind, what), []).append(number)
    for (kind, what), units in alike.items():
        if _follows(relaxed_of(horn, spared=units), machine, variant):
            of = machine.schemas[what] if kind == OPERATOR else machine.rules[what]
            name = (
                f"`{machine.schemas[what].name}`" if kind == OPERATOR else machine.rules[what].kind
            )
            text = f"{name} can never come about: its conditions exclude one another"
            return Reason(text, location_of(machine, of.span))
    win = next((rule for rule in machine.rules if rule.kind == "win"), None)
    text = "what would have to hold at once for a win can never hold at once"
    return Reason(text, location_of(machine, win.span) if win else None)


def _follows(relaxed: Relaxed, machine: Machine, variant: int) -> bool:
    return Space(relaxed).estimate(relaxed, machine.start(variant))[0] < FAR
