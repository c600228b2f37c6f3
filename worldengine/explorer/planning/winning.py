"""Planning over a belief: steps that win from every start that still fits.

In: a `Belief`, what was expected. Out: an `Outlook`: the worlds that are supposed, one a
start, and a path for each. Paths are made from known ways of the world: played in all
supposed worlds at once, parted where the words differ, mended where a step is refused, rid of
needless waiting, and stripped of steps that no win needs *by the rules known so far*: of all
of them where every rule is known and turns are short, of one at a time where rules are unknown
and the player is daring. So it learns by being refused, and what it has learnt it does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.imagining.replaying import Action, Ints, States, Way
from worldengine.explorer.knowing.insight import NODES, Insight, insight_of
from worldengine.explorer.planning.daring import dared
from worldengine.explorer.planning.figured import fetched, untold
from worldengine.explorer.planning.hastening import hastened
from worldengine.explorer.planning.offering import (
    RESUMED,
    allowed,
    fit_ways,
    left_of_own,
    needed,
    others_of,
    own_of,
    taken_up,
)
from worldengine.explorer.planning.outlooks import Before, Outlook, hopes_of
from worldengine.explorer.planning.parting import Paths, direct, stripped
from worldengine.explorer.planning.resuming import Goals, goals_of, resumed
from worldengine.explorer.planning.supposing import Supposed, suited, suppose
from worldengine.explorer.planning.together import Ends, Together
from worldengine.explorer.ways import own_ways
from worldengine.machine.schema import State

MENDS = 4
"""Refused steps of a way that are mended at most."""
SPARE = 6
"""Turns that a path should leave over; longer ones are stripped."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Paths before anything was left out of them, and their steps that are no moves."""

    supposed: Supposed
    paths: Paths
    goals: dict[int, Goals]


def planned(belief: Belief, before: Before | None) -> Plan:
    """The best paths that can be imagined; none where there are none."""
    insight = insight_of(belief.machine)
    supposed = suppose(belief, before.state if before else None, 0)
    ways = fit_ways(insight, belief)
    paths: Paths | None = None
    if before:
        paths = _paths(insight, belief, supposed, ways, before)
    faults = _faults(insight, belief, supposed, ways, before, paths)
    if not paths or len(paths) < len(supposed.starts) or any(faults):
        other = suited(belief, supposed)
        found = _paths(insight, belief, other, ways, before)
        fewer = _faults(insight, belief, other, ways, before, found)
        if found and (-len(found), *fewer) < (-len(paths or ()), *faults):
            supposed, paths = other, found
    if not paths:
        paths = _mended_path(insight, belief, supposed, ways)
    if not paths:
        return Plan(supposed, {}, dict.fromkeys(supposed.starts, before.goals) if before else {})
    replayer = insight.replayer
    rows = np.array([supposed.of(start) for start in paths], replayer.kind)
    paths = direct(replayer, rows, paths, insight.moves)
    goals = {
        start: goals_of(replayer, supposed.of(start), path, insight.moves)
        for start, path in paths.items()
    }
    # who does not know the rules does not know either what waiting is for
    fits = max(map(len, paths.values())) + SPARE <= belief.left
    if belief.naive and fits:
        return Plan(supposed, paths, goals)
    quick = hastened(replayer, rows, paths, insight.blank, insight.moves)
    if quick is not paths:
        # waiting may be what makes a path win whatever is unknown: nothing more may be hoped for
        hoped = set(hopes_of(insight, belief, supposed, paths)[0])
        if hoped.issuperset(hopes_of(insight, belief, supposed, quick)[0]):
            paths = quick
    return Plan(supposed, paths, goals)


def outlook(plan: Plan, belief: Belief, mood: int, daring: int) -> Outlook:
    """What is made of a plan. Until `daring` rules were learnt by being refused a step is left
    out of it that no rule yet known asks for; the mood says which."""
    insight = insight_of(belief.machine)
    replayer, supposed, paths = insight.replayer, plan.supposed, plan.paths
    if not paths:
        return Outlook(supposed, (), {}, {}, replayer, goals=plan.goals)
    rows = np.array([supposed.of(start) for start in paths], replayer.kind)
    paths = fetched(insight, belief, rows, paths)
    paths = _lightened(insight, belief, rows, paths, mood, daring)
    states = dict(zip(paths, replayer.states_of_each(rows, list(paths.values())), strict=True))
    hopes, dangers = hopes_of(insight, belief, supposed, paths)
    return Outlook(supposed, hopes, paths, states, replayer, dangers, plan.goals)


def _lightened(
    insight: Insight, belief: Belief, rows: States, paths: Paths, mood: int, daring: int
) -> Paths:
    """Paths without steps that no rule yet known asks for, see the module."""
    length = max(map(len, paths.values()))
    lacking = len(untold(insight, belief, rows, paths))

    def tellable(shorter: Paths) -> bool:
        """Whether what tells the numbers of paths is still read."""
        return len(untold(insight, belief, rows, shorter)) <= lacking

    if not belief.naive:
        tight = length > belief.left - SPARE
        return stripped(insight.replayer, rows, paths, tellable) if tight else paths
    if belief.taught >= daring or length + length // 2 + SPARE > belief.left:
        return paths
    return dared(insight, rows, paths, mood, belief.tired, tellable)


def _faults(
    insight: Insight, belief: Belief, supposed: Supposed, ways: tuple[Way, ...],
    before: Before | None, paths: Paths | None,
) -> tuple[int, int]:  # fmt: skip
    """What speaks against the worlds for which paths were found: steps of known ways that are left
    undone; numbers that nothing would tell there, and steps that no known way needs."""
    if not paths:
        return 0, 0
    undone = _undone(insight, belief, ways, before, paths)
    known = insight.moves.union(step[0] for way in insight.ways for step in way)
    strange = belief.naive and sum(step[0] not in known for path in paths.values() for step in path)
    rows = np.array([supposed.of(start) for start in paths], insight.replayer.kind)
    return undone, len(untold(insight, belief, rows, paths)) + strange


def _undone(
    insight: Insight, belief: Belief, ways: tuple[Way, ...], before: Before | None,
    paths: Paths | None,
) -> int:  # fmt: skip
    """Steps that paths leave undone of the known ways that they come nearest to, moves aside;
    0 for a player that knows every rule: it knows what is needed."""
    if not paths or not belief.naive:
        return 0
    done = {(operator, number) for operator, number, _ in belief.done}
    mine = own_ways(belief.machine)
    if mine:
        own = {start: needed(insight, mine[start]) for start in paths}
        return sum(len(own[start] - done - set(path)) for start, path in paths.items())
    wholes = [*ways, *([tuple(goal[0] for goal in before.goals)] if before else ())]
    wanted = [needed(insight, whole) for whole in wholes]
    return sum(min(len(each - done - set(path)) for each in wanted) for path in paths.values())


def aimless(belief: Belief, before: Before | None) -> Outlook:
    """The outlook where no plan is found: only what might be."""
    supposed = suppose(belief, before.state if before else None, 0)
    goals = dict.fromkeys(supposed.starts, before.goals) if before else {}
    return Outlook(supposed, (), {}, {}, insight_of(belief.machine).replayer, goals=goals)


def _paths(
    insight: Insight, belief: Belief, supposed: Supposed, ways: tuple[Way, ...],
    before: Before | None,
) -> Paths | None:  # fmt: skip
    if not ways:
        return None
    own = own_of(insight, belief, supposed, before) if belief.naive else {}
    found = _joined(insight, belief, supposed, ways, before, own) if own else None
    if found is None or len(found) < len(supposed.starts):
        any_way = _joined(insight, belief, supposed, ways, before, {})
        if found is None or len(any_way or ()) > len(found):
            found = any_way
    return found


def _joined(
    insight: Insight, belief: Belief, supposed: Supposed, ways: tuple[Way, ...],
    before: Before | None, own: dict[int, tuple[Way, ...]],
) -> Paths | None:  # fmt: skip
    """Paths by known ways: those of each start where they are its `own`, else any."""
    starts, rows, left = supposed.starts, supposed.rows, belief.left
    rest, whose = before.rest if before else (), None
    careful = belief.naive
    done = frozenset((operator, number) for operator, number, _ in belief.done)
    first = {start: next(iter(mine), ()) for start, mine in own.items()}
    if own:
        rest = first[starts[0]]
        whose = frozenset({starts[0]})
        ways = tuple(dict.fromkeys(way for mine in own.values() for way in mine))
    elif before and careful:
        resuming = taken_up(insight, belief, rows[:RESUMED], before.goals, done)
        rest = resuming[0] if resuming else rest
        ways = tuple(dict.fromkeys((*resuming, *ways)))

    ends: Ends = {}

    def others(start: int, row: States, already: frozenset[Action]) -> list[Way]:
        if not own:
            return others_of(insight, belief, row, already)
        mine, positions = left_of_own(belief.machine, start, already), allowed(insight, belief)
        return [resumed(insight, row, each, positions) for each in mine]

    def together(strict: bool) -> Together:
        replayer, moves, looks = insight.replayer, insight.moves, insight.looks
        return Together(replayer, ways, strict, done, moves, looks, careful, ends, others, own)

    strictly = together(True)
    alone = {
        start: found[start]
        for at, start in enumerate(starts)
        if (found := strictly.paths((start,), rows[at : at + 1], left, first.get(start, rest)))
        is not None
    }
    fit = [at for at, start in enumerate(starts) if start in alone]
    if fit:
        who = tuple(starts[at] for at in fit)
        for strict in (True, False):
            found = together(strict).paths(who, rows[fit], left, rest, whose)
            if found is not None:
                return found
        return {who[0]: alone[who[0]]}
    return None


def _mended_path(
    insight: Insight, belief: Belief, supposed: Supposed, ways: tuple[Way, ...]
) -> Paths | None:
    """A path for the first start from ways that no longer fit, with what they lack put in."""
    start = supposed.starts[0]
    state = supposed.of(start)
    positions = allowed(insight, belief)
    for way in ways[:2]:
        mended = _mended(insight, state, way, positions)
        kept = insight.replayer.kept(supposed.rows[0], mended)
        if kept is not None and len(kept) <= belief.left:
            return {start: kept}
    return None


def _mended(insight: Insight, state: State, way: Way, positions: Ints) -> Way:
    """The way with what it takes, in this world, to get to the steps that are refused."""
    operators, numbers = insight.actions
    replayer = insight.replayer
    found: Way = ()
    failed = 0
    for at, step in enumerate(way):
        limit = NODES if failed < MENDS else 1
        inserted = replayer.approach(
            state, step, operators[positions], numbers[positions], insight.relevant, limit
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
