"""Numbers of a path that nothing tells before they are said: what tells them is read first.

In: a belief, supposed states, a path for each. Out: which numbers are said untold; the same paths
with the steps that lead to a text which says them, where there is one. What a text would say is
judged in the worlds that are supposed, so a number is looked for where it is hoped to stand.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.imagining.playing import gone, padded
from worldengine.explorer.imagining.replaying import Action, Replayer, States, Way
from worldengine.explorer.knowing.insight import Insight
from worldengine.explorer.knowing.numbered import numbered
from worldengine.explorer.planning.offering import allowed
from worldengine.explorer.planning.parting import Paths, tells
from worldengine.explorer.planning.resuming import resumed
from worldengine.machine.schema import ACCEPTED
from worldengine.players.shown.figures import numbers

FETCHED = 4
"""Numbers of one outlook that are looked for at most."""
PLACES = 24
"""Places that are walked to for a number."""
BEFORE = 12
"""Steps of known ways before one with a number that are tried for what they tell."""
Untold = list[tuple[int, int]]
"""Starts, and the place in their paths of a step whose number nothing has told by then."""


def untold(insight: Insight, belief: Belief, rows: States, paths: Paths) -> Untold:
    """See `Untold`; of every start's numbers each once, the first in the paths first."""
    figured = numbered(insight.machine)
    asked = {
        start: spots
        for start, path in paths.items()
        if (
            spots := [
                at
                for at, step in enumerate(path)
                if step[0] in figured and step[1] not in belief.figures
            ]
        )
    }
    if not asked:
        return []
    starts = list(paths)
    mine = [starts.index(start) for start in asked]
    read = _texts(
        insight.replayer, rows[mine], [paths[start][: spots[-1]] for start, spots in asked.items()]
    )
    found: Untold = []
    for (start, spots), texts in zip(asked.items(), read, strict=True):
        met: set[int] = set()
        for at in spots:
            number = paths[start][at][1]
            if number not in met and not any(number in numbers(text) for text in texts[:at]):
                found.append((start, at))
            met.add(number)
    return sorted(found, key=lambda each: each[1])


def fetched(insight: Insight, belief: Belief, rows: States, paths: Paths) -> Paths:
    """The paths with what tells their numbers read before, where that can be."""
    lacking = untold(insight, belief, rows, paths)
    hopeless: set[int] = set()
    for _ in range(FETCHED):
        first = next((each for each in lacking if paths[each[0]][each[1]][1] not in hopeless), None)
        if first is None:
            break
        better = next(
            (
                (tried, left)
                for tried in _with_detour(insight, belief, rows, paths, *first)
                if len(left := untold(insight, belief, rows, tried)) < len(lacking)
            ),
            None,
        )
        if better is None:
            hopeless.add(paths[first[0]][first[1]][1])
        else:
            paths, lacking = better
    return paths


def _with_detour(
    insight: Insight, belief: Belief, rows: States, paths: Paths, start: int, at: int
) -> Iterator[Paths]:
    """The paths of all starts that go the same way so far with steps put in before one of them,
    after which its number was read; those by which all win."""
    path, replayer = paths[start], insight.replayer
    row = rows[list(paths).index(start)]
    before = (tuple(row.tolist()), *replayer.states_of(tuple(row.tolist()), path[:at]))
    here = np.array(before[at], replayer.kind)
    number = path[at][1]
    passed = [(spot, np.array(before[spot], replayer.kind)) for spot in range(at, -1, -1)]
    for spot, there in passed:
        for steps in _telling(insight, there, number):
            yield from _fine(insight, belief, rows, _put_in(paths, start, spot, steps))
    for steps in _farther(insight, belief, here, path[at]):
        ended = here[None].copy()
        replayer.play(ended, steps)
        back = replayer.walk(ended[0], int(here[replayer.place]), insight.moves)
        walk = back[0] if back is not None else ()
        yield from _fine(insight, belief, rows, _put_in(paths, start, at, (*steps, *walk)))


def _put_in(paths: Paths, start: int, at: int, steps: Way) -> Paths:
    """Paths with steps put in where they begin as that of one start does."""
    begun = paths[start][:at]
    return {
        each: (*begun, *steps, *path[at:]) if path[:at] == begun else path
        for each, path in paths.items()
    }


def _fine(insight: Insight, belief: Belief, rows: States, paths: Paths) -> Iterator[Paths]:
    """The paths, if all win by them, nothing is refused and starts are told apart in time."""
    if max(map(len, paths.values())) > belief.left:
        return
    played = insight.replayer.play_each(rows.copy(), [*paths.values()])
    through = played.won == [len(path) for path in paths.values()]
    if through.all() and not played.refused.any() and tells(insight.replayer, rows, paths):
        yield paths


def _telling(insight: Insight, row: States, number: int) -> list[Way]:
    """What can be read where one stands that says a number: at once, or once a lid is open."""
    replayer, looks = insight.replayer, list(insight.looks)
    told = [action for action, text in _answers(replayer, row, looks) if number in numbers(text)]
    if told:
        return [(told[0],)]
    for lid, after in _opened(insight, row):
        for action, text in _answers(replayer, after, looks):
            if number in numbers(text):
                return [(lid, action)]
    return []


def _opened(insight: Insight, row: States) -> Iterator[tuple[Action, States]]:
    """What opens something here, and the state after it."""
    for action in insight.looks:
        if action[0] not in insight.openers:
            continue
        after, accepted = insight.replayer.tried(row, action)
        if accepted:
            yield action, after


def _farther(insight: Insight, belief: Belief, row: States, step: Action) -> Iterator[Way]:
    """Walks to what says the number of a step; then what known ways do before it, with what that
    takes."""
    replayer = insight.replayer
    for many, (walk, there) in enumerate(replayer.walks(row, insight.moves)):
        if many >= PLACES:
            break
        for steps in _telling(insight, there, step[1]):
            yield (*walk, *steps)
    positions = allowed(insight, belief)
    earlier: dict[Action, int] = {}
    for way, places in zip(insight.ways, insight.places, strict=True):
        if step in way:
            last = way.index(step)
            for at in range(last - 1, -1, -1):
                if way[at][0] not in insight.moves:
                    earlier.setdefault(way[at], places[at])
    for action, place in list(earlier.items())[:BEFORE]:
        steps = resumed(insight, row, ((action, place),), positions)
        (texts,) = _texts(replayer, row[None], [steps])
        if steps and any(step[1] in numbers(text) for text in texts):
            yield steps


def _answers(
    replayer: Replayer, row: States, actions: list[Action]
) -> Iterator[tuple[Action, str]]:
    """What is accepted of some actions, and what it would tell."""
    if not actions:
        return
    steps = np.array(actions, np.int32)
    done = replayer.engine.step(
        np.zeros(len(actions), np.int32), np.repeat(row[None], len(actions), axis=0),
        np.ascontiguousarray(steps[:, 0]), np.ascontiguousarray(steps[:, 1]),
    )  # fmt: skip
    for action, outcome, text in zip(
        actions, done.outcomes.tolist(), replayer.words.texts(done.texts), strict=True
    ):
        if outcome == ACCEPTED:
            yield action, text


def _texts(replayer: Replayer, rows: States, ways: list[Way]) -> list[list[str]]:
    """What is read on every row's way, step by step."""
    steps = padded(ways, max(map(len, ways), default=0))
    went = gone(
        replayer.engine, rows.copy(), np.ascontiguousarray(steps[:, :, 0]),
        np.ascontiguousarray(steps[:, :, 1]), replayer.status, True,
    )  # fmt: skip
    return [replayer.words.texts(went.texts[: len(way), row]) for row, way in enumerate(ways)]
