"""The ground commands a search tries: operators with the numbers that can matter.

In: a Machine, perhaps the clauses that help towards a goal. Out: `Actions`, two parallel
arrays. `every_action` leaves nothing out, so that what it does not reach is unreachable;
`helpful_actions` is for planning, which may miss a win but never claims one wrongly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import Machine, Step
from worldengine.modelcheck.programs.silence import split_body
from worldengine.modelcheck.programs.units import number_range
from worldengine.modelcheck.relaxation.amounts import telling_numbers
from worldengine.modelcheck.relaxation.horn import NUMBER
from worldengine.modelcheck.relaxation.relaxed import Relaxed

Ints = npt.NDArray[np.int32]
FEW = 24
"""Up to so many helpful numbers of one operator are all tried by a planner."""


@dataclass(frozen=True, slots=True)
class Actions:
    """Action i is operator `operators[i]` with number `numbers[i]`."""

    operators: Ints
    numbers: Ints

    def __len__(self) -> int:
        return len(self.operators)

    def pair(self, index: int) -> tuple[int, int]:
        return int(self.operators[index]), int(self.numbers[index])

    def without(self, operators: Collection[int]) -> Actions:
        """Those of other operators."""
        if not operators:
            return self
        pairs = (self.pair(index) for index in range(len(self)))
        return actions_of([pair for pair in pairs if pair[0] not in operators])

    def with_all(self, pairs: Iterable[tuple[int, int]]) -> Actions:
        """These and, behind them, those of some pairs that are not among them."""
        own = dict.fromkeys(self.pair(index) for index in range(len(self)))
        more = [pair for pair in dict.fromkeys(pairs) if pair not in own]
        return actions_of([*own, *more]) if more else self


def actions_of(pairs: list[tuple[int, int]]) -> Actions:
    """Actions from (operator, number) pairs."""
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return Actions(table[:, 0].copy(), table[:, 1].copy())


def every_action(machine: Machine) -> Actions:
    """All operators with all their numbers."""
    pairs: list[tuple[int, int]] = []
    for operator in range(len(machine.operators)):
        low, high = number_range(machine, operator) or (0, 0)
        pairs.extend((operator, number) for number in range(low, high + 1))
    return actions_of(pairs)


def helpful_actions(machine: Machine, relaxed: Relaxed, besides: Collection[int] = ()) -> Actions:
    """The operators that can help towards the goal, those named `besides`, and one that only
    lets time pass."""
    wanted: dict[int, list[int]] = {}
    horn = relaxed.horn
    for atom in relaxed.atoms:
        name = horn.names[atom]
        if name[0] == NUMBER:
            unit, number = name[1], name[2]
            assert isinstance(unit, int) and isinstance(number, int)
            wanted.setdefault(horn.reach.units[unit].index, []).append(number)
    told_apart = _told_apart(machine)
    pairs: list[tuple[int, int]] = []
    for operator in sorted({*relaxed.operators, *besides}):
        bounds = number_range(machine, operator)
        if bounds is None:
            pairs.append((operator, 0))
            continue
        low, high = bounds
        numbers = sorted(wanted.get(operator, range(low, high + 1)))
        if len(numbers) > FEW:
            telling = telling_numbers(horn.reach, operator)
            telling = told_apart | {low, high} if telling is None else telling
            numbers = [n for n in numbers if n in telling]
        pairs.extend((operator, number) for number in numbers)
    idle = idle_operator(machine)
    if idle is not None and all(operator != idle for operator, _ in pairs):
        pairs.append((idle, number_range(machine, idle)[0] if number_range(machine, idle) else 0))  # type: ignore[index]
    return actions_of(pairs)


def _told_apart(machine: Machine) -> frozenset[int]:
    """The constants that some test compares with, their neighbours, and initial numbers."""
    found = {v.initial for v in machine.variables if v.kind == "int"}
    for step in _steps(machine):
        for test in step.tests:
            found.update((test.offset - 1, test.offset, test.offset + 1))
    return frozenset(found)


def _steps(machine: Machine) -> list[Step]:
    programs = [operator.program for operator in machine.operators]
    programs += [rule.program for rule in machine.rules]
    programs += [derived.program for derived in machine.derived]
    programs += [block.program for block in machine.blocks]
    return [step for program in programs for step in program]


def idle_operator(machine: Machine) -> int | None:
    """An operator that is always accepted and does nothing by itself."""
    for index, operator in enumerate(machine.operators):
        parameters = machine.schemas[operator.schema].parameters
        if any(p.type == "object" and p.scope not in ("", "anywhere") for p in parameters):
            continue
        head, body = split_body(machine, operator.program, operator.body)
        if not head and not body:
            return index
    return None
