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
    """A proof played in one variant. `dropped` are the commands that were refused, the first
    of them number `refused` (0: none); it ended with command number `ended`, answered by
    `last`."""

    proof: int
    variant: int
    commands: tuple[str, ...]
    dropped: tuple[str, ...]
    status: str
    first_refusal: str
    refused: int = 0
    ended: int = 0
    last: str = ""

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
    refusal, refused, ended, last = "", 0, 0, ""
    for number, command in enumerate(machine.proofs[proof], start=1):
        if status != "running" or len(kept) >= machine.turns:
            break
        transition = runtime.step(state, command)
        if transition.refusal is not None:
            dropped.append(command)
            if not refused:
                refusal, refused = f"{command}: {transition.observation}", number
            continue
        kept.append(command)
        ended, last = number, transition.observation
        state, status = transition.state, transition.status
    return Replay(
        proof, variant, tuple(kept), tuple(dropped), status, refusal, refused, ended, last
    )


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


def complaint(machine: Machine, source: Source) -> list[Diagnostic]:
    """A warning where there is no proof, and for each that wins no variant: where it stops."""
    if not machine.proofs:
        return [_none(machine, source)]
    starts = [match.start() for match in _PROOF.finditer(source.text)]
    found: list[Diagnostic] = []
    for proof in range(len(machine.proofs)):
        played = [replay(machine, proof, variant) for variant in range(len(machine.variants))]
        if any(each.won for each in played):
            continue
        start = starts[proof] if proof < len(starts) else 0
        span = Span(source, start, start + len("proof"))
        found.append(_stops(played[0], machine.proofs[proof], proof, span))
    return found


def _none(machine: Machine, source: Source) -> Diagnostic:
    return Diagnostic(
        "proof-none",
        "warning",
        "this world has no proof: nothing shows yet that it can be won",
        Span(source, 0, min(len("world"), len(source.text))),
        f'add a winning play, as in `proof "look", …`, to {machine.name}',
    )


def _stops(first: Replay, commands: tuple[str, ...], proof: int, span: Span) -> Diagnostic:
    """Where a proof that wins nowhere ends, or is refused first."""
    hint = f"`worldengine play --proof {proof + 1}` shows it"
    total = len(commands)
    if first.status == "lost":
        where = f"ended at command {first.ended} of {total}: '{commands[first.ended - 1]}'"
        return Diagnostic("proof-loses", "warning", f"this proof loses: {where}", span, hint)
    if first.refused:
        why = f"command {first.refused} of {total} is refused: {first.first_refusal}"
    else:
        why = f"nothing is refused, and after command {first.ended} of {total} nothing is won"
    return Diagnostic(
        "proof-does-not-win", "warning", f"this proof wins from no start: {why}", span, hint
    )
