"""The tutor: an itinerary for a player that leans on a world's proof.

In: a Machine, a variant, a generator. Out: commands in order, each with its purpose: the
plan's own steps, looks around, and natural mistakes. A mistake is something a player who
knows only what was shown might well try: a later step too soon, a step on a thing that is
elsewhere, a wrong word for the right action. Every mistake is refused where it stands (so
it costs a turn and changes nothing) and set right later. Looks are accepted commands and
move the world's clock: one is kept only if the plan still wins after it.

The tutor sees states; the player it writes for does not, and gets words alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from worldengine.machine import Machine
from worldengine.machine.schema import LOGIC, PARAMETER, PLACE, State
from worldengine.memo import by_machine
from worldengine.players.view import Itinerary, Leg
from worldengine.proof import winning_plan
from worldengine.rollout.slips import slips
from worldengine.runtime import runtime_of
from worldengine.runtime.knowledge import Knowledge, begin
from worldengine.runtime.prompt import prompt
from worldengine.runtime.types import Transition

PROOF = "proof"
"""The guidance of players that are handed an itinerary."""

MISTAKES = (2, 2, 3, 3, 3, 4)
LOOKS = (0, 1, 1, 2, 2, 3)
TRIES = 40


@dataclass(frozen=True, slots=True)
class Point:
    """Before an accepted command: the state, what has been shown, and the command."""

    state: State
    knowledge: Knowledge
    command: str
    purpose: str
    transition: Transition


@by_machine(50_000)
def _step(machine: Machine, state: State, command: str) -> Transition:
    return runtime_of(machine).step(state, command)


def names_shown(machine: Machine, knowledge: Knowledge, transition: Transition) -> bool:
    """Whether everything a command names has been shown to the player."""
    raise NotImplementedError
