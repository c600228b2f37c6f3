"""Where the player is. In: a Machine and a state. Out: the index of a place."""

from __future__ import annotations

from worldengine.machine import Machine, State


def position(machine: Machine, state: State) -> int:
    """The place of the player, -1 if nowhere."""
    player = machine.objects[machine.player]
    where = state[player.location] if player.location >= 0 else player.fixed
    # A player may sit in a vehicle: the place is where that stands.
    for _ in machine.objects:
        if where < 0 or machine.objects[where].role == "place":
            return where
        subject = machine.objects[where]
        where = state[subject.location] if subject.location >= 0 else subject.fixed
    return -1
