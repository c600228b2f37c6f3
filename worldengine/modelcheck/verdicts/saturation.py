"""Numbers that stop at the end of their range on a way that can really be played.

In: a Machine, plans, a clock. Out: for each number and end the shortest way known to a command
that would have gone past it. Each is real: the command is played in the same state of the same
world with wider ranges, and there the number goes on.

States looked at: those next to the starts, breadth first, and those of the known plans. So
what is not told may still happen; what is told does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from worldengine.machine.schema import ADD, COPY, MUL, SATURATION, SUB, Machine, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.compiled.kernel import expand, scratch
from worldengine.modelcheck.compiled.tables import Tables, widened
from worldengine.modelcheck.exploration.nearby import near
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.units import OPERATOR
from worldengine.modelcheck.wording.speech import spoken_from
from worldengine.runtime import runtime_of

Commands = tuple[str, ...]

WIDER = 1_000_000
"""How much further the ranges reach in the second playing."""
NEAR = 400
"""States next to the start that are looked at."""


@dataclass(frozen=True, slots=True)
class Saturation:
    """`variable` would have gone past its `end` by the last command of `path`, which stores
    into it through schema `schema`."""

    variable: int
    end: int
    path: Commands
    schema: int


def saturations(
    problem: Problem, plans: Sequence[Commands | None], left: Clock
) -> tuple[Saturation, ...]:
    """See the module; by variable, each end once."""
    work = _Work(problem)
    if not work.candidates:
        return ()
    for variant, plan in enumerate(plans):
        for state, depth, way in _states(problem, variant, plan, left):
            if left.left <= 0:
                break
            work.look(state, depth, way)
    return tuple(work.found[key] for key in sorted(work.found))


class _Work:
    def __init__(self, problem: Problem) -> None:
        self.problem, self.machine = problem, problem.machine
        self.candidates = _candidates(problem)
        self.found: dict[tuple[int, int], Saturation] = {}
        self._wide = _widened(self.machine, problem.tables)
        self._space = scratch(self._wide)
        operators = np.array(list(self.candidates), np.int32)
        self._operators, self._numbers = operators, np.zeros_like(operators)
        self._out = np.zeros((len(operators), len(self.machine.variables)), np.int32)
        self._which = np.zeros_like(operators)

    def look(self, state: State, depth: int, way: Callable[[], Commands | None]) -> None:
        """Every command that might, in one state that `way` leads to."""
        count = expand(
            self._wide, np.array(state, np.int32), self._operators, self._numbers, self._out,
            self._which, self._space,
        )  # fmt: skip
        for row in range(count):
            operator = int(self._operators[self._which[row]])
            for variable in self.candidates[operator]:
                value, part = int(self._out[row, variable]), self.machine.variables[variable]
                end = part.low if value < part.low else part.high
                if part.low <= value <= part.high or not self._nearer((variable, end), depth):
                    continue
                self._note(variable, end, operator, state, way())

    def _note(
        self, variable: int, end: int, operator: int, state: State, path: Commands | None
    ) -> None:
        said = spoken_from(self.machine, state, [(operator, 0)])
        if path is not None and said is not None:
            schema = self.machine.operators[operator].schema
            self.found[variable, end] = Saturation(variable, end, (*path, *said), schema)

    def _nearer(self, key: tuple[int, int], depth: int) -> bool:
        known = self.found.get(key)
        return known is None or depth + 1 < len(known.path)


def _candidates(problem: Problem) -> dict[int, tuple[int, ...]]:
    """By operator without a number: the numbers that it moves by what it works out."""
    machine, reach = problem.machine, problem.reach
    found: dict[int, tuple[int, ...]] = {}
    if reach is None:
        return found
    for number, unit in enumerate(reach.units):
        if unit.kind != OPERATOR or unit.number is not None or reach.points[number][0] is None:
            continue
        moved = {
            assign.target: None
            for step in unit.program[unit.body :]
            for assign in step.assigns
            if assign.op in (COPY, ADD, SUB, MUL)
            and assign.target < len(machine.variables)
            and machine.variables[assign.target].kind == "int"
            and machine.variables[assign.target].role == "attribute"
        }
        if moved:
            found[unit.index] = tuple(moved)
    return found


def _widened(machine: Machine, tables: Tables) -> Tables:
    """The tables with room beyond the ends of all attributes that are numbers."""
    bounds = {
        slot: (max(-SATURATION, each.low - WIDER), min(SATURATION, each.high + WIDER))
        for slot, each in enumerate(machine.variables)
        if each.kind == "int" and each.role == "attribute"
    }
    return widened(tables, bounds)


def _states(
    problem: Problem, variant: int, plan: Commands | None, left: Clock
) -> Iterator[tuple[State, int, Callable[[], Commands | None]]]:
    """Running states, how far each is from the start, and the way there."""
    machine = problem.machine
    start = machine.start(variant)
    seen = near(problem, start, NEAR, left)
    for node, state in enumerate(seen.states):
        way = seen.way(node)
        yield state, len(way), partial(spoken_from, machine, start, way)
    state, runtime = start, runtime_of(machine)
    for number, command in enumerate(plan or ()):
        yield state, number, partial(_first, plan or (), number)
        state = runtime.step(state, command).state


def _first(plan: Commands, number: int) -> Commands:
    return plan[:number]
