"""Refinements: a refused turn, and the turn that set it right.

In: the turns of an episode as they happen. Out: pairs (refused, recovered). A refusal is
recovered by the first later accepted turn after which the requirement that failed holds;
a `parameter` refusal also by the first later accepted turn of the same action. Nothing is
guessed: `runtime.holds` evaluates the very requirement (or scope) that refused.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.machine.schema import PARAMETER
from worldengine.rollout.charts import Standing
from worldengine.runtime.types import Refusal, Transition


class Watch:
    """Keeps the refusals that nothing has set right yet."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._pending: list[tuple[int, Refusal]] = []
        self._found: list[tuple[int, int]] = []

    def see(self, index: int, transition: Transition, after: Standing) -> None:
        """Turn `index` gave `transition` and led to `after`."""
        if transition.refusal is not None:
            self._pending.append((index, transition.refusal))
            return
        if not self._pending:
            return
        schema = self._machine.operators[transition.operator].schema
        still: list[tuple[int, Refusal]] = []
        for refused, refusal in self._pending:
            if _mended(refusal, schema, after):
                self._found.append((refused, index))
            else:
                still.append((refused, refusal))
        self._pending = still

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Refused and recovered turns, by the refused one."""
        return sorted(self._found)


def _mended(refusal: Refusal, schema: int, after: Standing) -> bool:
    if refusal.refusal == PARAMETER and refusal.schema == schema:
        return True
    evaluable = refusal.operator >= 0 or refusal.scope is not None
    return evaluable and after.holds(refusal)
