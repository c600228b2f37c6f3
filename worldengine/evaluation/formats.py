"""How players are asked to reply: with a thought (ReAct), or with the action alone (act-only).

In: a player, the name of a format. Out: the same player, told so at the end of its prompt and
named so in its settings, which stand in every trajectory. Refused: formats nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worldengine.machine import Machine
from worldengine.players.protocol import Ending, Player, Retrying, Settings, Start
from worldengine.players.reply import Reply
from worldengine.players.view import View
from worldengine.rollout.episode import prompt_of
from worldengine.runtime.prompt import REPLIES

REACT, ACTION = "react", "action"


def formatted(player: Player, form: str) -> Player:
    """The player as it is asked in a format; itself in the format of all prompts."""
    if form == REACT:
        return player
    return _RetryingAsked(player, form) if isinstance(player, Retrying) else _Asked(player, form)


def prompt(machine: Machine, form: str) -> str:
    """The prompt of a world in a format, word for word."""
    return _told(prompt_of(machine, 0), form)


def _told(text: str, form: str) -> str:
    return text.replace(REPLIES[REACT], REPLIES[form])


class _Asked:
    """See `formatted`."""

    def __init__(self, inner: Player, form: str) -> None:
        self._inner, self._form = inner, form
        self.name, self.guidance, self.width = inner.name, inner.guidance, inner.width
        self.settings: Settings = {**inner.settings, "format": form}

    def reset(self, starts: Sequence[Start]) -> None:
        self._inner.reset([replace(start, view=self._view(start.view)) for start in starts])

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        return self._inner.act([self._view(view) for view in views])

    def _view(self, view: View) -> View:
        return replace(view, prompt=_told(view.prompt, self._form))


class _RetryingAsked(_Asked):
    """The same for a player that plays again."""

    def again(self, endings: Sequence[Ending]) -> Sequence[str | None]:
        assert isinstance(self._inner, Retrying)
        return self._inner.again(
            [replace(ending, view=self._view(ending.view)) for ending in endings]
        )
