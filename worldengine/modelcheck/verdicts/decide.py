"""Reaching a verdict: can this world be won, from every start, and how.

In: a Machine, a budget, optionally without its proofs. Out: a `Verdict`. Every plan has been
replayed in the interpreter. What tells a world from an unwinnable one is a proof: the relaxed world
cannot be won, or every state that can be reached within its turns has been seen. Everything else is
unknown, and says what ran out.

The order, cheap to dear: the world's own proofs; the relaxed world; a small exploration, without
any reductions where finding them would take longer than doing without; planning, where one
variant's plan is the way that the others begin with; a large exploration.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import inf, log2
from typing import Any

from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Budget, Clock, clock
from worldengine.modelcheck.exploration.explore import Explored, explore
from worldengine.modelcheck.planning.greedy import Pairs
from worldengine.modelcheck.planning.plan import plan_for, spoken
from worldengine.modelcheck.planning.trimming import trimmed
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.values import TooWide
from worldengine.modelcheck.ready import checker_ready
from worldengine.modelcheck.reductions.cone import relevant
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.modelcheck.relaxation.abstract import reach
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.verdicts.blame import blame
from worldengine.modelcheck.verdicts.excluded import excluded
from worldengine.modelcheck.verdicts.reasons import Reason, unreachable_reason
from worldengine.modelcheck.verdicts.verdict import (
    UNKNOWN,
    UNWINNABLE,
    WINNABLE,
    Decided,
    Verdict,
)
from worldengine.modelcheck.wording.speech import understood
from worldengine.proof import proof_outcome, replays

SMALL_STATES = 150_000
"""States of the first look at whether a world is small enough to be seen whole."""
SMALL_SHARE = 0.1
"""Share of the time for that look, all variants together."""

PLAIN_BITS, PLAIN_STATES = 30.0, 50_000
"""A world whose states could be written in so many bits is first looked at without reductions, as
far as so many states: mostly it is seen whole sooner than they are found."""

FIRST_SHARES = 4
"""The first plan may take one in so many parts of the time, however many starts wait for one."""
WAYS = 4
"""Plans of other starts that a search begins with."""


def decide(
    machine: Machine,
    budget: Budget | None = None,
    proofs: bool = True,
    shortest: bool = False,
    variant: int | None = None,
) -> Verdict:
    """The verdict on a world within a budget. Without `proofs` the world's own are not looked
    at; with `shortest` time that is left goes into proving plans shortest. With a `variant` all
    searching is for that one, and the verdict is on it alone."""
    checker_ready()
    budget = budget or Budget()
    count = len(machine.variants)
    asked = range(count) if variant is None else range(variant, variant + 1)
    work = _Work(machine if proofs else replace(machine, proofs=()), budget, asked)
    decided = work.decided()
    if shortest:
        decided = work.shortened()
    return Verdict(machine, tuple(decided))


class _Work:
    """`asked` are the variants to decide; proofs of the others are tried too, for their ways."""

    def __init__(self, machine: Machine, budget: Budget, asked: range) -> None:
        self.machine = machine
        self.budget = budget
        self.asked = asked
        self.clock = clock(budget.seconds)
        self.found: dict[int, Decided] = {}
        self.unaided: set[int] = set()
        self._bits: dict[int, float] = {}

    @cached_property
    def problem(self) -> Problem:
        """The world without what no shortest win needs; plans are replayed in the whole one."""
        return Problem(reduced(self.machine))

    @cached_property
    def plain(self) -> Problem:
        """The world as it is."""
        return Problem(self.machine)

    def decided(self) -> list[Decided]:
        """Every variant asked for, each stage over all that are still open."""
        self._stage(self._by_proof, range(len(self.machine.variants)))
        self._stage(self._by_relaxation)
        self._stage(self._by_plain_look)
        self._stage(self._by_small_look)
        self._stage(self._by_planning)
        self._stage(self._by_planning_again)
        self._stage(self._by_exploring)
        for variant in self.asked:
            self.found.setdefault(variant, Decided(variant, UNKNOWN, stopped_by="seconds"))
        return [self.found[variant] for variant in self.asked]

    def shortened(self) -> list[Decided]:
        """Trim plans, then explore for shorter ones, where nothing proves them shortest."""
        for waiting, variant in zip(range(len(self.asked), 0, -1), self.asked, strict=True):
            known = self.found[variant]
            if known.status == WINNABLE and not known.optimal:
                known = self._by_plain_look(variant, waiting) or self._trimmed(variant)
                self.found[variant] = known
            if known.status == WINNABLE and not known.optimal and self.clock.left > 0:
                share = clock(self.clock.left / waiting)
                seen = self._explored(variant, self.budget.states, share, self.budget.memory)
                if seen.status == WINNABLE:
                    self.found[variant] = seen
        return [self.found[variant] for variant in self.asked]

    def _trimmed(self, variant: int) -> Decided:
        """A variant without what its plan does not need, where it was not planned."""
        known = self.found[variant]
        if known.plan is None or known.by == "planning":
            return known
        start = self.machine.start(variant)
        pairs = trimmed(self.problem, start, understood(self.machine, variant, known.plan))
        plan = spoken(self.machine, variant, pairs)
        fits = plan is not None and replays(self.machine, variant, plan)
        return replace(known, plan=plan) if fits else known

    def _stage(self, stage: Any, over: range | None = None) -> None:
        open_ = [variant for variant in over or self.asked if self._open(variant)]
        for place, variant in enumerate(open_):
            if self.clock.left <= 0 and stage != self._by_proof:
                break
            found = stage(variant, len(open_) - place)
            if found is not None:
                self.found[variant] = found

    def _open(self, variant: int) -> bool:
        return variant not in self.found or self.found[variant].status == UNKNOWN

    # -- stages ------------------------------------------------------------------------

    def _by_proof(self, variant: int, waiting: int) -> Decided | None:
        outcome = proof_outcome(self.machine, variant)
        if outcome.plan is None:
            return None
        return Decided(variant, WINNABLE, outcome.plan, by="proof")

    def _by_relaxation(self, variant: int, waiting: int) -> Decided | None:
        reached = self._reach(variant)
        if reached is None or 1 in reached.values[self.machine.status]:
            return None
        return Decided(variant, UNWINNABLE, reason=unreachable_reason(reached), by="relaxation")

    def _reach(self, variant: int) -> Reach | None:
        """What variables may hold from a start on; None where that is too much to say. Only how
        much it is is kept: a reach is large."""
        try:
            reached = reach(self.machine, [self.machine.start(variant)])
        except TooWide:
            self._bits[variant] = inf
            return None
        sizes = (len(reached.values[slot]) for slot in relevant(self.machine))
        self._bits[variant] = sum(map(log2, sizes))
        return reached

    def _small(self, variant: int) -> bool:
        """Whether few states can come about from a start."""
        if variant not in self._bits:
            self._reach(variant)
        return self._bits[variant] <= PLAIN_BITS

    def _by_plain_look(self, variant: int, waiting: int) -> Decided | None:
        """Only where the world is so small that it is mostly seen whole; no answer otherwise."""
        if not self._small(variant) or self.clock.left <= 0:
            return None
        seconds = clock(self.clock.left * SMALL_SHARE / waiting)
        states, memory = min(PLAIN_STATES, self.budget.states), self.budget.memory
        start = self.machine.start(variant)
        seen = explore(self.plain, start, self.plain.cone, states, memory, seconds)
        found = self._seen(variant, seen)
        return None if found.status == UNKNOWN else found

    def _by_small_look(self, variant: int, waiting: int) -> Decided | None:
        seconds = self.clock.left * SMALL_SHARE / waiting
        states = min(SMALL_STATES, self.budget.states)
        return self._explored(variant, states, clock(seconds), self.budget.memory)

    def _by_planning(self, variant: int, waiting: int) -> Decided | None:
        if self.problem.relaxed is None:
            return self._by_repair(variant)
        if reason := excluded(self.problem, self.machine, variant):
            return Decided(variant, UNWINNABLE, reason=reason, by="relaxation")
        ways = self._ways(variant)
        if not ways:
            self.unaided.add(variant)
        # The first plan is the hard one: the other starts begin with it.
        shares = waiting + 1 if ways else min(waiting + 1, FIRST_SHARES)
        share = clock(self.clock.left / shares if waiting > 1 else self.clock.left * 0.7)
        planned = plan_for(self.problem, self.machine, variant, share, self.budget.memory, ways)
        if planned.plan is not None:
            return Decided(variant, WINNABLE, planned.plan, states=planned.nodes, by="planning")
        return Decided(variant, UNKNOWN, stopped_by=planned.stopped_by, states=planned.nodes)

    def _by_planning_again(self, variant: int, waiting: int) -> Decided | None:
        """Starts that were searched before the first plan was found have a way now."""
        if variant not in self.unaided or not self._ways(variant):
            return None
        return self._by_planning(variant, waiting)

    def _by_repair(self, variant: int) -> Decided | None:
        for other in self.found.values():
            if other.plan is not None:
                outcome = proof_outcome(replace(self.machine, proofs=(other.plan,)), variant)
                if outcome.plan is not None:
                    return Decided(variant, WINNABLE, outcome.plan, by="another variant's plan")
        return Decided(variant, UNKNOWN)

    def _ways(self, variant: int) -> tuple[Pairs, ...]:
        """Plans of the starts that differ the least from one."""
        start = self.machine.start(variant)
        plans: dict[tuple[str, ...], tuple[int, int]] = {}
        for other, decided in sorted(self.found.items()):
            if decided.plan is not None:
                differs = sum(map(int.__ne__, start, self.machine.start(other)))
                plans[decided.plan] = min(
                    plans.get(decided.plan, (differs, other)), (differs, other)
                )
        nearest = sorted(plans, key=plans.__getitem__)[:WAYS]
        return tuple(understood(self.machine, plans[plan][1], plan) for plan in nearest)

    def _by_exploring(self, variant: int, waiting: int) -> Decided | None:
        share = clock(self.clock.left / waiting)
        return self._explored(variant, self.budget.states, share, self.budget.memory)

    def _explored(self, variant: int, states: int, share: Clock, memory: int) -> Decided:
        start = self.machine.start(variant)
        cone = self.problem.cone
        seen = explore(self.problem, start, cone, states, memory, share, clocks=True, symmetry=True)
        return self._seen(variant, seen)

    def _seen(self, variant: int, seen: Explored) -> Decided:
        """What an exploration says."""
        if seen.plan is not None:
            return self._from_shortest(variant, seen)
        if not seen.complete:
            return Decided(variant, UNKNOWN, stopped_by=seen.stopped_by, states=seen.states)
        reason = blame(self.machine, variant, self.clock)
        return Decided(variant, UNWINNABLE, reason=reason, states=seen.states, by="exhaustion")

    def _from_shortest(self, variant: int, seen: Explored) -> Decided:
        assert seen.plan is not None
        if len(seen.plan) > self.machine.turns:
            reason = Reason(
                f"the shortest win takes {len(seen.plan)} turns, but the world ends after"
                f" {self.machine.turns}",
                None,
            )
            return Decided(variant, UNWINNABLE, reason=reason, states=seen.states, by="turns")
        plan = spoken(self.machine, variant, seen.plan)
        if plan is None or not replays(self.machine, variant, plan):
            reason = Reason("the only way found cannot be typed: other actions answer first", None)
            return Decided(variant, UNKNOWN, reason=reason, states=seen.states)
        return Decided(variant, WINNABLE, plan, True, states=seen.states, by="exploration")
