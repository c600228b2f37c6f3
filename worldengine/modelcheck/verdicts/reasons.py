"""Why a world cannot be won, in the author's terms.

In: a `Problem` whose relaxed world cannot be won. Out: a `Reason`: a sentence and the place in
the script that it is about. The sentence starts at `win` and goes down to a root: a condition
that nothing in the world ever brings about, or a circle (what is needed to get there needs it
first).

The relaxed world can do all that the world can, so what is impossible there is impossible;
the sentence names one way of seeing it, not every one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldengine.machine.schema import (
    CONST,
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Assign,
    Location,
    Test,
)
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, Unit, scopes_of
from worldengine.modelcheck.programs.values import Env, true
from worldengine.modelcheck.relaxation.abstract import Run
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.wording.places import location_of
from worldengine.modelcheck.wording.words import Words

OPPOSITE = {EQ: NE, NE: EQ, LT: GE, GE: LT, GT: LE, LE: GT}
"""The comparison that holds where this one does not, of defined values."""
DEEP = 14
"""Steps from `win` down to the root that are told."""
PATIENCE = 3000
"""Conditions that are followed in search of a telling root."""
SIDES = 6
"""Values that are looked at where two slots should be the same."""


@dataclass(frozen=True, slots=True)
class Reason:
    """`location` is None only where no part of the script is to blame by itself."""

    text: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class Link:
    """One step down: what is said, where, and whether it is a root."""

    text: str
    location: Location | None
    root: bool


def unreachable_reason(reach: Reach) -> Reason:
    """Why no win follows even in the relaxed world."""
    return _Teller(reach).tell()


class _Teller(Words):
    def __init__(self, reach: Reach) -> None:
        super().__init__(reach)
        self.patience = PATIENCE

    def tell(self) -> Reason:
        stuck = self._stuck()
        if stuck is not None:
            return stuck
        best: list[Link] | None = None
        wins = [number for number, unit in enumerate(self.reach.units) if self._is_win(unit)]
        if not wins:
            return Reason("there is no `win`, so this world cannot be won", None)
        for number in wins:
            chain = self._unit(number, frozenset())
            if best is None or (chain and chain[-1].root and not best[-1].root):
                best = chain or best
        if not best:
            rule = self.machine.rules[self.reach.units[wins[0]].index]
            text = "`win` asks for what can never be: no action, rule or start brings it about"
            return Reason(text, location_of(self.machine, rule.span))
        # The root is the place; where it lies in nobody's text, the nearest above it.
        own = location_of(self.machine, self.machine.rules[self.reach.units[wins[0]].index].span)
        located = [
            link.location
            for link in best
            if link.location is not None and own is not None and link.location.file == own.file
        ]
        return Reason("; ".join(link.text for link in best), located[-1] if located else own)

    def _is_win(self, unit: Unit) -> bool:
        kinds = (OPERATOR, DERIVED)
        return unit.kind not in kinds and self.machine.rules[unit.index].kind == "win"

    # -- how far the player gets ---------------------------------------------------------

    def _stuck(self) -> Reason | None:
        """The last thing on the way to a win that the player can try and that is always
        refused, with what it waits for. None if there is no such thing."""
        found: tuple[int, int, Test] | None = None
        for number in self._wanted():
            unit = self.reach.units[number]
            if unit.kind != OPERATOR or self.reach.points[number][0] is None:
                continue
            if self.reach.points[number][unit.body] is not None:
                continue
            for step, test in self._blocked(number):
                if step >= 0:
                    found = number, step, test
        if found is None:
            return None
        number, step, test = found
        unit = self.reach.units[number]
        said = f"the way to `win` ends at {self._name(unit)}, which needs {self._test(test)}"
        return Reason(f"{said}; {self._makers_say(test)}", self._place(unit, step))

    def _makers_say(self, test: Test) -> str:
        """What would bring a condition about, and what that waits for in turn."""
        parts: list[str] = []
        for maker in list(self._makers(self._now(test.left), test))[:3]:
            waits = [self._test(inner) for _, inner in self._blocked(maker)][:1]
            needs = f" and needs {waits[0]}" if waits else ""
            parts.append(f"{self._name(self.reach.units[maker])} would do it{needs}")
        return ", ".join(parts) or "nothing ever brings that about"

    def _wanted(self) -> list[int]:
        """Programs that a win waits for, nearest first."""
        wins = [n for n, unit in enumerate(self.reach.units) if self._is_win(unit)]
        found = dict.fromkeys(wins)
        for number in found.copy():
            self._follow(number, found)
        return list(found)

    def _follow(self, number: int, found: dict[int, None]) -> None:
        waiting = [number]
        while waiting:
            for _, test in self._blocked(waiting.pop(0)):
                for slot, wanted in self._sides(test):
                    for maker in self._makers(self._now(slot), wanted):
                        if maker not in found:
                            found[maker] = None
                            waiting.append(maker)

    def _sides(self, test: Test) -> list[tuple[int, Test]]:
        """The slots and conditions by which a test could come to hold."""
        if test.right < 0 or test.op != EQ:
            return [(test.left, test)]
        sides: list[tuple[int, Test]] = []
        for one, other, offset in (
            (test.left, test.right, test.offset),
            (test.right, test.left, -test.offset),
        ):
            values = sorted(self.reach.possible(self._now(other), {}))[:SIDES]
            sides += [(one, Test(one, EQ, -1, v + offset)) for v in values if v >= 0]
        return sides

    # -- going down --------------------------------------------------------------------

    def _unit(self, number: int, above: frozenset[int]) -> list[Link]:
        """Why a program never gets to where it would do its work."""
        unit = self.reach.units[number]
        candidates: list[list[Link]] = []
        for step, test in self._blocked(number):
            place = self._place(unit, step)
            needs = f"{self._name(unit)} needs {self._test(test)}"
            below = self._test_chain(test, above | {number})
            candidates.append([Link(needs, place, False), *below])
        return _telling(candidates)

    def _test_chain(self, test: Test, above: frozenset[int]) -> list[Link]:
        """Why a test never holds."""
        self.patience -= 1
        if self.patience < 0:
            return []
        if test.right >= 0 and test.op == EQ:
            return self._meeting(test, above)
        slot = self._now(test.left)
        if self.machine.register_base <= slot < self.machine.derived_base:
            return []
        makers = list(self._makers(slot, test))
        if not makers:
            return [Link(self._never(slot, test), None, True)]
        if all(maker in above for maker in makers):
            return [Link(f"but {self._circle(makers[0])} needs it first", None, True)]
        if len(above) > DEEP:
            return []
        chains = [self._unit(maker, above) for maker in makers if maker not in above]
        return _telling(chains)

    def _meeting(self, test: Test, above: frozenset[int]) -> list[Link]:
        """Why two slots never have the same value: neither ever comes to the other's."""
        chains: list[list[Link]] = []
        for one, other, offset in (
            (test.right, test.left, -test.offset),
            (test.left, test.right, test.offset),
        ):
            for value in sorted(self.reach.possible(self._now(other), {}))[:SIDES]:
                if value < 0:
                    continue
                wanted = Test(one, EQ, -1, value + offset)
                if any(self._makers(self._now(one), wanted)):
                    text = f"which needs {self._test(wanted)}"
                    chains.append([Link(text, None, False), *self._test_chain(wanted, above)])
        never = f"but {self.notation.test(test)} can never be"
        return _telling(chains) or [Link(never, None, True)]

    def _blocked(self, number: int) -> Iterator[tuple[int, Test]]:
        """Tests that never hold at a point that can be come to."""
        unit = self.reach.units[number]
        points = self.reach.points[number]
        if unit.kind == OPERATOR and points[0] is None:
            for slot, _ in scopes_of(self.machine, unit.index):
                if slot >= 0 and not set(self.reach.possible(slot, {})) - {0}:
                    yield -1, Test(slot, NE, -1, 0)
            return
        run = Run(self.reach, number)
        first = self._last_requirement(unit, points)
        for index, step in enumerate(unit.program):
            env = points[index] if index >= first else None
            if env is None:
                continue
            if run.satisfied(step.tests, env) is not None:
                always = len(step.tests) == 1 and run.refuted(step.tests, env) is None
                if always and index < unit.body and step.tests[0].op in OPPOSITE:
                    test = step.tests[0]  # holds always, and refuses
                    yield index, test._replace(op=OPPOSITE[test.op])
                continue
            for test in step.tests:
                if run.satisfied((test,), env) is None:
                    yield index, test
                    break

    def _last_requirement(self, unit: Unit, points: list[Env | None]) -> int:
        """Where the requirement begins that no command gets past."""
        if unit.kind != OPERATOR or points[unit.body] is not None:
            return 0
        entries = [r.entry for r in self.machine.operators[unit.index].requirements]
        reached = [
            max((entry for entry in entries if entry <= step.source), default=0)
            for step, env in zip(unit.program[: unit.body], points, strict=False)
            if env is not None
        ]
        last = max(reached, default=0)
        return next((i for i, step in enumerate(unit.program) if step.source >= last), 0)

    def _makers(self, slot: int, test: Test) -> Iterator[int]:
        """Programs that might store a value of the kind wanted; operators come first."""
        order = sorted(
            range(len(self.reach.units)), key=lambda n: self.reach.units[n].kind != OPERATOR
        )
        for number in order:
            unit = self.reach.units[number]
            assigns = (assign for step in unit.program for assign in step.assigns)
            if any(assign.target == slot and self._may_make(assign, test) for assign in assigns):
                yield number

    def _may_make(self, assign: Assign, test: Test) -> bool:
        return assign.op != CONST or test.right >= 0 or true(test, assign.constant)


def _telling(chains: list[list[Link]]) -> list[Link]:
    """The chain that tells most: one that ends in something nothing brings about before one
    that ends in a circle, a longer circle before a shorter."""
    best: list[Link] = []
    for chain in chains:
        if chain and (not best or _weight(chain) > _weight(best)):
            best = chain
    return best


def _weight(chain: list[Link]) -> tuple[bool, bool, int, int]:
    root = chain[-1]
    deeds = len({link.text for link in chain if link.location is not None})
    brought = root.root and "needs it first" not in root.text
    return root.root, brought, min(deeds, 4), -len(chain)
