"""A Machine prepared for searching: worked out once, used for every variant.

In: a Machine. Out: `Problem`: tables, the relaxed world, the clauses that help towards a win,
the actions worth trying. Where the relaxation gives up (`TooWide`) it is None and only plain
exploration is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from worldengine.batch.tables.tables import Tables as BatchTables
from worldengine.batch.tables.tables import tables_of as batch_tables_of
from worldengine.machine.schema import WON, Machine
from worldengine.modelcheck.compiled.tables import Tables, tables_of
from worldengine.modelcheck.programs.quiet import quiet_machine
from worldengine.modelcheck.programs.values import TooWide
from worldengine.modelcheck.reductions.cone import Cone, cone_of
from worldengine.modelcheck.reductions.symmetry import Alike, alike_of
from worldengine.modelcheck.relaxation.abstract import reach
from worldengine.modelcheck.relaxation.actions import Actions, every_action, helpful_actions
from worldengine.modelcheck.relaxation.horn import Horn, horn_of
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.relaxation.relaxed import Relaxed, relaxed_of


@dataclass(frozen=True)
class Problem:
    """See the module; parts are made when first asked for."""

    machine: Machine

    @cached_property
    def tables(self) -> Tables:
        return tables_of(self.lanes)

    @cached_property
    def lanes(self) -> BatchTables:
        """The Machine without its words, for states side by side."""
        return batch_tables_of([quiet_machine(self.machine)])

    @cached_property
    def reach(self) -> Reach | None:
        """The values possible from any start."""
        starts = [self.machine.start(variant) for variant in range(len(self.machine.variants))]
        try:
            return reach(self.machine, starts)
        except TooWide:
            return None

    @cached_property
    def horn(self) -> Horn | None:
        return None if self.reach is None else horn_of(self.reach)

    @cached_property
    def relaxed(self) -> Relaxed | None:
        """The clauses towards a win; None if they are unknown or a win never follows."""
        horn = self.horn
        if horn is None or WON not in horn.reach.values[self.machine.status]:
            return None
        try:
            return relaxed_of(horn)
        except TooWide:
            return None

    @cached_property
    def everything(self) -> Actions:
        return every_action(self.machine)

    @cached_property
    def helpful(self) -> Actions:
        """Everything where the relaxation does not know."""
        return (
            self.everything if self.relaxed is None else helpful_actions(self.machine, self.relaxed)
        )

    @cached_property
    def cone(self) -> Cone:
        """What has a say in winning and losing."""
        return cone_of(self.machine)

    @cached_property
    def alike(self) -> tuple[Alike, ...]:
        """The objects that can stand for one another, as far as the cone tells."""
        return alike_of(self.machine, self.cone)

    @cached_property
    def telling(self) -> Actions:
        """What helps towards a win, and what has a say in losing: a veil against stings."""
        if self.relaxed is None:
            return self.everything
        return helpful_actions(self.machine, self.relaxed, self.cone.operators)

    @property
    def surely_unwinnable(self) -> bool:
        """Whether even the relaxed world cannot be won, from any start."""
        reached = self.reach
        return reached is not None and WON not in reached.values[self.machine.status]
