"""Planning over a belief: steps that win from every start that still fits.

In: a `Belief`, what was expected. Out: an `Outlook`: the worlds that are supposed, one a
start, and a path for each. Paths are made from known ways of the world: played in all
supposed worlds at once, parted where the words differ, mended where a step is refused, rid of
needless waiting, and stripped of steps that no win needs *by the rules known so far*: of all
of them where every rule is known and turns are short, of one at a time where rules are unknown
and the player is daring. So it learns by being refused, and what it has learnt it does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worldengine.explorer.belief import Belief
from worldengine.explorer.daring import dared
from worldengine.explorer.hastening import hastened
from worldengine.explorer.insight import NODES, Insight, insight_of
from worldengine.explorer.replaying import Action, Ints, Replayer, States, Way
from worldengine.explorer.resuming import Goals, goals_by_map, goals_of, resumed
from worldengine.explorer.supposing import Supposed, suited, suppose
from worldengine.explorer.together import Paths, Together, stripped
from worldengine.machine.schema import LOST, State

MENDS = 4
"""Refused steps of a way that are mended at most."""
RESUMED = 3
"""Supposed worlds for which the way that was followed is taken up again."""
OTHERS = 2
"""Other known ways of which the rest is taken up instead."""
SPARE = 6
"""Turns that a path should leave over; longer ones are stripped."""


@dataclass(frozen=True, slots=True)
class Before:
    """What was expected to be now, and what was meant to be done from here."""

    state: State
    rest: Way
    goals: Goals = ()
    """What the whole way still has to be done, what was left out of it, too."""

    paths: tuple[tuple[int, Way, Goals], ...] = ()
    """Every start that still fits, its path from here, its goals."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """`supposed` are the worlds, `paths` what to do in each of them, `states` what follows
    each step; `hopes` are the unknown variables on whose supposed value the win depends,
    `dangers` those of them that may lose it without a word."""

    supposed: Supposed
    hopes: tuple[int, ...]
    paths: Paths
    states: dict[int, tuple[State, ...]]
    replayer: Replayer
    dangers: tuple[int, ...] = ()
    goals: dict[int, Goals] = field(default_factory=dict)
    """The steps of every path before any was left out."""

    def path(self, start: int) -> Way:
        return self.paths.get(start, ())

    def expected(self, start: int, at: int) -> State:
        """What a start should be after so many steps of its path."""
        return self.states[start][at - 1] if at else self.supposed.of(start)

    def harmless(self, starts: tuple[int, ...], at: int, actions: list[Action]) -> list[bool]:
        """Whether the paths of some starts still win if something else is done first."""
        if not actions or not self.paths:
            return [True] * len(actions)
        who = [start for start in starts if start in self.paths]
        replayer = self.replayer
        rows = np.array([self.expected(start, at) for start in who], replayer.kind)
        ways = [(action, *self.paths[start][at:]) for action in actions for start in who]
        played = replayer.play_each(np.tile(rows, (len(actions), 1)), ways)
        won = played.won.reshape(len(actions), len(who))
        return [bool(row.all()) for row in won]

    def lead(self, starts: tuple[int, ...]) -> int:
        """The first of some starts that has a path; else the first."""
        return next((start for start in starts if start in self.paths), starts[0])


def outlook(belief: Belief, before: Before | None, mood: int, daring: int) -> Outlook:
    """The best paths that can be imagined; none where there are none. Until `daring` rules
    were learnt by being refused a step is left out of them that no rule yet known asks for."""
    insight = insight_of(belief.machine)
    supposed = suppose(belief, before.state if before else None, mood)
    ways = _ways(insight, belief, mood)
    paths: Paths | None = None
    if before:
        paths = _paths(insight, belief, supposed, ways, before)
    undone = _undone(insight, belief, ways, before, paths)
    if not paths or len(paths) < len(supposed.starts) or undone:
        other = suited(belief, supposed)
        found = _paths(insight, belief, other, ways, before)
        better = _undone(insight, belief, ways, before, found)
        if found and (-len(found), better) < (-len(paths or ()), undone):
            supposed, paths = other, found
    if not paths:
        paths = _mended_path(insight, belief, supposed, ways)
    if not paths:
        return _pathless(insight, supposed, before)
    replayer = insight.replayer
    rows = np.array([supposed.of(start) for start in paths], replayer.kind)
    quick = hastened(replayer, rows, paths, insight.blank, insight.moves)
    if quick is not paths:
        # waiting may be what makes a path win whatever is unknown: nothing more may be hoped for
        hoped = set(hopes_of(insight, belief, supposed, paths)[0])
        if hoped.issuperset(hopes_of(insight, belief, supposed, quick)[0]):
            paths = quick
    goals = {
        start: goals_of(replayer, supposed.of(start), path, insight.moves)
        for start, path in paths.items()
    }
    paths = _lightened(insight, belief, rows, paths, mood, daring)
    states = dict(zip(paths, replayer.states_of_each(rows, list(paths.values())), strict=True))
    hopes, dangers = hopes_of(insight, belief, supposed, paths)
    return Outlook(supposed, hopes, paths, states, replayer, dangers, goals)


def _lightened(
    insight: Insight, belief: Belief, rows: States, paths: Paths, mood: int, daring: int
) -> Paths:
    """Paths without steps that no rule yet known asks for, see the module."""
    length = max(map(len, paths.values()))
    if not _naive(insight, belief):
        tight = length > belief.left - SPARE
        return stripped(insight.replayer, rows, paths) if tight else paths
    if belief.taught >= daring or length + length // 2 + SPARE > belief.left:
        return paths
    return dared(insight.replayer, rows, paths, insight.moves, mood)


def _undone(
    insight: Insight, belief: Belief, ways: tuple[Way, ...], before: Before | None,
    paths: Paths | None,
) -> int:  # fmt: skip
    """Steps that paths leave undone of the known ways that they come nearest to, moves aside;
    0 for a player that knows every rule: it knows what is needed."""
    if not paths or not _naive(insight, belief):
        return 0
    done = {(operator, number) for operator, number, _ in belief.done}
    wholes = [*ways, *([tuple(goal[0] for goal in before.goals)] if before else ())]
    needed = [{action for action in whole if action[0] not in insight.moves} for whole in wholes]
    return sum(min(len(each - done - set(path)) for each in needed) for path in paths.values())


def _naive(insight: Insight, belief: Belief) -> bool:
    """Whether some rule is not known."""
    return len(belief.learnt) < len(insight.rules.flags)


def aimless(belief: Belief, before: Before | None, mood: int) -> Outlook:
    """The outlook where no plan is found: only what might be."""
    supposed = suppose(belief, before.state if before else None, mood)
    return _pathless(insight_of(belief.machine), supposed, before)


def _pathless(insight: Insight, supposed: Supposed, before: Before | None) -> Outlook:
    """No path; what is left to be done is remembered."""
    goals = dict.fromkeys(supposed.starts, before.goals) if before else {}
    return Outlook(supposed, (), {}, {}, insight.replayer, goals=goals)


def _ways(insight: Insight, belief: Belief, mood: int) -> tuple[Way, ...]:
    """The known ways without what is never accepted, beginning with the mood's."""
    ways = tuple(
        tuple(
            action
            for action in way
            if action not in belief.refused and (action[0], -1) not in belief.refused
        )
        for way in insight.ways
    )
    at = mood % len(ways) if ways else 0
    return ways[at:] + ways[:at]


def _paths(
    insight: Insight, belief: Belief, supposed: Supposed, ways: tuple[Way, ...],
    before: Before | None,
) -> Paths | None:  # fmt: skip
    if not ways:
        return None
    starts, rows, left = supposed.starts, supposed.rows, belief.left
    rest = before.rest if before else ()
    naive = _naive(insight, belief)
    done = frozenset((operator, number) for operator, number, _ in belief.done)
    if before and naive:
        resuming = _resumed(insight, belief, rows[:RESUMED], before.goals, done)
        rest = resuming[0] if resuming else rest
        ways = tuple(dict.fromkeys((*resuming, *ways)))

    ends: dict[bytes, list[Way]] = {}

    def together(strict: bool) -> Together:
        replayer, moves, looks = insight.replayer, insight.moves, insight.looks
        return Together(replayer, ways, strict, done, moves, looks, naive, ends)

    careful = together(True)
    alone = {
        start: found[start]
        for at, start in enumerate(starts)
        if (found := careful.paths((start,), rows[at : at + 1], left, rest)) is not None
    }
    fit = [at for at, start in enumerate(starts) if start in alone]
    if fit:
        who = tuple(starts[at] for at in fit)
        for strict in (True, False):
            found = together(strict).paths(who, rows[fit], left, rest)
            if found is not None:
                return found
        return {who[0]: alone[who[0]]}
    return None


def _resumed(
    insight: Insight, belief: Belief, rows: States, goals: Goals, done: frozenset[Action]
) -> list[Way]:
    """What is left of the way that was followed, taken up again; then of others."""
    allowed = _allowed(insight, belief)
    found = [resumed(insight, row, goals, allowed) for row in rows if goals]
    by_map = [
        goals_by_map(way, places, insight.moves)
        for way, places in zip(insight.ways, insight.places, strict=True)
    ]
    others = [tuple(goal for goal in each if goal[0] not in done) for each in by_map]
    others.sort(key=len)
    found += [resumed(insight, rows[0], each, allowed) for each in others[:OTHERS]]
    return list(filter(None, found))


def _mended_path(
    insight: Insight, belief: Belief, supposed: Supposed, ways: tuple[Way, ...]
) -> Paths | None:
    """A path for the first start from ways that no longer fit, with what they lack put in."""
    start = supposed.starts[0]
    state = supposed.of(start)
    allowed = _allowed(insight, belief)
    for way in ways[:2]:
        mended = _mended(insight, state, way, allowed)
        kept = insight.replayer.kept(supposed.rows[0], mended)
        if kept is not None and len(kept) <= belief.left:
            return {start: kept}
    return None


def _allowed(insight: Insight, belief: Belief) -> Ints:
    """Positions of the actions that may be put in to mend a way."""
    operators, numbers = insight.actions
    allowed = insight.means.astype(np.bool_)
    for operator, number in belief.refused:
        hit = operators == operator
        if number != -1:
            hit &= numbers == number
        allowed &= ~hit
    return np.flatnonzero(allowed).astype(np.int32)


def _mended(insight: Insight, state: State, way: Way, allowed: Ints) -> Way:
    """The way with what it takes, in this world, to get to the steps that are refused."""
    operators, numbers = insight.actions
    replayer = insight.replayer
    found: Way = ()
    failed = 0
    for at, step in enumerate(way):
        limit = NODES if failed < MENDS else 1
        inserted = replayer.approach(
            state, step, operators[allowed], numbers[allowed], insight.relevant, limit
        )
        if inserted is None:
            failed += 1
            found = (*found, step)
            continue
        found = (*found, *inserted, step)
        row = replayer.rows(state, 1)
        replayer.play(row, (*inserted, step))
        state = tuple(row[0].tolist())
        if state[insight.machine.status]:
            return (*found, *way[at + 1 :])
    return found


def hopes_of(
    insight: Insight, belief: Belief, supposed: Supposed, paths: Paths
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The unknown variables on whose supposed value the win of the first path depends; and
    those of them with a value that would lose it without a word before."""
    start = next(iter(paths))
    state = supposed.of(start)
    pairs = [
        (variable, value)
        for variable in supposed.unsure
        for value in belief.candidates(variable)
        if value != state[variable]
    ]
    if not pairs:
        return (), ()
    replayer = insight.replayer
    rows = replayer.rows(state, len(pairs) + 1)
    rows[np.arange(len(pairs)), [v for v, _ in pairs]] = [w for _, w in pairs]
    played = replayer.play(rows, paths[start], texts=True)
    hopes: dict[int, None] = {}
    dangers: dict[int, None] = {}
    apart = played.texts != played.texts[-1]
    for row, (variable, _) in enumerate(pairs):
        if played.won[row]:
            continue
        hopes[variable] = None
        until = int(played.running[row].sum())
        if rows[row, replayer.status] == LOST and not apart[row, : until - 1].any():
            dangers[variable] = None
    return tuple(hopes), tuple(dangers)
