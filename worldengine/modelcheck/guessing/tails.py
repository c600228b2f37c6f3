"""How one variant is won from a state, and how far that is: for players who know which it is.

In: a Machine, plans that are known, surveys where there are any, a clock. Out: commands that
win, or none known; bounds on their number. Used by the search for policies at its leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from worldengine.machine.schema import RUNNING, WON, State
from worldengine.modelcheck.budget import Clock, clock
from worldengine.modelcheck.exploration.explore import FAR, Plan
from worldengine.modelcheck.exploration.survey import Survey
from worldengine.modelcheck.guessing.beliefs import NEVER
from worldengine.modelcheck.planning.detours import Detours, Key
from worldengine.modelcheck.planning.ends import Commands, Ends
from worldengine.modelcheck.planning.greedy import Greed, searched
from worldengine.modelcheck.planning.trimming import shortened
from worldengine.modelcheck.planning.width import Choice
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.relaxation.relaxed import FAR as UNRELATED
from worldengine.modelcheck.relaxation.relaxed import Space
from worldengine.modelcheck.wording.speech import say, spoken_from
from worldengine.runtime import runtime_of
from worldengine.runtime.types import Transition

PLANNERS = (Greed(), Choice(width=2))
"""What is tried where no known plan fits, in turn."""
SECONDS = 1.5
"""For each of them, at most, if nobody says otherwise (`patience`); and never more than an eighth
of what is left."""
MEMORY = 1 << 28
TURNS = 40_000
"""Turns that are remembered: plans that begin alike are played again and again."""


class Tails:
    """See the module."""

    def __init__(
        self,
        problem: Problem,
        plans: Sequence[Commands],
        surveys: Sequence[Survey | None],
        left: Clock,
    ) -> None:
        self.problem = problem
        self.own = tuple(plans)
        self.plans = tuple(dict.fromkeys((*plans, *problem.machine.proofs)))
        self.surveys = surveys
        self.clock = left
        self.patience = SECONDS
        self._detours = Detours(problem)
        self._runtime = runtime_of(problem.machine)
        self._ends = Ends(problem)
        for variant, plan in enumerate(self.own):
            self._ends.note(plan, problem.machine.start(variant))
        for plan in self.plans:
            if plan not in self.own:
                self._ends.note(plan, problem.machine.start(0))
        self._turns: dict[tuple[State, str], Transition] = {}
        self._found: dict[State, Commands] = {}
        self._tried: dict[State, tuple[float, int]] = {}  # patience and turns that did not do
        self._doomed: dict[State, bool] = {}
        self._space = None if problem.relaxed is None else Space(problem.relaxed)

    def bounds(self, variant: int, state: State) -> tuple[int, int]:
        """Least and greatest number of turns that winning takes."""
        survey = self.surveys[variant]
        distance = survey.distance(state) if survey is not None else None
        if distance is not None:
            return (NEVER, NEVER) if distance >= FAR else (distance, distance)
        if self.doomed(state):
            return NEVER, NEVER
        known = self._found.get(state)
        return 1, len(known) if known is not None else NEVER

    def doomed(self, state: State) -> bool:
        """Whether no win follows even in the relaxed world."""
        found = self._doomed.get(state)
        if found is None:
            relaxed = self.problem.relaxed
            if self._space is None or relaxed is None:
                found = self.problem.surely_unwinnable
            else:
                added, _ = self._space.estimate(relaxed, np.array(state, np.int32))
                found = added >= UNRELATED
            self._doomed[state] = found
        return found

    def win(self, variant: int, state: State, left: int, search: bool = True) -> Commands | None:
        """Commands that win within the turns left, the shortest known; without `search` only
        known plans are looked at."""
        survey = self.surveys[variant]
        distance = survey.distance(state) if survey is not None else None
        if distance is not None and (distance >= FAR or distance > left):
            return None
        found = self._found.get(state)
        if found is not None and len(found) <= left:
            return found
        patience = self.patience if search else 0.0
        tried, turns = self._tried.get(state, (-1.0, 0))
        if tried >= patience and turns >= left:
            return None
        found = self._best(variant, state, left, search)
        if found is None or len(found) > left:
            self._tried[state] = patience, left
        if found is not None:
            self._found[state] = found
        return found if found is not None and len(found) <= left else None

    def _best(self, variant: int, state: State, left: int, search: bool) -> Commands | None:
        survey = self.surveys[variant]
        way = survey.way(state) if survey is not None else None
        if way is not None:
            return self.said(state, way)
        found = self._fitted(variant, state)
        if (found is not None and len(found) <= left) or not search or self.doomed(state):
            return found
        return self._shorter(found, self._rejoined(variant, state, left)) or self._planned(
            state, found
        )

    def _shorter(self, one: Commands | None, other: Commands | None) -> Commands | None:
        """The second, if it is better than the first."""
        better = other is not None and (one is None or len(other) < len(one))
        return other if better else None

    def _planned(self, state: State, known: Commands | None) -> Commands | None:
        for choice in PLANNERS:
            seconds = min(self.patience, self.clock.left / 8)
            if self.problem.relaxed is None or seconds < 0.05:
                break
            planned = searched(self.problem, state, choice, seconds, MEMORY)
            if planned.plan is not None:
                said = self.said(state, shortened(self.problem, state, planned.plan))
                return self._shorter(known, said) or known
        return known

    def _fitted(self, variant: int, state: State) -> Commands | None:
        """The shortest end of the variant's own plan that wins from here, what is refused
        left out; if there is none, that of some other plan."""
        for plan in dict.fromkeys((self.own[variant], *self.plans)):
            start = self._ends.best(state, plan)
            kept = self._played(state, plan[start:]) if start >= 0 else None
            if kept is not None:
                return kept
        return None

    def _rejoined(self, variant: int, state: State, left: int) -> Commands | None:
        """A short way back to the variant's own plan."""
        own = self.own[variant]
        trail: dict[Key, int] = {}
        on = self.problem.machine.start(variant)
        for place, command in enumerate(own):
            trail[self._detours.key(on)] = place
            on = self._runtime.step(on, command).state
        ask = clock(min(self.patience, self.clock.left / 8))

        def fits(after: State) -> bool:
            return self._ends.best(after, own, whole=True) == 0

        for detour in self._detours.search(state, trail, fits, ask):
            way = self.said(state, detour.way)
            rest = self._played(detour.state, own[max(0, detour.place) :])
            if way is not None and rest is not None and len(way) + len(rest) <= left:
                return (*way, *rest)
        return None

    def turn(self, state: State, command: str) -> Transition:
        """One turn of the interpreter, remembered."""
        found = self._turns.get((state, command))
        if found is None:
            if len(self._turns) >= TURNS:
                self._turns.clear()
            found = self._turns[state, command] = self._runtime.step(state, command)
        return found

    def _played(self, state: State, commands: Commands) -> Commands | None:
        kept: list[str] = []
        status = self.problem.machine.status
        for command in commands:
            turn = self.turn(state, command)
            if turn.accepted:
                kept.append(command)
                state = turn.state
            if state[status] != RUNNING:
                return tuple(kept) if state[status] == WON else None
        return None

    def said(self, state: State, plan: Plan) -> Commands | None:
        """The plan in commands, None if some action cannot be said."""
        return spoken_from(self.problem.machine, state, plan)

    def say(self, state: State, operator: int, number: int) -> tuple[str, State] | None:
        """A text that means an action in a state, and the state after it."""
        return say(self.problem.machine, state, operator, number)
