"""Dead ends: states that are still played and can never be won.

In: a `Problem`, surveys where there are any, plans, a clock. Out: `DeadEnds`. Where everything
that can be reached was seen, their number is exact and each is proven by exhaustion. Elsewhere
a state counts only if no win follows from it even in the relaxed world, which proves it; of
all other states nothing is decided, and no number is given.

The variants that can be won are looked at, all together; a variant that cannot be won is one
dead end from its start on, which the verdict tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from worldengine.machine.schema import RUNNING, Machine, State
from worldengine.modelcheck.budget import Clock, clock
from worldengine.modelcheck.compiled.kernel import expand, scratch
from worldengine.modelcheck.exploration.explore import Plan
from worldengine.modelcheck.exploration.nearby import near
from worldengine.modelcheck.exploration.survey import Survey
from worldengine.modelcheck.planning.plan import spoken
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.relaxation.relaxed import FAR as UNRELATED
from worldengine.modelcheck.relaxation.relaxed import Space
from worldengine.runtime import runtime_of

LOOKED = 1_500
"""States from the start on that are looked at, breadth first, where not all can be."""

EXHAUSTION, RELAXATION = "exhaustion", "relaxation"
ALL, NEARBY, PARTLY, NOT = "all", "nearby", "partly", "no"
"""What was searched: every state; those near the starts and next to the plans; some of these,
until the time ran out; none."""


@dataclass(frozen=True, slots=True)
class DeadEnds:
    """`count` of `running` states, over the variants looked at; None where not all states were
    seen. `path` leads into one from the start of `variant`; it is the shortest way there is if
    `shortest`, else the shortest known. `proof` is how that one is proven. `causes` are the
    actions that lead from states that are not known to be dead ends into ones that are, with
    how often. `searched` is one of the words above; where it is not `all`, `stopped_by` says
    what ran out before every state was seen."""

    count: int | None
    running: int | None
    path: tuple[str, ...] | None
    variant: int
    shortest: bool
    proof: str
    causes: tuple[tuple[str, int], ...]
    searched: str = ALL
    stopped_by: str | None = None

    @property
    def share(self) -> float | None:
        """Dead ends among the running states that can be reached."""
        if self.count is None or not self.running:
            return None
        return self.count / self.running


NOTHING = DeadEnds(None, None, None, 0, False, "", (), NOT)


def dead_ends(
    problem: Problem,
    plans: Sequence[tuple[str, ...] | None],
    surveys: Sequence[Survey | None],
    left: Clock,
    stopped_by: str = "",
) -> DeadEnds:
    """See the module. `plans` and `surveys` are by variant; variants without a plan are left
    out. `stopped_by` is what kept the surveys from being whole."""
    wanted = [variant for variant, plan in enumerate(plans) if plan is not None]
    if not wanted:
        return NOTHING
    known = [(variant, surveys[variant]) for variant in wanted]
    seen = [(variant, survey) for variant, survey in known if survey is not None]
    if len(seen) == len(known):
        return _counted(problem.machine, seen)
    looker = _Looker(problem, plans, left)
    found = looker.looked()
    why = "seconds" if looker.searched == PARTLY else stopped_by or None
    return replace(found, searched=looker.searched, stopped_by=why)


def _counted(machine: Machine, seen: list[tuple[int, Survey]]) -> DeadEnds:
    count = running = 0
    best: tuple[int, Plan] | None = None
    causes: Counter[int] = Counter()
    for variant, survey in seen:
        dead = survey.explored.dead_ends()
        count += len(dead)
        running += survey.running
        if dead:
            way = survey.explored.way(dead[0])  # found breadth first: none is nearer
            if best is None or len(way) < len(best[1]):
                best = variant, way
            causes.update(survey.causes())
    path = None if best is None else spoken(machine, *best)
    return DeadEnds(
        count, running, path, best[0] if best else 0, True, EXHAUSTION, _named(machine, causes)
    )


def _named(machine: Machine, causes: Counter[int]) -> tuple[tuple[str, int], ...]:
    order = sorted(causes.items(), key=lambda item: (-item[1], item[0]))
    return tuple((machine.schemas[schema].name, number) for schema, number in order)


class _Looker:
    """Looks for dead ends near the start and next to the known plans."""

    def __init__(
        self, problem: Problem, plans: Sequence[tuple[str, ...] | None], left: Clock
    ) -> None:
        self.problem, self.machine = problem, problem.machine
        self.plans, self.clock = plans, left
        self._space = scratch(problem.tables)
        self._estimate = None if problem.relaxed is None else Space(problem.relaxed)
        self._doomed: dict[State, bool] = {}
        self._causes: Counter[int] = Counter()
        self.searched = NOT if self._estimate is None else NEARBY

    def looked(self) -> DeadEnds:
        """The nearest dead end that is proven, if there is one."""
        best: tuple[int, tuple[str, ...]] | None = None
        if self._estimate is None:
            return NOTHING
        winnable = [v for v, plan in enumerate(self.plans) if plan is not None]
        for place, variant in enumerate(winnable):
            share = clock(self.clock.left / (len(winnable) - place))
            for way in (*self._near(variant, share), *self._beside(variant, share)):
                if best is None or len(way) < len(best[1]):
                    best = variant, way
        if best is None:
            return NOTHING
        causes = _named(self.machine, self._causes)
        return DeadEnds(None, None, best[1], best[0], False, RELAXATION, causes)

    def _near(self, variant: int, left: Clock) -> Iterator[tuple[str, ...]]:
        """The first dead end among the states next to the start."""
        start = self.machine.start(variant)
        share = clock(left.left / 2)
        seen = near(self.problem, start, LOOKED, share)
        for node, state in enumerate(seen.states):
            if share.left <= 0:
                break
            if self._is_dead(state):
                way = spoken(self.machine, variant, seen.way(node))
                if way is not None:
                    yield way
                    return
        if share.left <= 0:  # fewer states may have been seen, too
            self.searched = PARTLY

    def _beside(self, variant: int, left: Clock) -> Iterator[tuple[str, ...]]:
        """The first dead end one command off the known plan; all of them count as causes."""
        plan, state = self.plans[variant], self.machine.start(variant)
        runtime, first = runtime_of(self.machine), True
        for number, command in enumerate(plan or ()):
            if left.left <= 0:
                self.searched = PARTLY
                return
            for pair, after in self._successors(state):
                if after[self.machine.status] != RUNNING or not self._is_dead(after):
                    continue
                self._causes[self.machine.operators[pair[0]].schema] += 1
                text = runtime.matcher.canonical(*pair)
                if first and runtime.step(state, text).state == after:
                    first = False
                    yield (*(plan or ())[:number], text)
            state = runtime.step(state, command).state

    def _successors(self, state: State) -> Iterator[tuple[tuple[int, int], State]]:
        actions = self.problem.everything
        out = np.zeros((len(actions), len(state)), np.int32)
        which = np.zeros(len(actions), np.int32)
        row = np.array(state, np.int32)
        count = expand(
            self.problem.tables, row, actions.operators, actions.numbers, out, which, self._space
        )
        for index in range(count):
            yield actions.pair(int(which[index])), tuple(out[index].tolist())

    def _is_dead(self, state: State) -> bool:
        found = self._doomed.get(state)
        if found is None:
            assert self._estimate is not None and self.problem.relaxed is not None
            added, _ = self._estimate.estimate(self.problem.relaxed, np.array(state, np.int32))
            found = self._doomed[state] = added >= UNRELATED
        return found


def to_document(found: DeadEnds | None) -> dict[str, Any]:
    """The keys that a verdict gains."""
    found = found or NOTHING
    share = found.share
    return {
        "dead_ends": found.count,
        "dead_end_states": found.running,
        "dead_end_share": None if share is None else round(share, 6),
        "dead_end_path": list(found.path) if found.path is not None else None,
        "dead_end_variant": found.variant if found.path is not None else None,
        "dead_end_proof": found.proof if found.path is not None else None,
        "dead_end_shortest": found.shortest if found.path is not None else None,
        "dead_end_causes": [{"action": name, "turns": number} for name, number in found.causes],
        "dead_end_search": found.searched,
        "dead_end_stopped_by": found.stopped_by,
    }
