"""Daring: a step of a known way that no rule one knows asks for is left out.

In: supposed states, a path for each, a mood. Out: the same paths without one step that all of
them share and that no win needs by the rules known so far, and without the walk that only
served it. Whoever knows no rule cannot say what such a step is for, yet it stands in a way
that has won: most of them are kept. What is left out is how a rule is learnt: by being refused
for it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from worldengine.explorer.parting import Paths, shared_steps, tells
from worldengine.explorer.replaying import Action, Replayer, States

AT_ONCE = 2
"""Steps that go with one that is left out, itself counted; what more hangs on it is kept."""


def dared(
    replayer: Replayer, rows: States, paths: Paths, moves: frozenset[int], mood: int
) -> Paths:
    """Paths that win from the same states in fewer steps, or the same ones."""
    first = next(iter(paths.values()))
    steps = [at for at in range(shared_steps(paths)) if first[at][0] not in moves]
    found = _without(replayer, rows, paths, sorted(steps, key=lambda at: _whim(first[at], mood)))
    if found is None:
        return paths
    at, paths = found
    while found is not None:
        at, paths = found
        first = next(iter(paths.values()))
        near = [k for k in (at - 1, at) if 0 <= k < shared_steps(paths) and first[k][0] in moves]
        found = _without(replayer, rows, paths, near)
    return paths


def _whim(action: Action, mood: int) -> tuple[int, Action]:
    return ((action[0] + 7) * 7919 + action[1] * 3571 + mood * 104729) % 1009, action


def _without(
    replayer: Replayer, rows: States, paths: Paths, spots: Iterable[int]
) -> tuple[int, Paths] | None:
    """The first of some steps without which every start still wins, and the paths without it
    and without what is then refused."""
    starts = tuple(paths)
    spots = [at for at in spots if all(len(path) > 1 for path in paths.values())]
    if not spots:
        return None
    ways = [paths[start][:at] + paths[start][at + 1 :] for at in spots for start in starts]
    played = replayer.play_each(np.tile(rows, (len(spots), 1)), ways)
    for index, at in enumerate(spots):
        part = range(index * len(starts), (index + 1) * len(starts))
        if not played.won[part].all():
            continue
        shorter = {
            start: tuple(
                action
                for place, action in enumerate(ways[row][: played.won[row]])
                if not played.refused[row, place]
            )
            for start, row in zip(starts, part, strict=True)
        }
        lost = max(len(paths[start]) - len(shorter[start]) for start in starts)
        if lost <= AT_ONCE and tells(replayer, rows, shorter):
            return at, shorter
    return None
