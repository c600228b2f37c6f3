"""Commands that are never better than letting time pass.

In: a quiet Machine with the values that can occur in it. Out: operators that can be left out.
A distractor that can be taken, dropped and put away is in the cone of influence as soon as
hands can be full; leaving its commands out is what makes rich worlds small.

**Argument.** Some variables X are given a best value each. Let s <= t if t differs from s only
in variables of X and has their best values there. Suppose that for all such s and t

- a command accepted in s is accepted in t with the same stores into all that matters, or all it
  stores that matters are variables of X that are at their best in t, so that letting time pass
  in t answers it;
- every rule stores the same into all that matters, except that t may win where s does not, and
  s lose where t does not.

Then s <= t is kept from turn to turn (or t has won, or s has lost), so that t can be won at
least as soon as s (a simulation; Torralba and Hoffmann, "Simulation-based admissible dominance
pruning", 2015). Now take a command that stores nothing that matters but variables of X, and
that is only ever accepted where these are at their best. What it leads to is <= what letting
time pass leads to. So every win without it is as short: where a play gives it, the other play
waits. That holds for all such commands at once, since <= is transitive and what was answered
by one of them can be answered by waiting. The same with commands on variables that begin at
their best in every start and that nothing else stores into: without them they stay there.

What is shown by `Pairs` is what the first two points ask for. Verdicts and shortest lengths are
kept; the number of states and which of them are dead ends are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from worldengine.machine.schema import RUNNING, Machine
from worldengine.modelcheck.programs.silence import reads_of
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, RULE, Unit
from worldengine.modelcheck.reductions.pairs import Blame, Pairs
from worldengine.modelcheck.reductions.walks import Walk
from worldengine.modelcheck.relaxation.abstract import Run
from worldengine.modelcheck.relaxation.reached import Reach

STORED = 3
"""Commands that store into more variables in question than this are not split into cases."""


def useless(reached: Reach, relevant: frozenset[int], best: dict[int, int]) -> frozenset[int]:
    """Operators that can be left out by the best values that hold up; see the module. `best`
    proposes them; those that do not hold up are dropped until the rest does."""
    work = _Work(reached, relevant)
    if not work.guarded:
        return frozenset()
    best = {variable: value for variable, value in best.items() if work.own(variable)}
    while best:
        blame = work.blame(best)
        if not blame:
            break
        best = {variable: value for variable, value in best.items() if variable not in blame}
    return work.droppable(best)


@dataclass(slots=True)
class _Work:
    reached: Reach
    relevant: frozenset[int]
    stores: list[frozenset[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for unit in self.reached.units:
            targets = {assign.target for step in unit.program for assign in step.assigns}
            self.stores.append(frozenset(targets & self.relevant))

    @property
    def machine(self) -> Machine:
        return self.reached.machine

    @property
    def guarded(self) -> bool:
        """Whether an ending is for ever: it is stored while the world runs and at no other
        time, so that a state that has been won stays won through the rules behind."""
        status = self.machine.status
        for number, unit in enumerate(self.reached.units):
            run = Run(self.reached, number)
            for step, env in zip(unit.program, self.reached.points[number], strict=False):
                if env is None or all(assign.target != status for assign in step.assigns):
                    continue
                known = run.satisfied(step.tests, env)
                if known is not None and known.get(status) != frozenset({RUNNING}):
                    return False
        return True

    def own(self, variable: int) -> bool:
        """Whether some command stores into a variable and into nothing else that matters."""
        return variable != self.machine.status and any(
            stored == {variable} and unit.kind == OPERATOR
            for unit, stored in zip(self.reached.units, self.stores, strict=True)
        )

    # -- the simulation ------------------------------------------------------------------

    def blame(self, best: dict[int, int]) -> Blame:
        """Variables whose best values do not hold up; none if all do."""
        known: dict[frozenset[int], Pairs] = {}

        def pairs(same: frozenset[int]) -> Pairs:
            if same not in known:
                left = {v: value for v, value in best.items() if v not in same}
                known[same] = Pairs(self.reached, left)
            return known[same]

        found: set[int] = set()
        for number, unit in enumerate(self.reached.units):
            stored = self.stores[number]
            if unit.kind == DERIVED or not stored or self.reached.points[number][0] is None:
                continue
            for same in self._cases(unit, stored, best):
                walk = Walk(pairs(same), self.relevant)
                found |= walk.operator(unit) if unit.kind == OPERATOR else walk.rule(unit)
        return frozenset(found)

    def _cases(
        self, unit: Unit, stored: frozenset[int], best: dict[int, int]
    ) -> Iterator[frozenset[int]]:
        """Which stored variables are not at their best in t, and so the same in s and t. Where
        all are at their best time may pass instead."""
        if unit.kind == RULE or not stored <= best.keys() or len(stored) > STORED:
            yield frozenset()
            return
        for size in range(1, len(stored) + 1):
            for same in combinations(sorted(stored), size):
                yield frozenset(same)

    # -- what follows --------------------------------------------------------------------

    def droppable(self, best: dict[int, int]) -> frozenset[int]:
        """Operators that store nothing that matters but variables at their best."""
        resting = self._resting(best)
        found: set[int] = set()
        for number, unit in enumerate(self.reached.units):
            stored = self.stores[number]
            if unit.kind != OPERATOR or not stored or not stored <= best.keys():
                continue
            if all(
                variable in resting or self._never(number, unit, variable, best[variable])
                for variable in stored
            ):
                found.add(unit.index)
        return frozenset(found)

    def _resting(self, best: dict[int, int]) -> frozenset[int]:
        """Variables that begin at their best and leave it only by commands that are dropped
        for that reason."""
        machine = self.machine
        starts = [machine.start(variant) for variant in range(len(machine.variants))]
        resting = {v for v, value in best.items() if all(s[v] == value for s in starts)}
        while True:
            kept = set(resting)
            for unit, stored in zip(self.reached.units, self.stores, strict=True):
                if unit.kind == RULE or not stored <= resting:
                    kept -= stored
            if kept == resting:
                return frozenset(resting)
            resting = kept

    def _never(self, number: int, unit: Unit, variable: int, value: int) -> bool:
        """Whether a command is never accepted where a variable has another value."""
        reached, count = self.reached, len(self.machine.variables)
        others = reached.values[variable] - {value}
        if not others:
            return True
        narrowed = Reach(self.machine, reached.units, dict(reached.values))
        narrowed.values[variable] = others
        narrowed.points = list(reached.points)
        changed = {variable, variable + count}
        for other, formula in enumerate(reached.units):  # derived ones stand first, in order
            if formula.kind != DERIVED:
                break
            slot = self.machine.derived_base + formula.index
            reads = {read for step in formula.program for read in reads_of(step, self.machine)}
            if self.machine.derived[formula.index].group >= 0 or not reads & changed:
                continue
            narrowed.values[slot] = set()
            Run(narrowed, other, closed=False).run()
            changed.add(slot)
        Run(narrowed, number).run()
        return narrowed.points[number][unit.body] is None
