"""What can occur at all, as it is found out: the value that `abstract` makes.

In: nothing. Out: `Reach`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from worldengine.machine.schema import Machine
from worldengine.modelcheck.programs.units import Unit
from worldengine.modelcheck.programs.values import Env


@dataclass(slots=True)
class Reach:
    """`values[slot]` for variables and derived variables; `points[unit][step]` the knowledge
    at each point that can be got to, None where it cannot."""

    machine: Machine
    units: tuple[Unit, ...]
    values: dict[int, set[int]]
    points: list[list[Env | None]] = field(default_factory=list)

    def possible(self, slot: int, env: Env) -> Collection[int]:
        """The values a slot may have at a point."""
        known = env.get(slot)
        if known is not None:
            return known
        count = len(self.machine.variables)
        return self.values.get(slot - count if count <= slot < 2 * count else slot, ())
