"""What a proof that does not win tells its author.

In: a Machine and its source. Out: a warning for each proof that wins nowhere, with the command
at which it stops, or one where there is no proof at all.
"""

from __future__ import annotations

import re
from typing import Final

from worldengine.diagnostics import Diagnostic
from worldengine.machine import Machine
from worldengine.proof.played import Replay, replay
from worldengine.source import Source, Span

# The Machine keeps no spans of proofs; they stand in the source in the same order.
_PROOF: Final = re.compile(r"^[ \t]*proof\b", re.MULTILINE)


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
