"""One proof played in one variant, what is refused left out.

In: a Machine, the number of a proof, a variant. Out: a `Replay`. Every command is played in
the interpreter.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine import Machine
from worldengine.runtime import runtime_of


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
