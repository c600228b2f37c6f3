"""Starts that no proof wins: a script owes each of its starts one.

In: a Machine. Out: the starts that none of its proofs wins as it stands, what is refused left
out; and such a list in words. Nothing is repaired or searched here: who plays by proofs (the
explorer) has them as they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from worldengine.machine import Machine
from worldengine.proof.played import replay

NAMED = 8
"""Starts that a sentence names."""


def unproven(machine: Machine, starts: Iterable[int] | None = None) -> tuple[int, ...]:
    """Those of `starts` (all, where none are given) that no proof wins, in the order given."""
    asked = range(len(machine.variants)) if starts is None else starts
    proofs = range(len(machine.proofs))
    return tuple(
        start for start in asked if not any(replay(machine, proof, start).won for proof in proofs)
    )


def named(starts: Sequence[int]) -> str:
    """`start 1`, `starts 0, 2`; of many the first few."""
    word = "start" if len(starts) == 1 else "starts"
    shown = ", ".join(map(str, starts[:NAMED])) + (", …" if len(starts) > NAMED else "")
    return f"{word} {shown}"
