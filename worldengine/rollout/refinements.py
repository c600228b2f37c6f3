"""Refinements: a refused turn, and the turn that set it right.

In: the turns of an episode as they happen. Out: pairs (refused, recovered). A refusal is
recovered by the first later accepted turn after which the requirement that failed holds;
a `parameter` refusal also by the first later accepted turn of the same action. Nothing is
guessed: `runtime.holds` evaluates the very requirement (or scope) that refused.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.machine.schema import PARAMETER, State
from worldengine.rollout.trajectory import Refinement
from worldengine.rollout.turns import holds
from worldengine.runtime.types import Refusal, Transition


class Watch:
    """Keeps the refusals that nothing has set right yet."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._pending: list[tuple[int, Refusal]] = []
        self._found: list[Refinement] = []

    def see(self, index: int, transition: Transition) -> None:
        """Turn `index` gave `transition`."""
        if transition.refusal is not None:
            self._pending.append((index, transition.refusal))
            return
        if not self._pending:
            return
        schema = self._machine.operators[transition.operator].schema
        still: list[tuple[int, Refusal]] = []
        for refused, refusal in self._pending:
            if self._mended(refusal, schema, transition.state):
                self._found.append(Refinement(refused=refused, recovered=index))
            else:
                still.append((refused, refusal))
        self._pending = still

    def _mended(self, refusal: Refusal, schema: int, state: State) -> bool:
        if refusal.refusal == PARAMETER and refusal.schema == schema:
            return True
        evaluable = refusal.operator >= 0 or refusal.scope is not None
        return evaluable and holds(self._machine, state, refusal)

    @property
    def refinements(self) -> tuple[Refinement, ...]:
        """By the refused turn."""
        return tuple(sorted(self._found, key=lambda pair: pair.refused))
