"""How far a state is from a win: exact where that is known, else estimated and marked so.

In: a Machine, any state, a budget. Out: a `Distance`. It serves hints, progress, diagnosis and
dense rewards. Asked in this order, cheap to dear:

1. the state itself: won, or lost;
2. everything that can be reached from the world's starts, if that is little: seen once a
   Machine and kept;
3. the relaxed world: if no win follows there, none follows;
4. an exploration from the state;
5. the length of a relaxed plan (Hoffmann and Nebel, "The FF planning system", 2001), which is
   an estimate and may lie on either side of the truth.

Turns that an episode has left are its own affair: a distance is of the state alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from worldengine.machine.schema import LOST, WON, Machine, State
from worldengine.memo import by_machine
from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.exploration.explore import FAR, Plan, explore
from worldengine.modelcheck.exploration.survey import Survey, survey
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.values import TooWide
from worldengine.modelcheck.reductions.cone import cone_of
from worldengine.modelcheck.relaxation.abstract import reach
from worldengine.modelcheck.relaxation.relaxed import FAR as UNRELATED
from worldengine.modelcheck.relaxation.relaxed import Space
from worldengine.modelcheck.verdicts.reasons import unreachable_reason
from worldengine.modelcheck.wording.speech import spoken_from

ASKED: Final = Budget(states=120_000, seconds=1.5, memory=256 << 20)
"""For one state."""
SURVEYED: Final = Budget(states=60_000, seconds=1.0, memory=128 << 20)
"""For what is kept of a Machine, all its starts together."""

STATE, SURVEY, RELAXATION, EXPLORATION, ESTIMATE = (
    "state",
    "survey",
    "relaxation",
    "exploration",
    "estimate",
)


@dataclass(frozen=True, slots=True)
class Distance:
    """`value` is the number of turns to the nearest win. Without one: if `exact`, no win can
    be reached and `why` says how that is known; else nothing is known. `by` says where the
    answer is from; `states` were seen for it."""

    value: int | None
    exact: bool
    by: str
    why: str = ""
    states: int = 0

    @property
    def dead(self) -> bool:
        """Whether it is proven that no win can be reached any more."""
        return self.exact and self.value is None


def distance(machine: Machine, state: State, budget: Budget = ASKED) -> Distance:
    """The distance of a state; see the module. ValueError if it is no state of the Machine."""
    if len(state) != len(machine.variables):
        raise ValueError(
            f"a state of {machine.name} has {len(machine.variables)} values, not {len(state)}"
        )
    return _known(machine, tuple(state), budget)[0]


def nearest(
    machine: Machine, state: State, budget: Budget = ASKED
) -> tuple[Distance, tuple[str, ...] | None]:
    """The distance, and where it is exact the commands of a win as short; None where there is
    none, or where some action of it cannot be typed."""
    found, plan = _known(machine, tuple(state), budget)
    if plan is None:
        return found, None
    return found, spoken_from(machine, state, plan)


@by_machine(16)
def _problem(machine: Machine) -> Problem:
    return Problem(machine)


@by_machine(4)
def _surveys(machine: Machine) -> tuple[Survey, ...]:
    """Of every start of which everything can be seen; none once one is too large."""
    found: list[Survey] = []
    share = clock(SURVEYED.seconds)
    room = SURVEYED.memory // len(machine.variants)
    for variant in range(len(machine.variants)):
        start = machine.start(variant)
        if any(each.distance(start) is not None for each in found):
            continue
        seen = survey(_problem(machine), start, SURVEYED.states, room, share)
        if seen is None:
            break
        found.append(seen)
    return tuple(found)


@by_machine(4096)
def _known(machine: Machine, state: State, budget: Budget) -> tuple[Distance, Plan | None]:
    status = state[machine.status]
    if status == WON:
        return Distance(0, True, STATE), ()
    if status == LOST:
        return Distance(None, True, STATE, "The game is lost."), None
    for seen in _surveys(machine):
        value = seen.distance(state)
        if value is None:
            continue
        if value >= FAR:
            count = seen.explored.states
            return Distance(None, True, SURVEY, _exhausted(count), count), None
        return Distance(value, True, SURVEY, states=seen.explored.states), seen.way(state)
    return _doomed(machine, state) or _explored(machine, state, budget)


def _exhausted(states: int) -> str:
    return f"All {states:,} states that can be reached were seen; no win follows from this one."


def _doomed(machine: Machine, state: State) -> tuple[Distance, None] | None:
    try:
        reached = reach(machine, [state])
    except TooWide:
        return None
    if WON in reached.values[machine.status]:
        return None
    return Distance(None, True, RELAXATION, unreachable_reason(reached).text), None


def _explored(machine: Machine, state: State, budget: Budget) -> tuple[Distance, Plan | None]:
    problem = _problem(machine)
    seen = explore(
        problem, state, cone_of(machine), budget.states, budget.memory, clock(budget.seconds)
    )
    if seen.plan is not None:
        return Distance(len(seen.plan), True, EXPLORATION, states=seen.states), seen.plan
    if seen.complete:
        why = f"All {seen.states:,} states that follow were seen; none of them wins."
        return Distance(None, True, EXPLORATION, why, seen.states), None
    return _estimated(problem, state, seen.states), None


def _estimated(problem: Problem, state: State, states: int) -> Distance:
    relaxed = problem.relaxed
    if relaxed is None:
        return Distance(None, False, "", states=states)
    added, length = Space(relaxed).estimate(relaxed, np.array(state, np.int32))
    if added >= UNRELATED:
        return Distance(None, True, RELAXATION, "No win follows even if nothing is undone.", states)
    return Distance(length, False, ESTIMATE, states=states)
