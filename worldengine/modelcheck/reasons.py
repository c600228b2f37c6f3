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

from worldengine.machine.notation import Notation
from worldengine.machine.schema import CONST, EQ, NE, Assign, Location, Machine, Test
from worldengine.modelcheck.abstract import (
    DERIVED,
    OPERATOR,
    Reach,
    Run,
    Unit,
    scopes_of,
    true,
)
from worldengine.modelcheck.places import location_of

DEEP = 8
"""Steps from `win` down to the root that are told."""


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


class _Teller:
    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.machine = reach.machine
        self.notation = Notation(reach.machine)

    def tell(self) -> Reason:
        best: list[Link] | None = None
        wins = [number for number, unit in enumerate(self.reach.units) if self._is_win(unit)]
        if not wins:
            return Reason("there is no `win`, so this world cannot be won", None)
        for number in wins:
            chain = self._unit(number, frozenset())
            if best is None or (chain and chain[-1].root and not best[-1].root):
                best = chain or best
        assert best, "an unreachable win has a test that fails"
        # The root is the place; where it lies in nobody's text, the nearest above it.
        located = [link.location for link in best if link.location is not None]
        return Reason("; ".join(link.text for link in best), located[-1] if located else None)

    def _is_win(self, unit: Unit) -> bool:
        kinds = (OPERATOR, DERIVED)
        return unit.kind not in kinds and self.machine.rules[unit.index].kind == "win"

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
        rooted = [chain for chain in candidates if chain[-1].root]
        return (rooted or candidates or [[]])[0]

    def _test_chain(self, test: Test, above: frozenset[int]) -> list[Link]:
        """Why a test never holds."""
        slot = self._now(test.left)
        makers = [n for n in self._makers(slot, test)]
        if not makers:
            return [Link(self._never(slot, test), self._declared(slot), True)]
        if all(maker in above for maker in makers):
            return [Link(f"but {self._circle(makers[0])} needs it first", None, True)]
        if len(above) > DEEP:
            return []
        chains = [self._unit(maker, above) for maker in makers if maker not in above]
        found = [chain for chain in chains if chain]
        rooted = [chain for chain in found if chain[-1].root]
        return (rooted or found or [[]])[0]

    def _blocked(self, number: int) -> Iterator[tuple[int, Test]]:
        """Tests that never hold at a point that can be come to."""
        unit = self.reach.units[number]
        points = self.reach.points[number]
        if unit.kind == OPERATOR and points[0] is None:
            for slot, _ in scopes_of(self.machine, unit.index):
                if slot >= 0 and not set(self.reach.possible(slot, {})) - {0}:
                    yield -1, Test(slot, NE, -1, 0)
            return
        run = Run(self.reach, number, widen=False)
        for index, step in enumerate(unit.program):
            env = points[index]
            if env is None or run.satisfied(step.tests, env) is not None:
                continue
            for test in step.tests:
                if run.satisfied((test,), env) is None:
                    yield index, test
                    break

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

    # -- words -------------------------------------------------------------------------

    def _now(self, slot: int) -> int:
        count = len(self.machine.variables)
        return slot - count if count <= slot < 2 * count else slot

    def _test(self, test: Test) -> str:
        if test.op == NE and test.right < 0 and test.offset == 0:
            if self.notation.kind(test.left) == "bool":
                return self.notation.slot(test.left)
        if test.op == EQ and test.right < 0 and self.notation.kind(test.left) == "bool":
            name = self.notation.slot(test.left)
            return name if test.offset else f"not {name}"
        return self.notation.test(test)

    def _never(self, slot: int, test: Test) -> str:
        name = self.notation.slot(slot)
        if slot < len(self.machine.variables):
            variable = self.machine.variables[slot]
            ends = variable.low, variable.high
            if (
                variable.kind == "int"
                and test.right < 0
                and not any(true(test, value) for value in ends)
            ):
                if test.op != EQ or not ends[0] <= test.offset <= ends[1]:
                    return f"but {name} only goes from {ends[0]} to {ends[1]}"
        return f"but nothing ever makes {self._test(test)} true"

    def _circle(self, number: int) -> str:
        return self._name(self.reach.units[number])

    def _name(self, unit: Unit) -> str:
        machine = self.machine
        if unit.kind == DERIVED:
            return f"`{machine.derived[unit.index].name}`"
        if unit.kind == OPERATOR:
            operator = machine.operators[unit.index]
            names = (self._argument(value) for value in operator.arguments)
            return f"`{machine.schemas[operator.schema].name}({', '.join(names)})`"
        rule = machine.rules[unit.index]
        return f"`{rule.kind}`" if rule.kind in ("win", "lose") else f"{rule.kind} `{rule.name}`"

    def _argument(self, value: int) -> str:
        return self.notation.object(value) if value >= 0 else "number"

    # -- places ------------------------------------------------------------------------

    def _place(self, unit: Unit, step: int) -> Location | None:
        machine = self.machine
        if unit.kind == DERIVED:
            return None
        if unit.kind != OPERATOR:
            return location_of(machine, machine.rules[unit.index].span)
        operator = machine.operators[unit.index]
        if 0 <= step < unit.body and operator.requirements:
            source = unit.program[step].source
            before = [r for r in operator.requirements if r.entry <= max(source, 0)]
            if before:
                return location_of(machine, before[-1].span)
        return location_of(machine, operator.span)

    def _declared(self, slot: int) -> Location | None:
        return None


def own_location(machine: Machine, location: Location | None) -> bool:
    """Whether a location lies in the world's own file (and not in the library of verbs)."""
    if location is None or not machine.spans:
        return False
    own = next((s.file for rule in machine.rules if (s := location_of(machine, rule.span))), "")
    return location.file == own
