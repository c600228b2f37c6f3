"""The plans that a script's proofs give: one a variant.

In: a Machine. Out: for each variant the commands that win it, or that no proof does.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine import Machine
from worldengine.machine.given import machine_given
from worldengine.proof.repair import proof_outcome


@dataclass(frozen=True, slots=True)
class Checked:
    """What is known of a world without a search: per variant the plan that wins it."""

    plans: tuple[tuple[str, ...] | None, ...]

    @property
    def won(self) -> int:
        return sum(plan is not None for plan in self.plans)


def winning_plan(machine: Machine, variant: int) -> tuple[str, ...] | None:
    """The commands of the proof that wins `variant` with the fewest changes, each of them
    accepted; see `worldengine.proof.repair`."""
    return proof_outcome(machine, variant).plan


def check(machine: Machine) -> Checked:
    """Every variant of a Machine against the world's proofs; `won` of what comes back is how many
    of them are won. Plays nothing but the proofs and their repairs: `worldengine check` does more.
    TypeError for what is no Machine."""
    machine_given(machine, "check")
    return Checked(
        tuple(winning_plan(machine, variant) for variant in range(len(machine.variants)))
    )
