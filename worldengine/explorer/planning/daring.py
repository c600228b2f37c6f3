"""Daring: a step of a known way that no rule one knows asks for is left out.

In: supposed states, a path for each, a mood. Out: the same paths without one step that all of
them share and that no win needs by the rules known so far, and without the walk that only
served it. Whoever knows no rule cannot say what such a step is for, yet it stands in a way
that has won: most of them are kept. What is left out is how a rule is learnt: by being refused
for it. What was refused just now is not left out: whoever sets a refusal right means to do that
step. Nor is a step whose want would change more than it changes itself: what it is for can be
seen without knowing any rule.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from worldengine.explorer.imagining.replaying import Action, States, Way
from worldengine.explorer.knowing.insight import Insight
from worldengine.explorer.planning.parting import Paths, shared_steps, tells


def dared(
    insight: Insight, rows: States, paths: Paths, mood: int, refused: frozenset[Action],
    tellable: Callable[[Paths], bool],
) -> Paths:  # fmt: skip
    """Paths that win from the same states in fewer steps, or the same ones. `refused` is what
    was refused just now; `tellable` says whether what tells the numbers of paths is still
    read: who leaves that out would have to say what nobody told it."""
    first = next(iter(paths.values()))
    steps = [
        at
        for at in range(shared_steps(paths))
        if first[at][0] not in insight.moves and first[at] not in refused
    ]
    steps.sort(key=lambda at: _whim(first[at], mood))
    for at in _needless(insight, rows, paths, steps):
        found = _without(insight, rows, paths, at)
        if found is not None and tellable(found):
            return _without_walk(insight, rows, found, at)
    return paths


def _whim(action: Action, mood: int) -> tuple[int, Action]:
    return ((action[0] + 7) * 7919 + action[1] * 3571 + mood * 104729) % 1009, action


def _needless(insight: Insight, rows: States, paths: Paths, steps: list[int]) -> list[int]:
    """Of some steps those in whose stead nothing might be done, so that no later step is
    refused and in the end all is the same but for what the step itself changes."""
    starts, replayer = tuple(paths), insight.replayer
    pause = insight.pause
    if pause is None or not steps:
        return []
    ways = [
        (*paths[start][:at], pause, *paths[start][at + 1 :]) for at in steps for start in starts
    ]
    whole, tried = rows.copy(), np.tile(rows, (len(steps), 1))
    replayer.play_each(whole, [*paths.values()])
    played = replayer.play_each(tried, ways)
    found = []
    for index, at in enumerate(steps):
        part = slice(index * len(starts), (index + 1) * len(starts))
        operator = paths[starts[0]][at][0]
        other = (tried[part] != whole).any(axis=0)
        other[list(insight.changes(operator))] = False
        other[insight.noted] = False
        if played.won[part].all() and not played.refused[part].any() and not other.any():
            found.append(at)
    return found


def _without(insight: Insight, rows: States, paths: Paths, at: int, many: int = 1) -> Paths | None:
    """The paths without so many steps, None where some start then loses or is refused."""
    shorter: dict[int, Way] = {
        start: (*path[:at], *path[at + many :]) for start, path in paths.items()
    }
    if not all(shorter.values()):
        return None
    played = insight.replayer.play_each(rows.copy(), [*shorter.values()])
    fine = played.won.all() and not played.refused.any()
    return shorter if fine and tells(insight.replayer, rows, shorter) else None


def _without_walk(insight: Insight, rows: States, paths: Paths, at: int) -> Paths:
    """The paths without the walk to where a step was, and back."""
    while True:
        first = next(iter(paths.values()))
        to_and_fro = at > 0 and at < shared_steps(paths)
        if not to_and_fro or any(first[k][0] not in insight.moves for k in (at - 1, at)):
            return paths
        found = _without(insight, rows, paths, at - 1, 2)
        if found is None:
            return paths
        at, paths = at - 1, found
