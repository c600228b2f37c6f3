"""What known ways offer from where one stands: whole, or what is left of them.

In: a belief, supposed states. Out: ways. Where a script has as many plays as starts, who does not
know every rule takes each to be its start's own: which way wins is then no matter of luck, but
of finding out which start it is. What is left of a way is taken up in its order (see
`resuming`).
"""

from __future__ import annotations

import numpy as np

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.imagining.replaying import Action, Ints, States, Way
from worldengine.explorer.knowing.insight import Insight, insight_of
from worldengine.explorer.planning.outlooks import Before
from worldengine.explorer.planning.resuming import Goals, goals_by_map, resumed
from worldengine.explorer.planning.supposing import Supposed
from worldengine.explorer.ways import own_ways, places_of
from worldengine.machine import Machine
from worldengine.memo import by_machine

WORLDS = 8
RESUMED = 3
"""Supposed worlds for which the way that was followed is taken up again."""
OTHERS = 4
"""Other known ways of which the rest is taken up instead."""


def fit_ways(insight: Insight, belief: Belief) -> tuple[Way, ...]:
    """The known ways without what is never accepted."""
    return fit(insight.ways, belief)


def fit(ways: tuple[Way, ...], belief: Belief) -> tuple[Way, ...]:
    """Ways without what is never accepted."""
    return tuple(
        tuple(
            action
            for action in way
            if action not in belief.refused and (action[0], -1) not in belief.refused
        )
        for way in ways
    )


def own_of(
    insight: Insight, belief: Belief, supposed: Supposed, before: Before | None
) -> dict[int, tuple[Way, ...]]:
    """By start the ways that are its own, what is left of them first; {} where nobody knows
    which way is whose."""
    ways = own_ways(belief.machine)
    if not ways:
        return {}
    done = frozenset((operator, number) for operator, number, _ in belief.done)
    positions = allowed(insight, belief)
    earlier = {start: rest for start, rest, _ in before.paths} if before else {}
    found: dict[int, tuple[Way, ...]] = {}
    for at, start in enumerate(supposed.starts):
        again: list[Way] = []
        if at < RESUMED and before:
            mine = left_of_own(belief.machine, start, done)
            again = [resumed(insight, supposed.rows[at], each, positions) for each in mine]
        again = again or [earlier.get(start, ())]
        (whole,) = fit((ways[start],), belief)
        found[start] = tuple(dict.fromkeys(way for way in (*again, whole) if way))
    return found


def left_of_own(machine: Machine, start: int, done: frozenset[Action]) -> list[Goals]:
    """What is left of a start's own way: the steps that have not been done, and the last one
    again where nothing was won by it; all from the first that has not."""
    whole = _own_goals(machine)[start]
    left = tuple(goal for goal in whole if goal[0] not in done)
    if not whole or whole[-1] in left:
        return [left] if left else []
    first = next((at for at, goal in enumerate(whole) if goal[0] not in done), 0)
    return [(*left, whole[-1]), whole[first:]]


@by_machine(WORLDS)
def _goals(machine: Machine) -> tuple[Goals, ...]:
    """The steps of every known way."""
    insight = insight_of(machine)
    return tuple(
        goals_by_map(way, places, insight.moves)
        for way, places in zip(insight.ways, insight.places, strict=True)
    )


@by_machine(WORLDS)
def _own_goals(machine: Machine) -> tuple[Goals, ...]:
    """By start the steps of its own way."""
    moves = insight_of(machine).moves
    return tuple(
        goals_by_map(way, places_of(machine, way, moves), moves) for way in own_ways(machine)
    )


def taken_up(
    insight: Insight, belief: Belief, rows: States, goals: Goals, done: frozenset[Action]
) -> list[Way]:
    """What is left of the way that was followed, taken up again; then of others."""
    positions = allowed(insight, belief)
    found = [resumed(insight, row, goals, positions) for row in rows if goals]
    return [*filter(None, found), *others_of(insight, belief, rows[0], done)]


def others_of(insight: Insight, belief: Belief, row: States, done: frozenset[Action]) -> list[Way]:
    """What was not done yet of the known ways of which the least is left, from here."""
    known = _goals(belief.machine)
    left = [tuple(goal for goal in each if goal[0] not in done) for each in known]
    left.sort(key=len)
    positions = allowed(insight, belief)
    found = (resumed(insight, row, each, positions) for each in left[:OTHERS])
    return list(filter(None, found))


def allowed(insight: Insight, belief: Belief) -> Ints:
    """Positions of the actions that may be put in to mend a way."""
    operators, numbers = insight.actions
    fits = insight.means.astype(np.bool_)
    for operator, number in belief.refused:
        hit = operators == operator
        if number != -1:
            hit &= numbers == number
        fits &= ~hit
    return np.flatnonzero(fits).astype(np.int32)


def needed(insight: Insight, way: Way) -> set[Action]:
    """The steps of a way that are no moves."""
    return {action for action in way if action[0] not in insight.moves}
