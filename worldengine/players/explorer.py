"""The explorer: knows what it has observed, hopes for the rest, learns by being refused.

In: a view, and a companion that keeps its belief (`guidance: belief`). Out: a thought and a
command. What it takes for known beyond its observations is a dial, recorded in every
trajectory; see `docs/explorer.md`.
"""

from __future__ import annotations

from random import Random

from worldengine.players.options import Option
from worldengine.players.protocol import Each, Player, PlayerError, Settings, Start
from worldengine.players.reply import Reply, write
from worldengine.players.thoughts.intention import Companion
from worldengine.players.thoughts.musing import Musing
from worldengine.players.thoughts.rewriting import REWRITE, rewriting
from worldengine.players.view import View

BELIEF = "belief"
OPTIONS: tuple[Option, ...] = (
    Option(
        "rules", "text", "none", "requirements known from the start", ("none", "some", "all")
    ),
    Option("share", "number", 0.5, "with rules=some: how many of them", low=0.0, high=1.0),
    Option("daring", "integer", 3,
           "refusals it learns from before it keeps to known ways", low=0, high=1000),
    Option("mistakes", "yes", True, "makes mistakes of its own, and sets them right"),
    Option("thoughts", "text", "full", "how much it thinks aloud, or in whose words",
           ("none", "brief", "full"), also="rewrite:MODEL"),
)  # fmt: skip


class Explorer:
    """See the module. One instance plays one episode at a time."""

    name = "explorer"
    guidance = BELIEF

    def __init__(self, settings: Settings) -> None:
        self.settings: Settings = dict(settings)
        self._companion: Companion | None = None
        self._musing = Musing(Random(0), "none")

    def begin(self, start: Start) -> None:
        if not isinstance(start.guide, Companion):
            raise PlayerError("the explorer was given no belief to act on")
        self._companion = start.guide
        self._musing = Musing(start.random, str(self.settings["thoughts"]))

    def act(self, view: View) -> Reply:
        assert self._companion is not None
        intention = self._companion.next(view)
        thought = self._musing.about(intention, view)
        return write(thought, intention.command, intention.mark)


def make(argument: str, settings: Settings) -> Player:
    """What `explorer` names."""
    del argument
    thoughts = str(settings["thoughts"])
    if not thoughts.startswith(REWRITE):
        return Each(lambda: Explorer(settings))
    return rewriting(
        Each(lambda: Explorer({**settings, "thoughts": "full"})), thoughts.removeprefix(REWRITE)
    )
