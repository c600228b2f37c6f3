"""Which numbers of a command are worth trying: those around the places where something changes.

In: the values that can occur (`Reach`) and an operator with a number. Out: numbers, for planning
only: a plan may need another, and nothing is concluded where none is found.

What is asked of the number, or of a variable that it is stored into, is a comparison: with a
constant, or with something whose few values are known (a price, the weight that a start draws).
Between two such places no comparison tells numbers apart, so the last number before each place
and the first behind it will do, and the place itself where it is asked for by `==`.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.machine.schema import ADD, COPY, EQ, IS_UNDEFINED, NE, SUB, UNDEFINED, Test
from worldengine.modelcheck.programs.units import OPERATOR
from worldengine.modelcheck.relaxation.reached import Reach

FEW_VALUES = 32
"""Values of the other side of a comparison up to which each of them counts."""


def telling_numbers(reach: Reach, operator: int) -> frozenset[int] | None:
    """The numbers of an operator to try; None where something else than a comparison is made of
    its number, so that there is no telling. A sum with a variable (a purse that pays) is not
    followed."""
    unit = next(u for u in reach.units if u.kind == OPERATOR and u.index == operator)
    assert unit.number is not None, "the operator takes no number"
    machine = reach.machine
    low, high = unit.number
    found = {low, high}
    own, stored = {machine.number_slot: 0}, dict[int, int]()
    for step in unit.program:
        for test in step.tests:
            found |= set(_places(reach, test, own))
        for assign in step.assigns:
            if assign.left not in own and assign.right not in own:
                own.pop(assign.target, None)
            elif assign.op == COPY:
                own[assign.target] = own[assign.left] + assign.constant
                if assign.target < len(machine.variables):
                    stored[assign.target] = own[assign.target]
                    stored[assign.target + len(machine.variables)] = own[assign.target]
            elif assign.op not in (ADD, SUB):
                return None
    for other in reach.units:
        for step in other.program:
            for test in step.tests:
                found |= set(_places(reach, test, stored))
    return frozenset(number for number in found if low <= number <= high)


def _places(reach: Reach, test: Test, carried: dict[int, int]) -> Iterator[int]:
    """Numbers around what a test compares with."""
    if test.op == IS_UNDEFINED:
        return
    for slot, other, offset in (
        (test.left, test.right, test.offset),
        (test.right, test.left, -test.offset),
    ):
        if slot not in carried:
            continue
        values = (0,) if other < 0 else tuple(reach.possible(other, {}))
        if len(values) > FEW_VALUES:
            continue
        for value in values:
            if value == UNDEFINED:
                continue
            place = value + offset - carried[slot]
            yield from (place,) if test.op in (EQ, NE) else (place - 1, place, place + 1)
