"""Which states an exploration takes for one another: clocks and objects left aside.

In: a `Problem`, a start, which reductions to use. Out: `Merging`: the hours of the clocks (see
`clocks`), the objects that can stand for one another (see `symmetry`), and the values that can
occur once these change places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from worldengine.batch.tables.tables import tables_of as batch_tables_of
from worldengine.machine.schema import Machine, State
from worldengine.modelcheck.compiled.kernel import follow, scratch
from worldengine.modelcheck.compiled.tables import tables_of
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.units import number_range
from worldengine.modelcheck.reductions.clocks import Hours, hours_of
from worldengine.modelcheck.reductions.cone import Cone
from worldengine.modelcheck.reductions.symmetry import Alike, alike_of

Values = dict[int, set[int]]
ALL_DAY = Hours((), (0,), ((),))
"""No clock: one hour that does not end."""


@dataclass(frozen=True, slots=True)
class Merging:
    """See the module. With one hour and no objects alike, nothing is taken for anything else."""

    hours: Hours = ALL_DAY
    alike: tuple[Alike, ...] = ()

    @property
    def active(self) -> bool:
        return bool(self.hours.clocks or self.alike)

    def kept(self, variables: tuple[int, ...]) -> tuple[int, ...]:
        """The variables that tell states apart within an hour."""
        return tuple(v for v in variables if v not in self.hours.clocks)

    def widened(self, values: Values | None) -> Values | None:
        """The values that can occur, the same for objects that can stand for one another."""
        if values is None or not self.alike:
            return values
        found = {slot: set(held) for slot, held in values.items()}
        columns = [c for each in self.alike for c in zip(*each.variables, strict=True)]
        changed = True
        while changed:
            changed = False
            for column in columns:
                held = set().union(*(found[variable] for variable in column))
                for variable in column:
                    if found[variable] != held:
                        found[variable], changed = set(held), True
        return found


def merging_of(problem: Problem, cone: Cone, start: State, clocks: bool, symmetry: bool) -> Merging:
    """What can be merged from a start."""
    hours = hours_of(problem.machine, cone, start, waiting) if clocks else None
    hours = hours or ALL_DAY
    alike: tuple[Alike, ...] = ()
    if symmetry:
        alike = problem.alike if cone is problem.cone else alike_of(problem.machine, cone)
    apart = frozenset(hours.clocks)
    return Merging(
        hours, tuple(a for a in alike if not any(apart & set(row) for row in a.variables))
    )


def waiting(machine: Machine, start: State) -> Iterator[State]:
    """The states of a Machine whose first command does nothing, turn by turn."""
    tables = tables_of(batch_tables_of([machine]))
    space, state = scratch(tables), np.array(start, np.int32)
    bounds = number_range(machine, 0)
    while True:
        yield tuple(state.tolist())
        after = np.zeros_like(state)
        if not follow(tables, state, 0, bounds[0] if bounds else 0, after, space):
            return
        state = after
