"""Play in which refusals say nothing: what an uninformative world would be like.

In: a player. Out: the same player, shown "Nothing happens." wherever the world refused a
command, and named so in its settings, which stand in every trajectory. What is recorded is
the Machine's own answer: the run verifies as every run does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from worldengine.players.protocol import Player, PlayerError, Retrying, Settings, Start
from worldengine.players.reply import Reply
from worldengine.players.view import View

NOTHING = "Nothing happens."


class Silenced:
    """See the module."""

    def __init__(self, inner: Player) -> None:
        if isinstance(inner, Retrying):
            raise PlayerError(f"{inner.name} plays again, and lessons would tell what was silenced")
        self._inner = inner
        self.name, self.guidance, self.width = inner.name, inner.guidance, inner.width
        self.settings: Settings = {**inner.settings, "refusals": "silent"}

    def reset(self, starts: Sequence[Start]) -> None:
        self._inner.reset([replace(start, view=_silent(start.view)) for start in starts])

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        return self._inner.act([_silent(view) for view in views])


def _silent(view: View) -> View:
    turns = tuple(
        turn._replace(observation=NOTHING) if turn.refused else turn for turn in view.turns
    )
    if view.command_set != "known":
        return replace(view, turns=turns)
    return replace(view, turns=turns, choices=partial(view.retold, turns))
