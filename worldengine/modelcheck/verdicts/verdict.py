"""What a verdict is: whether a world can be won, from every start, and how.

In: what `decide` found out. Out: `Decided` for each variant, a `Verdict` of all; `document` gives
it the contract's form.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.schema import Machine
from worldengine.modelcheck.guessing.discovery import Discovery
from worldengine.modelcheck.verdicts.deadends import DeadEnds
from worldengine.modelcheck.verdicts.reasons import Reason

WINNABLE, UNWINNABLE, UNKNOWN = "winnable", "unwinnable", "unknown"


@dataclass(frozen=True, slots=True)
class Decided:
    """One variant. `states` were seen; `optimal` if no plan can be shorter."""

    variant: int
    status: str
    plan: tuple[str, ...] | None = None
    optimal: bool | None = None
    reason: Reason | None = None
    stopped_by: str | None = None
    states: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All variants; `found` (does it need a guess?) and `ends` (dead ends) where they were
    asked for, see `worldengine.modelcheck.verdicts.examine`."""

    machine: Machine
    variants: tuple[Decided, ...]
    found: Discovery | None = None
    ends: DeadEnds | None = None

    @property
    def worst(self) -> Decided:
        """The variant that says most against the world."""
        order = (UNWINNABLE, UNKNOWN, WINNABLE)
        return min(self.variants, key=lambda each: order.index(each.status))

    @property
    def status(self) -> str:
        return self.worst.status
