"""The explorer: acts on what it has been shown, errs as people do, and recovers.

In: a view, and an itinerary when there is a proof to lean on (its record then says
`guidance: proof`). Out: a thought and a command. Thoughts are made from shown text only:
the goal, the last observation, the words of a refusal. Without an itinerary it tries the
commands it knows of, new ones first, and does not repeat what was refused until something
has changed.
"""

from __future__ import annotations

from random import Random

from worldengine.players.intention import MISTAKES
from worldengine.players.options import Option
from worldengine.players.protocol import Each, Player, Settings, Start
from worldengine.players.random import pick
from worldengine.players.reply import Reply, write
from worldengine.players.thoughts import Thoughts
from worldengine.players.view import Itinerary, Leg, View

OPTIONS: tuple[Option, ...] = ()


class Explorer:
    """See the module. One instance plays one episode at a time."""

    name = "explorer"
    guidance = "proof"

    def __init__(self) -> None:
        self.settings: Settings = {}
        self._random = Random(0)
        self._itinerary: Itinerary = ()
        self._thoughts = Thoughts(self._random)
        self._tried: set[str] = set()
        self._refused: set[str] = set()

    def begin(self, start: Start) -> None:
        self._random = start.random
        self._itinerary = start.guide if isinstance(start.guide, tuple) else ()
        self._thoughts = Thoughts(start.random)
        self._tried = set()
        self._refused = set()

    def act(self, view: View) -> Reply:
        turn = len(view.turns)
        if turn < len(self._itinerary):
            leg = self._itinerary[turn]
            thought = self._thoughts.about(leg, self._itinerary, view)
            return write(thought, leg.command, MISTAKES.get(leg.purpose, ""))
        return self._explore(view)

    def _explore(self, view: View) -> Reply:
        if view.turns:
            last = view.turns[-1]
            if last.refused:
                self._refused.add(last.reply.command)
            else:
                self._refused.clear()
        choices = view.choices()
        fresh = tuple(c for c in choices if c.numbered or c.text not in self._tried)
        open_ = tuple(c for c in choices if c.numbered or c.text not in self._refused)
        command = pick(self._random, fresh or open_ or choices) if choices else "look"
        self._tried.add(command)
        leg = Leg(command, "try")
        return write(self._thoughts.about(leg, (), view), command)


def make(argument: str, settings: Settings) -> Player:
    """What `explorer` names."""
    del argument, settings
    return Each(Explorer)
