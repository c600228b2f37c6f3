"""One program in two states side by side: does it do the same in all that matters?

In: `Pairs`, the variables that matter, a program. Out: the variables to blame where it does not,
none where it does. An operator has to be accepted in t where it is accepted in s, and rules
that end the world may end it in favour of t.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.schema import CONST, LOST, NE, WON, Machine, Test
from worldengine.modelcheck.programs.silence import Quiet, reads_of
from worldengine.modelcheck.programs.units import Unit, scopes_of
from worldengine.modelcheck.reductions.pairs import (
    GOOD,
    LOST_ONLY,
    SAME,
    WON_ONLY,
    Blame,
    Labels,
    Pairs,
)


@dataclass(slots=True)
class Walk:
    """One program in s and t, all pairs of them."""

    pairs: Pairs
    relevant: frozenset[int]

    @property
    def machine(self) -> Machine:
        return self.pairs.machine

    def rule(self, unit: Unit) -> Blame:
        endings = {
            assign.constant if assign.op == CONST else LOST + 1
            for step in unit.program
            for assign in step.assigns
            if assign.target in self.relevant
        }
        stored = {a.target for step in unit.program for a in step.assigns} & self.relevant
        if stored == {self.machine.status} and endings in ({WON}, {LOST}):
            return self._end(unit.program, WON in endings)
        return self._act(unit.program, 0, {})

    def _end(self, program: tuple[Quiet, ...], won: bool) -> Blame:
        """Whether t wins where s does, or s loses where t does, by a rule that does no more.
        Where the one that need not end the world goes on to end it, nothing has to be shown
        of the other."""
        barren = [True] * (len(program) + 1)
        for index in range(len(program) - 1, -1, -1):
            step = program[index]
            barren[index] = not self._stores(step) and barren[step.then]
            barren[index] = barren[index] and (not step.tests or barren[step.other])
        points: list[Labels | None] = [None] * (len(program) + 1)
        points[0] = {}
        for index, step in enumerate(program):
            here = points[index]
            if here is None:
                continue
            parts = self.pairs.all_parts(step.tests, here)
            if parts and (step.then != step.other or self._stores(step)):
                taken = not self._stores(step) and barren[step.then]
                free, bound = (WON_ONLY, LOST_ONLY) if won else (LOST_ONLY, WON_ONLY)
                if (parts & free and not barren[step.other]) or (parts & bound and not taken):
                    return self._blame(step, program)
                parts = 0
            after = self.pairs.stepped(step, parts, here)
            points[step.then] = self.pairs.met(points[step.then], after)
            if step.tests and step.other != step.then:
                points[step.other] = self.pairs.met(points[step.other], here)
        return GOOD

    def operator(self, unit: Unit) -> Blame:
        for slot, _ in scopes_of(self.machine, unit.index):
            if slot >= 0 and self.pairs.parts(Test(slot, NE, -1, 0), {}) & LOST_ONLY:
                return self._guilty(self.pairs.blame(slot))
        points: list[Labels | None] = [None] * (len(unit.program) + 1)
        points[0] = {}
        refusing = _refusing(unit)
        for index in range(unit.body):
            step, here = unit.program[index], points[index]
            if here is None:
                continue
            parts = self.pairs.all_parts(step.tests, here)
            meets = step.then == step.other and not step.refuse
            if parts and not meets:
                # Where s is refused nothing has to be shown.
                if parts & WON_ONLY and not refusing[step.other]:
                    return self._blame(step, unit.program)
                if parts & LOST_ONLY and not (step.refuse or refusing[step.then]):
                    return self._blame(step, unit.program)
                parts = 0
            if not step.refuse:
                after = self.pairs.stepped(step, parts, here)
                points[step.then] = self.pairs.met(points[step.then], after)
            if step.tests and step.other != step.then:
                points[step.other] = self.pairs.met(points[step.other], here)
        env = points[unit.body]
        return GOOD if env is None else self._act(unit.program, unit.body, env)

    def _act(self, program: tuple[Quiet, ...], start: int, env: Labels) -> Blame:
        """Whether both store the same into all that matters, from a step on."""
        last = max((i for i, step in enumerate(program) if self._stores(step)), default=-1)
        points: list[Labels | None] = [None] * (len(program) + 1)
        points[start] = env
        for index in range(start, last + 1):
            step, here = program[index], points[index]
            if here is None:
                continue
            parts = self.pairs.all_parts(step.tests, here)
            if parts and (step.then != step.other or self._stores(step)):
                return self._blame(step, program) | self._stored(step)
            if not parts and not self._alike(step, here):
                return self._blame(step, program) | self._stored(step)
            after = self.pairs.stepped(step, parts, here)
            points[step.then] = self.pairs.met(points[step.then], after)
            if step.tests and step.other != step.then:
                points[step.other] = self.pairs.met(points[step.other], here)
        return GOOD

    def _stores(self, step: Quiet) -> bool:
        return any(assign.target in self.relevant for assign in step.assigns)

    def _stored(self, step: Quiet) -> Blame:
        return frozenset(a.target for a in step.assigns) & self.pairs.best.keys()

    def _alike(self, step: Quiet, here: Labels) -> bool:
        """Whether a step that both take stores the same into all that matters."""
        env = dict(here)
        for assign in step.assigns:
            made = self.pairs.result(assign, env)
            if assign.target in self.relevant and made != SAME:
                return False
            env[assign.target] = made
        return True

    def _blame(self, step: Quiet, program: tuple[Quiet, ...]) -> Blame:
        """The variables in question that a step depends on, be it by registers that were filled
        before it."""
        registers = any(self.pairs.scratch(slot) for slot in reads_of(step, self.machine))
        return self._guilty(self.pairs.blame_of(program if registers else (step,)))

    def _guilty(self, found: Blame) -> Blame:
        """Never nobody: what cannot be laid to some is laid to all, for no blame means good."""
        return found or frozenset(self.pairs.best)


def _refusing(unit: Unit) -> list[bool]:
    """For each step of the requirements whether all that follows ends in a refusal."""
    found = [False] * (len(unit.program) + 1)
    for index in range(unit.body - 1, -1, -1):
        step = unit.program[index]
        found[index] = bool(step.refuse) or found[step.then]
        if step.tests:
            found[index] = found[index] and found[step.other]
    return found
