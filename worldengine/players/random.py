"""The random player: uniform over the actions of its command set, then over their commands.

In: a view. Out: a command without a thought. Actions first, so that one action with many
objects or a wide number range does not drown the others.
"""

from __future__ import annotations

from random import Random

from worldengine.players.options import Option
from worldengine.players.protocol import Each, Player, Settings, Start
from worldengine.players.reply import Reply, write
from worldengine.players.view import Choice, View

OPTIONS: tuple[Option, ...] = ()


def pick(random: Random, choices: tuple[Choice, ...]) -> str:
    """One command: an action, one of its commands, a number if it wants one."""
    actions = sorted({choice.action for choice in choices})
    action = random.choice(actions)
    choice = random.choice([choice for choice in choices if choice.action == action])
    if choice.numbered:
        return choice.fill(random.randint(choice.low, choice.high))
    return choice.text


class RandomPlayer:
    """Plays without thought. With an empty command set it looks around."""

    name = "random"
    guidance = ""

    def __init__(self) -> None:
        self.settings: Settings = {}
        self._random = Random(0)

    def begin(self, start: Start) -> None:
        self._random = start.random

    def act(self, view: View) -> Reply:
        choices = view.choices()
        return write("", pick(self._random, choices) if choices else "look")


def make(argument: str, settings: Settings) -> Player:
    """What `random` names."""
    del argument, settings
    return Each(RandomPlayer)
