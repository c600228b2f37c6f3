"""Whether what was planned still holds after a turn, and what is kept of it if not.

In: beliefs before and after a turn, the outlook that was followed. Out: whether its paths still
fit; what was expected and meant, to plan anew from.
"""

from __future__ import annotations

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.deciding.standing import Decision
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.planning.outlooks import Before, Outlook
from worldengine.explorer.planning.resuming import without
from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.memo import by_machine

UNSEEN = ("turn", "milestone", "once")
"""Roles of variables by which a path is not judged: what they note may hang on what nobody
has seen."""


@by_machine(4)
def _judged(machine: Machine) -> tuple[int, ...]:
    """The variables by which a path is judged."""
    return tuple(at for at, each in enumerate(machine.variables) if each.role not in UNSEEN)


def supposed_wrongly(belief: Belief, decision: Decision) -> frozenset[tuple[int, int]]:
    """Of what the requirements of a step ask about, what is unknown and was supposed done."""
    expected, known = decision.expected, belief.known
    about = insight_of(belief.machine).asked(decision.action[0])
    return frozenset((each, expected[each]) for each in about if expected[each] and not known[each])


def unforeseen(before: Belief, now: Belief, view: Outlook, at: int) -> bool:
    """Whether a start was ruled out that was to do next what one that is left is to do."""
    left = [start for start, _ in now.starts if start in view.paths]
    gone = {start for start, _ in before.starts if start in view.paths}.difference(left)
    ahead = {view.path(start)[at : at + 1] for start in left}
    return any(view.path(start)[at : at + 1] in ahead for start in gone)


def before_of(belief: Belief, view: Outlook, at: int, told: bool) -> Before | None:
    """What was expected to be now and meant to be done, by the first start that still fits."""
    start = view.lead(tuple(start for start, _ in belief.starts))
    path = view.path(start)
    if start not in view.supposed.starts or at > len(path):
        return None
    goals = without(view.goals.get(start, ()), path[:at])
    paths = tuple(
        (each, view.path(each)[at:], without(view.goals.get(each, ()), view.path(each)[:at]))
        for each, _ in belief.starts
        if each in view.paths
    )
    return Before(view.expected(start, at), path[at:], goals, paths, told)


def holds(belief: Belief, view: Outlook, at: int) -> bool:
    """Whether the paths still fit what is believed."""
    fit = [start for start, _ in belief.starts if start in view.paths]
    if not fit:
        return False
    next_steps = {view.path(start)[at : at + 1] for start in fit}
    if len(next_steps) > 1 or () in next_steps:
        return False
    path = view.path(fit[0])
    if any((a in belief.refused or (a[0], -1) in belief.refused) for a in path[at:]):
        return False
    if path[at] in belief.tired:
        return False
    return all(_as_expected(belief, view, view.expected(start, at)) for start in fit)


def _as_expected(belief: Belief, view: Outlook, expected: State) -> bool:
    flags = insight_of(belief.machine).rules.flags.values()
    if any(expected[flag] != (flag in belief.learnt) for flag in flags):
        return False
    known, state = belief.fit.known, belief.state
    for variable in _judged(belief.machine):
        if known[variable]:
            if state[variable] != expected[variable]:
                return False
        elif variable in view.hopes and expected[variable] not in belief.candidates(variable):
            return False
    return True
