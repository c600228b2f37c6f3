"""Proofs: the winning plays that a script brings along, replayed.

In: a Machine. Out: for each variant the commands that win it, or how far they got. A proof
that stops fitting in a variant is repaired in the one way that cannot mislead: commands
that are refused there are dropped. There is no search here; what no proof wins is unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from worldengine.diagnostics import Diagnostic
from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.runtime import runtime_of
from worldengine.source import Source, Span

# The Machine keeps no spans of proofs; they stand in the source in the same order.
_PROOF: Final = re.compile(r"^[ \t]*proof\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Replay:
    """A proof played in one variant. `dropped` are the commands that were refused."""

    proof: int
    variant: int
    commands: tuple[str, ...]
    dropped: tuple[str, ...]
    status: str
    first_refusal: str

    @property
    def won(self) -> bool:
        return self.status == "won"


@dataclass(frozen=True, slots=True)
class Checked:
    """What is known of a world without a search: per variant the plan that wins it."""

    plans: tuple[tuple[str, ...] | None, ...]

    @property
    def won(self) -> int:
        return sum(plan is not None for plan in self.plans)


def replay(machine: Machine, proof: int, variant: int) -> Replay:
    """Plays proof number `proof` in `variant`, within the world's turns."""
    runtime = runtime_of(machine)
    state, status = machine.start(variant), "running"
    kept: list[str] = []
    dropped: list[str] = []
    refusal = ""
    for command in machine.proofs[proof]:
        if status != "running" or len(kept) >= machine.turns:
            break
        transition = runtime.step(state, command)
        if transition.refusal is not None:
            dropped.append(command)
            refusal = refusal or f"{command}: {transition.observation}"
            continue
        kept.append(command)
        state, status = transition.state, transition.status
    return Replay(proof, variant, tuple(kept), tuple(dropped), status, refusal)


@by_machine(8192)
def winning_plan(machine: Machine, variant: int) -> tuple[str, ...] | None:
    """The commands of the first proof that wins `variant`, each of them accepted."""
    for proof in range(len(machine.proofs)):
        played = replay(machine, proof, variant)
        if played.won:
            return played.commands
    return None


def check(machine: Machine) -> Checked:
    """Every variant against the world's proofs."""
    return Checked(
        tuple(winning_plan(machine, variant) for variant in range(len(machine.variants)))
    )


def summary(machine: Machine) -> dict[str, int]:
    """How far the proofs go, for reports."""
    return {
        "proofs": len(machine.proofs),
        "variants": len(machine.variants),
        "won": check(machine).won,
    }


def complaint(machine: Machine, source: Source) -> list[Diagnostic]:
    """A warning for each proof that wins no variant, with where it stops."""
    starts = [match.start() for match in _PROOF.finditer(source.text)]
    found: list[Diagnostic] = []
    for proof in range(len(machine.proofs)):
        played = [replay(machine, proof, variant) for variant in range(len(machine.variants))]
        if any(each.won for each in played):
            continue
        start = starts[proof] if proof < len(starts) else 0
        first = played[0]
        why = f"refused there: {first.first_refusal}" if first.first_refusal else "nothing refused"
        found.append(
            Diagnostic(
                "proof-does-not-win",
                "warning",
                f"this proof wins from no start ({first.status} at its end; {why})",
                Span(source, start, start + len("proof")),
                "play it with `worldengine play --script` to see where it goes wrong",
            )
        )
    return found
