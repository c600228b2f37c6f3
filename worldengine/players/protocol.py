"""The one protocol of players: whole batches of episodes, each in a slot of its own.

In: `reset` with the episodes that begin, `act` with the views of all that go on. Out: one
reply a view, in the same order. What a player says in an episode may depend on that
episode's views and generator alone, never on who shares the batch: so runs are equal bytes
whatever their width. A slot is used again once its episode is over; `reset` then replaces
what the player kept for it, which bounds what a player holds.

A player for one episode at a time (`Solo`) is easier to write; `Each` seats one in every
slot. A player that wants to play an episode again after it ended has `again`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias, runtime_checkable

from worldengine.players.reply import Reply
from worldengine.players.view import View

Setting: TypeAlias = str | int | float | bool | None
Settings: TypeAlias = Mapping[str, Setting]


class PlayerError(ValueError):
    """A player cannot go on; the message is for people. The run so far stays whole."""


@dataclass(frozen=True, slots=True)
class Start:
    """An episode that begins in slot `view.slot`. All chance comes from `random`. `guide` is
    the help from outside that the player's `guidance` names, None where there is none;
    `attempt` counts from 0 how often this very episode was played before; `world` is the hash
    of the world, for a player that was handed something of worlds before."""

    view: View
    random: Random
    guide: object = None
    attempt: int = 0
    world: str = ""

    @property
    def slot(self) -> int:
        return self.view.slot


@dataclass(frozen=True, slots=True)
class Ending:
    """An attempt that is over: how it ended (won, lost, truncated), its progress in 0..1."""

    view: View
    status: str
    progress: float
    attempt: int

    @property
    def slot(self) -> int:
        return self.view.slot


class Player(Protocol):
    """`name`, `settings` and `guidance` go into the record: who plays, how it is set, which
    help from outside it leans on ("" for none). `width` is how many episodes at once suit it;
    the runner may seat fewer or more."""

    name: str
    guidance: str
    settings: Settings
    width: int

    def reset(self, starts: Sequence[Start]) -> None:
        """These episodes begin; whatever was kept for their slots is over."""

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        """One reply for each view, in order. None is for a reply that is still under way: the
        view comes again with the next call. A call waits until it has one reply at least."""


@runtime_checkable
class Retrying(Protocol):
    """A player that may play an episode again. Of all attempts the best one is recorded:
    a won one, else the one with most progress, else the shortest; the first of equals."""

    def again(self, endings: Sequence[Ending]) -> Sequence[str | None]:
        """For each attempt that is over: the lesson that goes into its record ("" is none) if
        the episode is to begin once more, None if that was the last attempt."""


@runtime_checkable
class Scripted(Protocol):
    """A player that is handed the scripts of the worlds: a model in the Dungeon Master's
    chair reads them."""

    def hand(self, scripts: Mapping[str, str]) -> None:
        """The scripts by the hashes of their worlds, before anything is played."""


class Solo(Protocol):
    """One episode at a time: `begin` once, `act` every turn."""

    name: str
    guidance: str
    settings: Settings

    def begin(self, start: Start) -> None: ...

    def act(self, view: View) -> Reply: ...


class Each:
    """A `Player` that seats a `Solo` of its own in every slot."""

    width = 1

    def __init__(self, make: Callable[[], Solo]) -> None:
        self._make = make
        self._seats: dict[int, Solo] = {}
        sample = make()
        self.name: str = sample.name
        self.guidance = sample.guidance
        self.settings: Settings = dict(sample.settings)

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:
            solo = self._seats.get(start.slot)
            if solo is None:
                solo = self._seats[start.slot] = self._make()
            solo.begin(start)

    def act(self, views: Sequence[View]) -> Sequence[Reply]:
        return [self._seats[view.slot].act(view) for view in views]

    def solo(self, slot: int) -> Solo:
        """Who sits in a slot; KeyError where no episode has begun."""
        return self._seats[slot]
