"""Where paths part: starts do the same until they have read different things.

In: supposed states, a path for each. Out: whether what is read tells starts apart before they
are to do different things; the same paths without the steps that no start needs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from worldengine.explorer.imagining.replaying import Replayer, States
from worldengine.explorer.ways import Action

Way = tuple[Action, ...]
Paths = dict[int, Way]
ROUND = 8
"""Steps of a walk that leads back, at most."""


def stripped(
    replayer: Replayer, rows: States, paths: Paths, tellable: Callable[[Paths], bool]
) -> Paths:
    """The steps that all starts share before they are told apart, without those that no
    start's win needs and that tell nothing which a later step hangs on: no start, and, as
    `tellable` says, no number."""
    starts = tuple(paths)
    at = 0
    while at < shared_steps(paths):
        spots = range(at, shared_steps(paths))
        steps = [paths[start][:k] + paths[start][k + 1 :] for k in spots for start in starts]
        tried = np.tile(rows, (shared_steps(paths) - at, 1))
        played = replayer.play_each(tried, steps)
        count = len(starts)
        for k in range(shared_steps(paths) - at):
            part = slice(k * count, (k + 1) * count)
            if not played.won[part].all():
                continue
            shorter = {
                start: tuple(
                    action
                    for place, action in enumerate(steps[part][index][: played.won[part][index]])
                    if not played.refused[part][index, place]
                )
                for index, start in enumerate(starts)
            }
            if tells(replayer, rows, shorter) and tellable(shorter):
                paths, at = shorter, at + k
                break
        else:
            break
    return paths


def direct(replayer: Replayer, rows: States, paths: Paths, moves: frozenset[int]) -> Paths:
    """The paths without a walk at their beginning that only leads back to where one stands."""
    while True:
        first = next(iter(paths.values()))[: min(shared_steps(paths), ROUND)]
        walk = next((at for at, step in enumerate(first) if step[0] not in moves), len(first))
        places = [each[replayer.place] for each in replayer.states_of(tuple(rows[0]), first[:walk])]
        back = [at + 1 for at, place in enumerate(places) if place == rows[0, replayer.place]]
        if not back:
            return paths
        shorter = {start: path[back[-1] :] for start, path in paths.items()}
        if not all(shorter.values()):
            return paths
        played = replayer.play_each(rows.copy(), [*shorter.values()])
        if not played.won.all() or played.refused.any() or not tells(replayer, rows, shorter):
            return paths
        paths = shorter


def shared_steps(paths: Paths) -> int:
    """How many steps all paths begin with."""
    count = 0
    for steps in zip(*paths.values(), strict=False):
        if any(step != steps[0] for step in steps):
            break
        count += 1
    return count


def tells(replayer: Replayer, rows: States, paths: Paths) -> bool:
    """Whether starts read differently before they are to do different things."""
    if len(paths) == 1:
        return True
    return told_apart(paths, replayer.play_each(rows.copy(), [*paths.values()], texts=True).texts)


def told_apart(paths: Paths, read: np.ndarray) -> bool:
    """The same; `read` (start, step) is what is read."""
    ways = list(paths.values())
    for one in range(len(ways)):
        for other in range(one):
            shared = shared_steps({0: ways[one], 1: ways[other]})
            if shared == len(ways[one]) == len(ways[other]):
                continue
            if (read[one, :shared] == read[other, :shared]).all():
                return False
    return True
