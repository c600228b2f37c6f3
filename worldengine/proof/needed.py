"""What a winning play comes to without the commands that it does not need.

In: a Machine, a variant, a play that wins it. Out: one that wins with fewer commands, none of
them refused; see `elimination`.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.proof.elimination import Game
from worldengine.runtime import runtime_of

STEPS = 20_000
"""States looked at for pairs, a second or two."""

Play = tuple[str, ...]


def needed_of(machine: Machine, variant: int, play: Play) -> Play:
    """The play with no command, and no two, that the rest wins without. ValueError if it does
    not win. Of very long plays not all pairs are tried."""
    runtime = runtime_of(machine)

    def step(state: State, command: str) -> State | None:
        turn = runtime.step(state, command)
        return turn.state if turn.accepted else None

    game = Game(
        machine.start(variant),
        step,
        lambda state: runtime.status(state) == "won",
        lambda state: runtime.status(state) != "running",
        STEPS,
    )
    accepted = game.played(play)
    if accepted is None:
        raise ValueError(f"this play does not win start {variant} of {machine.name}")
    return game.needed(accepted)
