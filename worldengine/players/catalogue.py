"""Players by name: what `--player` takes.

In: a name as typed. Out: a fresh player. Refused, with a sentence: names nobody knows, and
players that are planned and not there yet.
"""

from __future__ import annotations

from collections.abc import Callable

from worldengine.players.explorer import Explorer
from worldengine.players.protocol import Each, Player, Solo
from worldengine.players.random import RandomPlayer

DEFAULT = "explorer"

_PLAYERS: dict[str, Callable[[], Solo]] = {
    "random": RandomPlayer,
    "explorer": Explorer,
}
_PLANNED = ("expert", "human", "hf", "openai", "dm")


class UnknownPlayer(ValueError):
    """No such player, or not yet; the message is for people."""


def names() -> tuple[str, ...]:
    return tuple(_PLAYERS)


def make(name: str) -> Player:
    """A fresh player called `name`."""
    if name in _PLAYERS:
        return Each(_PLAYERS[name])
    there = ", ".join(_PLAYERS)
    if name.partition(":")[0] in _PLANNED:
        raise UnknownPlayer(f"the player {name!r} is planned and not there yet; there are: {there}")
    raise UnknownPlayer(f"there is no player {name!r}; there are: {there}")
