"""Paths without turns that only pass: waiting for longer than it takes, and walks to and fro.

In: supposed states, a path for each. Out: paths that win in fewer turns, or the same ones. A
known way was made for one start: where it waits for a tram, it may wait less from another.
Here every step is taken as soon as it is accepted and leads to where the path meant to be.
Only waiting and walking are left out, nothing that tells or changes anything else.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from worldengine.explorer.imagining.replaying import Action, Replayer, States
from worldengine.explorer.planning.parting import Paths, tells
from worldengine.machine.schema import ACCEPTED, RUNNING, WON

PATIENCE = 10
"""Turns that are waited for one step at most."""
ROUNDS = 12
"""Walks that are left out at most."""
Goals = tuple[tuple[Action, int], ...]
"""Steps, each with the place that it leads to."""


def hastened(
    replayer: Replayer, rows: States, paths: Paths, blank: frozenset[int], moves: frozenset[int]
) -> Paths:
    """Paths that win from the same states, told apart before they part. `blank` are operators
    that change nothing, `moves` those that take the player elsewhere."""
    wait = _wait(paths, blank)
    if wait is None:
        return paths
    passed = replayer.states_of_each(rows, list(paths.values()))
    goals = {
        start: tuple(
            (action, int(state[replayer.place]))
            for action, state in zip(path, states, strict=True)
            if action != wait
        )
        for (start, path), states in zip(paths.items(), passed, strict=True)
    }
    best = paths
    spots: list[tuple[int, int]] = [(0, 0)]
    for _ in range(ROUNDS):
        found = _best(replayer, rows, [_without(goals, spot) for spot in spots], wait, best)
        if found is not None:
            goals, best = found
        elif spots[0] != (0, 0):
            return best
        spots = _strolls(goals, moves)
        if not spots:
            return best
    return best


def _wait(paths: Paths, blank: frozenset[int]) -> Action | None:
    """What paths do several times in a row though it changes nothing."""
    for path in paths.values():
        for one, other in pairwise(path):
            if one == other and one[0] in blank:
                return one
    return None


def _strolls(goals: dict[int, Goals], moves: frozenset[int]) -> list[tuple[int, int]]:
    """Moves, and two in a row, of the steps that all starts begin with."""
    first = next(iter(goals.values()))
    shared = 0
    for steps in zip(*goals.values(), strict=False):
        if any(step != steps[0] for step in steps):
            break
        shared += 1
    walked = [action[0] in moves for (action, _) in first[:shared]]
    return [
        (at, at + many)
        for many in (2, 1)
        for at in range(shared - many + 1)
        if all(walked[at : at + many])
    ]


def _without(goals: dict[int, Goals], spot: tuple[int, int]) -> dict[int, Goals]:
    return {start: steps[: spot[0]] + steps[spot[1] :] for start, steps in goals.items()}


def _best(
    replayer: Replayer, rows: States, tried: list[dict[int, Goals]], wait: Action, best: Paths
) -> tuple[dict[int, Goals], Paths] | None:
    """The shortest outcome that wins from all states and is shorter than the best so far."""
    starts = tuple(best)
    walked = _walked(
        replayer, np.tile(rows, (len(tried), 1)), [goals[s] for goals in tried for s in starts],
        wait, max(map(len, best.values())),
    )  # fmt: skip
    found: list[tuple[int, int, Paths]] = []
    for index in range(len(tried)):
        part = walked[index * len(starts) : (index + 1) * len(starts)]
        ways = {start: way for start, way in zip(starts, part, strict=True) if way is not None}
        length = sum(map(len, ways.values()))
        if len(ways) == len(starts) and length < sum(map(len, best.values())):
            found.append((length, index, ways))
    for _, index, ways in sorted(found, key=lambda each: each[:2]):
        if tells(replayer, rows, ways):
            return tried[index], ways
    return None


def _walked(
    replayer: Replayer, rows: States, goals: list[Goals], wait: Action, limit: int
) -> list[tuple[Action, ...] | None]:
    """Every row's steps, each as soon as it leads to its place, with the waiting between;
    None where that does not win."""
    count = len(goals)
    at, idle = [0] * count, [0] * count
    ways: list[list[Action]] = [[] for _ in range(count)]
    alive = [bool(each) for each in goals]
    won = [False] * count
    for _ in range(limit):
        active = [row for row in range(count) if alive[row]]
        if not active:
            break
        here = rows[active]
        steps = np.array([goals[row][at[row]][0] for row in active], np.int32)
        places = np.array([goals[row][at[row]][1] for row in active])
        after, _, outcomes = replayer.read_each(
            here.copy(), np.ascontiguousarray(steps[:, 0]), np.ascontiguousarray(steps[:, 1])
        )
        status = after[:, replayer.status]
        fine = (outcomes == ACCEPTED) & (after[:, replayer.place] == places)
        fine &= (status == RUNNING) | (status == WON)
        waited, _, _ = replayer.read(here, wait)
        rows[active] = np.where(fine[:, None], after, waited)
        for index, row in enumerate(active):
            ways[row].append(goals[row][at[row]][0] if fine[index] else wait)
            at[row] += int(fine[index])
            idle[row] = 0 if fine[index] else idle[row] + 1
            won[row] = int(rows[row, replayer.status]) == WON
            alive[row] = (
                int(rows[row, replayer.status]) == RUNNING
                and at[row] < len(goals[row])
                and idle[row] <= PATIENCE
            )
    return [tuple(way) if good else None for way, good in zip(ways, won, strict=True)]
