"""Erring: a wrong command in place of the one that is meant, and what sets it right.

In: what is meant, chance. Out: a kind of mistake and its command. A slip is used only if no form
of the world could mean it; a step too soon only if the imagined world refuses it. Nothing here
looks at what the world is in truth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import NamedTuple

from worldengine.explorer.hinting import Hint
from worldengine.explorer.mind import WORLDS
from worldengine.explorer.replaying import Action
from worldengine.explorer.slips import slips
from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.players.chance import weighed
from worldengine.runtime import runtime_of

MISTAKES: tuple[tuple[str, float], ...] = (("slip", 0.6), ("early", 0.4))
"""Which mistake is tried first, by share. Acting at the wrong place is an early step whose
refusal is about the place."""
AGAIN = 0.05
"""The chance that what was just refused is tried once more, as it was."""
OFTEN = 0.1
"""The chance of a mistake at a turn."""
WHOLE = 3
"""Mistakes of one episode at most."""
PAIRS = 2
"""Refusals that are set right of which every play should hold so many."""
NEAR = 0.75
"""The share of wrong words that keep the verb, where there are such words."""
MOST_COMMANDS = 16_384
"""Commands of which it is kept whether they could mean anything."""
NO_ACTION: Action = (-1, 0)


class Mistake(NamedTuple):
    """`action` is what a step too soon is, none of others."""

    kind: str
    command: str
    action: Action = NO_ACTION


class Tongue:
    """What words mean in a world, whatever its state; each asked once."""

    def __init__(self, machine: Machine) -> None:
        runtime = runtime_of(machine)
        readings = runtime.matcher.readings
        nowhere = machine.start(0)

        def taken_for(command: str) -> int:
            refusal = runtime.step(nowhere, command).refusal
            return -1 if refusal is None else refusal.schema

        self.means: Callable[[str], bool] = lru_cache(MOST_COMMANDS)(
            lambda command: bool(readings(command))
        )
        self._taken_for: Callable[[str], int] = lru_cache(MOST_COMMANDS)(taken_for)
        self._schemas = tuple(operator.schema for operator in machine.operators)

    def mends(self, wrong: str, operator: int) -> bool:
        """Whether an action sets right words that mean nothing: whoever hears them takes them
        for an action of that kind. Such words are heard alike in every state."""
        return operator >= 0 and self._taken_for(wrong) == self._schemas[operator]


@by_machine(WORLDS)
def tongue_of(machine: Machine) -> Tongue:
    return Tongue(machine)


def mistaken(tongue: Tongue, hint: Hint, random: Random, sure: bool) -> Mistake | None:
    """A mistake, None if there is none to be made. `sure`: only one that is set right by the
    very command that was meant."""
    kinds = list(MISTAKES)
    while kinds:
        at = weighed(random.random, [weight for _, weight in kinds])
        kind, _ = kinds.pop(at)
        if kind == "slip":
            command = _slip(tongue, hint, random, sure)
            if command:
                return Mistake(kind, command)
        elif not sure:
            command, action = hint.early(random)
            if command:
                return Mistake(kind, command, action)
    return None


def _slip(tongue: Tongue, hint: Hint, random: Random, sure: bool) -> str:
    near = sure or random.random() < NEAR
    far = ""
    for wrong in slips(hint.command, hint.names, random):
        if tongue.means(wrong):
            continue
        kept = wrong.partition(" ")[0] == hint.verb
        if not near or (kept and (not sure or tongue.mends(wrong, hint.action[0]))):
            return wrong
        far = far or wrong
    return "" if sure else far
