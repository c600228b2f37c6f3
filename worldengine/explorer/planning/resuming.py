"""Resuming: what is left to do of a known way that was departed from.

In: a supposed state, the steps that are left of a path and the place of each. Out: a way from
here that does them in their order, with the walks between. What would change nothing any more
is passed over. What is refused is tried once more after the others, and else stays in the way:
whoever follows it sees that something is left undone.
"""

from __future__ import annotations

import numpy as np

from worldengine.explorer.imagining.replaying import Action, Ints, Replayer, States, Way
from worldengine.explorer.knowing.insight import NODES, Insight
from worldengine.machine.schema import RUNNING

Goals = tuple[tuple[Action, int], ...]
"""Steps that are no moves, each with the place that it is done at, -1 where nobody knows."""
PATIENCE = 10
"""Turns that are waited at most until a step is accepted."""
RIDES = 600
"""Nodes of one search by moving and waiting alone."""
MENDS = 4
"""Steps for which nothing was found after which no more is looked for."""


def goals_of(replayer: Replayer, state: tuple[int, ...], path: Way, moves: frozenset[int]) -> Goals:
    """The steps of a path that is begun in a state."""
    places = [each[replayer.place] for each in (state, *replayer.states_of(state, path))]
    return tuple(
        (action, place)
        for action, place in zip(path, places, strict=False)
        if action[0] not in moves
    )


def goals_by_map(way: Way, places: tuple[int, ...], moves: frozenset[int]) -> Goals:
    """The steps of a known way, each with its place as far as the map tells it. Moves are none of
    them, but for those after which the map does not tell the place: what they board moves, too."""
    after = (*places[1:], 0)
    return tuple(
        (action, place)
        for action, place, then in zip(way, places, after, strict=True)
        if action[0] not in moves or then < 0
    )


def without(goals: Goals, done: Way) -> Goals:
    """The goals that are left, each step that was done taken off once."""
    found = list(goals)
    for action in done:
        at = next((k for k, (step, _) in enumerate(found) if step == action), -1)
        if at >= 0:
            found.pop(at)
    return tuple(found)


def resumed(insight: Insight, row: States, goals: Goals, allowed: Ints) -> Way:
    """See the module. `allowed` are positions of the actions that may be put in."""
    replayer = insight.replayer
    operators, numbers = insight.actions[0][allowed], insight.actions[1][allowed]
    way: list[Action] = []
    undone: list[Action] = []
    for action, place in goals:
        if row[replayer.status] != RUNNING:
            break
        steps, there = _walked(insight, row, place)
        after, accepted = replayer.tried(there, action)
        if not accepted:
            if _vain(insight, there, action):
                continue
            waited = _waited(insight, there, action)
            if waited is not None:
                pauses, row = waited
                way += [*steps, *pauses, action]
                continue
            limit = NODES if len(undone) < MENDS else 1
            lacking = replayer.approach(
                tuple(row.tolist()), action, operators, numbers, insight.relevant, limit
            )
            if lacking is None and len(undone) < MENDS:
                lacking = _ridden(insight, row, action)
            if lacking is None:
                undone.append(action)
                continue
            steps, after = _led(insight, row, lacking, action, place)
        row = after
        way += [*steps, action]
    return (*way[:-1], *undone, *way[-1:])


def _ridden(insight: Insight, row: States, action: Action) -> Way | None:
    """The moves, and the waiting for what carries one, after which an action is accepted."""
    if insight.pause is None:
        return None
    steps = np.array(sorted({*insight.moves, insight.pause[0]}), np.int32)
    numbers = np.zeros(len(steps), np.int32)
    start = tuple(row.tolist())
    return insight.replayer.approach(start, action, steps, numbers, insight.relevant, RIDES)


def _waited(insight: Insight, row: States, action: Action) -> tuple[Way, States] | None:
    """The waiting after which an action is accepted where one stands, and the state after it."""
    pause, replayer = insight.pause, insight.replayer
    if pause is None:
        return None
    for turns in range(1, PATIENCE + 1):
        row, accepted = replayer.tried(row, pause)
        if not accepted or row[replayer.status] != RUNNING:
            return None
        after, accepted = replayer.tried(row, action)
        if accepted:
            return (pause,) * turns, after
    return None


def _led(
    insight: Insight, row: States, lacking: Way, action: Action, place: int
) -> tuple[Way, States]:
    """Steps that end where an action is accepted, at its place if it is accepted there, too;
    and the state after the action."""
    replayer = insight.replayer
    now = row[None].copy()
    if lacking:
        replayer.play(now, lacking)
    walk, there = _walked(insight, now[0], place)
    for steps, state in (((*lacking, *walk), there), (lacking, now[0])):
        after, accepted = replayer.tried(state, action)
        if accepted:
            return steps, after
    return lacking, now[0]


def _walked(insight: Insight, row: States, place: int) -> tuple[Way, States]:
    """The shortest walk to a place and the state there; none where it cannot be reached."""
    replayer = insight.replayer
    if replayer.place >= 0 and row[replayer.place] != place >= 0:
        found = replayer.walk(row, place, insight.moves)
        if found is not None:
            return found
    return (), row


def _vain(insight: Insight, row: States, action: Action) -> bool:
    """Whether a step would leave all as it is, were there no rule to refuse it."""
    free = row.copy()
    free[len(insight.machine.variables) :] = 0
    after, accepted = insight.replayer.tried(free, action)
    return accepted and bool((after[insight.lasting] == row[insight.lasting]).all())
