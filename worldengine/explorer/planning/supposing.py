"""The worlds that a player supposes itself to be in: one for every start that still fits.

In: a `Belief`, what was supposed before. Out: states. What is known is as it is, what the
starts set is as each start sets it, and everything else is supposed: first as it was, then
so that the steps of a known way go through, fewest changes first. No value that is not known
is looked at, and whichever start is the world's own is one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.imagining.replaying import Action, Played, States, Way
from worldengine.explorer.knowing.insight import Insight, insight_of
from worldengine.explorer.ways import own_ways, places_of
from worldengine.machine.schema import State

CHANGES = 40
"""Things that are supposed otherwise for one start at most."""
TRIED, PAIRED = 5, 48
"""Of the best changes so many are tried; of those that are tried in pairs, so many."""
WAYS = 4
"""Known ways that are tried for one start."""
Change = tuple[list[int], int]
End = tuple[Way, int]
"""The end of a way, and the place that it is begun at, -1 for where one stands."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """`rows[i]` is what the world would be if it had begun as `starts[i]`; with the variables
    of known rules. `unsure` are the variables of which nothing is known, `open` those that
    the starts decide."""

    starts: tuple[int, ...]
    rows: States
    unsure: tuple[int, ...]
    open: tuple[int, ...]

    def of(self, start: int) -> State:
        found: State = tuple(self.rows[self.starts.index(start)].tolist())
        return found


def suppose(belief: Belief, prior: State | None, mood: int) -> Supposed:
    """The worlds as they were supposed before, as far as that is possible. `prior` is what
    was expected to be now, None at first."""
    insight = insight_of(belief.machine)
    starts = belief.starts
    own = np.array([state for _, state in starts])
    by_start = (own != own[:1]).any(axis=0)
    known = belief.known
    unsure = tuple(np.flatnonzero(~known & ~by_start).tolist())
    base = own.copy()
    for variable in unsure:
        values = belief.candidates(variable)
        before = None if prior is None else prior[variable]
        base[:, variable] = before if before in values else _at_first(belief, variable, mood)
    flags = [int(flag in belief.learnt) for flag in insight.rules.flags.values()]
    whole = np.hstack([base, np.tile(np.array([flags], base.dtype), (len(base), 1))])
    rows = whole.astype(insight.replayer.kind)
    opened = tuple(np.flatnonzero(by_start).tolist())
    return Supposed(tuple(s for s, _ in starts), rows, unsure, opened)


def _at_first(belief: Belief, variable: int, mood: int) -> int:
    """A value for something unknown: things lie anywhere, nothing is done yet."""
    values = belief.candidates(variable)
    if belief.machine.variables[variable].role == "location":
        there = tuple(v for v in values if v < 0 or _open_to(belief, v))
        return shuffled(there or values, variable, mood)[0]
    return 0 if 0 in values else values[0]


def _open_to(belief: Belief, holder: int) -> bool:
    """Whether something might well be there: a place not seen yet, or a thing that is."""
    role = belief.machine.objects[holder].role
    if role == "place":
        return holder not in belief.places
    return belief.names.name(belief.machine, holder) is not None


def shuffled(values: tuple[int, ...], variable: int, mood: int) -> list[int]:
    """The values in an order of the mood's own."""
    return sorted(values, key=lambda v: ((v + 3) * 7919 + variable * 3571 + mood * 104729) % 1009)


def suited(belief: Belief, supposed: Supposed) -> Supposed:
    """Unknown things are let be so that some known way goes through from every start."""
    insight = insight_of(belief.machine)
    if not supposed.unsure or not insight.ways:
        return supposed
    changes = _changes(belief, supposed.unsure)
    done = frozenset((operator, number) for operator, number, _ in belief.done)
    ends = [
        end
        for way, places in zip(insight.ways, insight.places, strict=True)
        for end in _ends(insight, way, places, done)
    ]
    own = own_ways(belief.machine) if belief.naive else ()
    rows = supposed.rows.copy()
    unsure = list(supposed.unsure)
    fitted: list[tuple[int, End]] = []
    for at in range(len(supposed.starts)):

        def keeps(row: States) -> bool:
            """Whether the starts before this one still have their ways."""
            for other, (way, place) in fitted:
                now = _at(insight, rows[other], place)
                now[0, unsure] = row[unsure]
                played = insight.replayer.play(now, way)
                if _scores(insight, played, way)[0] < _best(way):
                    return False
            return True

        order = ends[at % len(ends) :] + ends[: at % len(ends)]
        if own:
            mine = own[supposed.starts[at]]
            order = _ends(insight, mine, places_of(belief.machine, mine, insight.moves), done)
        here = [each for each in order if each[1] < 0]
        found, end = _suited_to(insight, rows[at], here, changes, keeps, belief.naive)
        if end is None:  # where a way cannot be gone on with from here, from where it is done
            there = [each for each in order if each[1] >= 0]
            other, end = _suited_to(insight, rows[at], there, changes, keeps, belief.naive)
            found = found if end is None else other
        rows[:, unsure] = found[unsure]
        if end is not None:
            fitted.append((at, end))
    return Supposed(supposed.starts, rows, supposed.unsure, supposed.open)


def _ends(
    insight: Insight, way: Way, places: tuple[int, ...], done: frozenset[Action]
) -> list[End]:
    """What is left of a way: from its first step that was not done, with and without the moves
    before it; the last one begun at its own place."""
    moves = insight.moves
    first = next(
        (at for at, step in enumerate(way) if step not in done and step[0] not in moves), 0
    )
    begin = first
    while begin and way[begin - 1][0] in moves:
        begin -= 1
    here = [(way[at:], -1) for at in range(begin, first + 1)]
    return [*here, (way[first:], places[first])] if places[first] >= 0 else here


def _at(insight: Insight, row: States, place: int) -> States:
    """One row: a state with the player at a place, where that is known."""
    found = row[None].copy()
    if place >= 0:
        found[0, insight.replayer.place] = place
    return found


def _suited_to(
    insight: Insight,
    row: States,
    ends: list[End],
    changes: list[Change],
    keeps: Callable[[States], bool],
    naive: bool,
) -> tuple[States, End | None]:
    """A state that fits one of some ways, wherever the player stands in it, and the way; a near
    one and None if none fits."""
    if not ends:
        return row, None
    rows = np.concatenate([_at(insight, row, place) for _, place in ends])
    played = insight.replayer.play_each(rows.copy(), [way for way, _ in ends])
    until = [
        _scores(insight, _part(played, at, len(end)), end)[0] / _best(end)
        for at, (end, _) in enumerate(ends)
    ]
    scored = sorted(range(len(ends)), key=lambda at: (-until[at], at))
    nearest, best_share = row, -1.0
    for chosen in scored[:WAYS]:
        way, now = ends[chosen][0], rows[chosen]
        score = int(_scores(insight, _part(played, chosen, len(way)), way)[0])
        fair = _fair(insight, way, changes, naive)
        for _ in range(CHANGES):
            if score >= _best(way) or not fair:
                break
            better = _better(insight, now, way, [(each,) for each in fair], score, keeps)
            if better is None:
                better = _better(insight, now, way, _pairs(insight, now, way, fair), score, keeps)
            if better is None:
                break
            now, score = better
        share = score / _best(way)
        if share >= 1:
            return now, ends[chosen]
        if share > best_share:
            nearest, best_share = now, share
    return nearest, None


def _better(
    insight: Insight,
    now: States,
    way: Way,
    changes: list[tuple[Change, ...]],
    score: int,
    keeps: Callable[[States], bool],
) -> tuple[States, int] | None:
    """The best of some changes that keeps what fits already."""
    if not changes:
        return None
    tried = np.repeat(now[None], len(changes), axis=0)
    for at, change in enumerate(changes):
        for variables, value in change:
            tried[at, variables] = value
    scores = _scores(insight, insight.replayer.play(tried.copy(), way), way)
    for at in np.argsort(-scores, kind="stable")[:TRIED].tolist():
        if scores[at] <= score:
            return None
        if keeps(tried[at]):
            return tried[at], int(scores[at])
    return None


def _pairs(
    insight: Insight, now: States, way: Way, changes: list[Change]
) -> list[tuple[Change, ...]]:
    """Two changes at once, of what the first step that is refused asks about."""
    played = insight.replayer.play(now[None].copy(), way)
    if not played.refused[0].any():
        return []
    asked = insight.asked(way[int(played.refused[0].argmax())][0])
    about = [each for each in changes if asked.intersection(each[0])][:PAIRED]
    return list(combinations(about, 2))


def _fair(insight: Insight, way: Way, changes: list[Change], naive: bool) -> list[Change]:
    """The changes that do not suppose to be done what the way is there to do; nor, where not
    every rule is known, what any way is."""
    ends = insight.deeds if naive else insight.achieved(way)
    found: list[Change] = []
    for variables, value in changes:
        fair = [each for each in variables if ends.get(each, value + 1) not in (value, None)]
        if fair:
            found.append((fair, value))
    return found


def _best(way: Way) -> int:
    """The score of a way that goes through."""
    return len(way) * (len(way) + 1) + len(way) ** 2


def _part(played: Played, row: int, length: int) -> Played:
    """What was played in one row, without what was put after its end."""
    one = slice(row, row + 1)
    return Played(
        played.won[one], played.refused[one, :length], played.running[one, :length],
        played.texts[one], played.accepted[one],
    )  # fmt: skip


def _scores(insight: Insight, played: Played, way: Way) -> npt.NDArray[np.int64]:
    """How well a way fits each row: steps up to the first that is refused or comes too late,
    steps in all, a win. A win before the end is no better fit: it would be supposing that
    half of what is to be done is done. A move may be refused: where a way does not say which
    of several exits it means, it has them all."""
    failed = (played.refused & ~insight.vague(way)) | ~played.running
    length = len(way)
    until = np.where(failed.any(axis=1), failed.argmax(axis=1), length).astype(np.int64)
    whole = (played.won == length) & (until == length)
    found: npt.NDArray[np.int64] = until * (length + 1) + played.accepted + length**2 * whole
    return found


def _changes(belief: Belief, unsure: tuple[int, ...]) -> list[Change]:
    """What may be supposed otherwise: one thing, or one attribute of all that have it."""
    groups: dict[tuple[str, int], list[int]] = {}
    found: list[Change] = []
    for variable in unsure:
        attribute = belief.machine.variables[variable].name.rpartition(".")[2]
        for value in belief.candidates(variable):
            found.append(([variable], value))
            groups.setdefault((attribute, value), []).append(variable)
    found += [(members, value) for (_, value), members in groups.items() if len(members) > 1]
    return found
