"""The expert: follows a plan that wins, step by step, and says nothing else.

In: the plan, as commands (its record says `guidance: plan`). Out: its commands. What it
plays shows the shortest known way; it errs never and so teaches no recovery.
"""

from __future__ import annotations

from worldengine.players.options import Option
from worldengine.players.protocol import Each, Player, PlayerError, Settings, Start
from worldengine.players.reply import Reply, write
from worldengine.players.view import View

PLAN = "plan"
OPTIONS: tuple[Option, ...] = ()


class Expert:
    """See the module."""

    name = "expert"
    guidance = PLAN

    def __init__(self) -> None:
        self.settings: Settings = {}
        self._plan: tuple[str, ...] = ()

    def begin(self, start: Start) -> None:
        self._plan = start.guide if isinstance(start.guide, tuple) else ()

    def act(self, view: View) -> Reply:
        turn = len(view.turns)
        if turn >= len(self._plan):
            raise PlayerError("the expert has no plan that wins here")
        return write("", self._plan[turn])


def make(argument: str, settings: Settings) -> Player:
    """What `expert` names."""
    del argument, settings
    return Each(Expert)
