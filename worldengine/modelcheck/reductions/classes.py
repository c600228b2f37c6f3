"""Values that nothing can tell apart: a number's domain split into classes.

In: a Machine. Out: for some integer variables a map from each value to the one that stands for
its class. An exploration that keeps only representatives sees fewer states.

**Argument.** A variable x qualifies if all that is ever read of it, now or `prior`, is a
comparison with a constant or a scope's "is it 0", and all that is ever stored into it is a
constant or `x + k` (and, for the turn counter, the step that every turn makes), stopped at the
ends of its range. Let two values be alike if all those comparisons come out alike on them and
if, for every k, their sums with k are alike again: the coarsest such relation, found by
splitting. Then two states that differ only in alike values of x go the same ways through
every program, change all other variables alike, and come to states that again differ only in
alike values of x: the relation is a bisimulation. It holds win and lose apart where they are
read, since the status itself is never merged. So verdicts and shortest lengths are those of
the whole, and a plan found with representatives is a plan.

Several variables are merged independently: nothing reads two of them together, because a
comparison of two variables disqualifies both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from worldengine.machine.reads import assign_reads
from worldengine.machine.schema import CONST, COPY, EQ, IS_UNDEFINED, Machine, Test
from worldengine.modelcheck.programs.silence import Quiet
from worldengine.modelcheck.programs.units import units_of
from worldengine.modelcheck.programs.values import true

LARGEST = 100_000
"""Values beyond which a domain is left as it is."""

Classes = dict[int, dict[int, int]]
"""For a variable the representative of each value; values of their own are left out."""


@dataclass(slots=True)
class _Uses:
    """What a Machine does with one variable."""

    tests: set[tuple[int, int]] = field(default_factory=set)  # (operator, constant)
    steps: set[int] = field(default_factory=set)  # k of `x + k`


def classes_of(machine: Machine) -> Classes:
    """See the module."""
    uses = {
        index: _Uses()
        for index, part in enumerate(machine.variables)
        if part.kind == "int" and index != machine.status and part.high - part.low < LARGEST
    }
    count = len(machine.variables)
    for step in _steps(machine):
        for test in step.tests:
            _test(uses, test, count)
        for assign in step.assigns:
            target = assign.target
            if assign.op == COPY and assign.left == target < count:
                if target in uses:
                    uses[target].steps.add(assign.constant)
                continue
            for slot in assign_reads(assign, machine):
                uses.pop(slot % count if slot < 2 * count else -1, None)
            if assign.op != CONST:
                uses.pop(target, None)
    for scope in machine.scopes:
        for row in scope.rows:
            if row.slot % count in uses and 0 <= row.slot < 2 * count:
                uses[row.slot % count].tests.add((EQ, 0))
    if machine.turn in uses:
        uses[machine.turn].steps.add(1)
    found = {index: _classes(machine, index, use) for index, use in uses.items()}
    return {index: alike for index, alike in found.items() if alike}


def _steps(machine: Machine) -> Iterator[Quiet]:
    for unit in units_of(machine):
        yield from unit.program


def _test(uses: dict[int, _Uses], test: Test, count: int) -> None:
    plain = test.op == IS_UNDEFINED or test.right < 0
    for slot in (test.left, test.right):
        if not 0 <= slot < 2 * count or slot % count not in uses:
            continue
        if not plain:
            del uses[slot % count]
        elif slot == test.left and test.op != IS_UNDEFINED:
            uses[slot % count].tests.add((test.op, test.offset))


def _classes(machine: Machine, variable: int, use: _Uses) -> dict[int, int]:
    """Split until nothing splits: first by what is asked, then by where each sum leads."""
    part = machine.variables[variable]
    domain = range(part.low, part.high + 1)
    asked = [Test(variable, op, -1, constant) for op, constant in sorted(use.tests)]
    number = _numbered([tuple(true(test, value) for test in asked) for value in domain])
    steps = sorted(use.steps)
    while True:
        signs = [
            (
                number[value - part.low],
                *(number[min(max(value + k, part.low), part.high) - part.low] for k in steps),
            )
            for value in domain
        ]
        finer = _numbered(signs)
        if max(finer) == max(number):
            break
        number = finer
    first: dict[int, int] = {}
    for value in domain:
        first.setdefault(number[value - part.low], value)
    return {
        value: first[number[value - part.low]]
        for value in domain
        if first[number[value - part.low]] != value
    }


def _numbered(signs: list[tuple[int, ...]] | list[tuple[bool, ...]]) -> list[int]:
    """Signs as numbers in the order in which they come."""
    known: dict[tuple[int, ...], int] = {}
    return [known.setdefault(sign, len(known)) for sign in signs]
