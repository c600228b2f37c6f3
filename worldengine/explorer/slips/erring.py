"""Erring: a wrong command in place of the one that is meant, and what sets it right.

In: what is meant, chance. Out: a kind of mistake and its command. A slip is used only if no form
of the world could mean it; a step too soon only if the imagined world refuses it. Nothing here
looks at what the world is in truth.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

from worldengine.explorer.deciding.hinting import Hint
from worldengine.explorer.deciding.mind import WORLDS
from worldengine.explorer.imagining.replaying import Action
from worldengine.explorer.knowing.meaning import MOST_COMMANDS, meaning_of
from worldengine.explorer.slips.forms import slips
from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.runtime import runtime_of

MISTAKES: tuple[tuple[str, float], ...] = (
    ("name", 0.32),
    ("away", 0.16),
    ("early", 0.13),
    ("preposition", 0.14),
    ("number", 0.12),
    ("part", 0.05),
    ("verb", 0.08),
)
"""Which mistake is drawn, by share: slips by what is wrong with the words (see `slips`), a step
of another place, a step that lacks something. Repetitions come on top, after refusals."""
SURE = frozenset({"name", "preposition", "part", "number"})
"""Slips that can be such as the very command that was meant sets right."""
AGAIN = 0.08
"""The chance that what was just refused is tried once more, as it was."""
PATIENCE = 6
"""Turns for which a kind that was drawn is waited for, where no command allows it."""
OFTEN = 0.1
"""The chance of a mistake at a turn."""
WHOLE = 3
"""Mistakes of one episode at most."""
PAIRS = 2
"""Refusals that are set right of which every play should hold so many."""
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
        nowhere = machine.start(0)

        def taken_for(command: str) -> int:
            refusal = runtime.step(nowhere, command).refusal
            return -1 if refusal is None else refusal.schema

        self.means = meaning_of(machine)
        said = runtime.matcher.canonical
        self.figured: Callable[[Action], bool] = lru_cache(MOST_COMMANDS)(
            lambda action: any(each.isdecimal() for each in said(*action).split())
        )
        """Whether a number is said with an action."""
        self._taken_for: Callable[[str], int] = lru_cache(MOST_COMMANDS)(taken_for)
        self._schemas = tuple(operator.schema for operator in machine.operators)

    def mends(self, wrong: str, operator: int) -> bool:
        """Whether an action sets right words that mean nothing: whoever hears them takes them
        for an action of that kind. Such words are heard alike in every state."""
        return operator >= 0 and self._taken_for(wrong) == self._schemas[operator]


@by_machine(WORLDS)
def tongue_of(machine: Machine) -> Tongue:
    return Tongue(machine)


def drawn(random: Random, but: str = "") -> list[str]:
    """The kinds of mistakes, in an order drawn by their shares; without one of them."""
    left = tuple(each for each in MISTAKES if each[0] != but)
    found: list[str] = []
    while left:
        sums = _sums(left)
        at = bisect(sums, random.random() * sums[-1], 0, len(sums) - 1)
        found.append(left[at][0])
        left = left[:at] + left[at + 1 :]
    return found


@cache
def _sums(left: tuple[tuple[str, float], ...]) -> list[float]:
    """Shares, each with all before it. There are some hundred choices of kinds."""
    return list(accumulate(share for _, share in left))


def mistaken(tongue: Tongue, hint: Hint, random: Random, kind: str, sure: bool) -> Mistake | None:
    """A mistake of a kind, None if this moment allows none. `sure`: only one that is set right
    by the very command that was meant."""
    if kind in ("early", "away"):
        command, action = ("", NO_ACTION) if sure else hint.early(random, kind == "away")
        return Mistake(kind, command, action) if command else None
    if sure and kind not in SURE:
        return None
    for wrong in slips(kind, hint.command, hint.names, random):
        fits = kind == "verb" or tongue.mends(wrong, hint.action[0])
        if fits and not tongue.means(wrong):
            return Mistake("slip", wrong)
    return None
