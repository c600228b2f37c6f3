"""A conversation: what was shown and said in turn, and which replies are learnt.

In: a trajectory and a mask. Out: its turns as exchanges. The prompt is the system message;
opening and observations are what the user says; replies are the assistant's.

A conversation ends with its last trained reply, and what the world answered to the last turn
of all is its `ending`: nothing after the last trained token has any part in the loss,
Axolotl warns of a last message that is not trained, and loaders that want pairs of user and
assistant drop a row with one message too many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from worldengine.players.reply import Mistake
from worldengine.rollout.trajectory import Trajectory
from worldengine.tuning.masks import Mask, kind_of


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn: what was shown before it, and the reply. `kind` is the error it is ("" for
    none), `mends` are the refused turns that it sets right; both by the turn's index in the
    trajectory, as `turn` is."""

    turn: int
    shown: str
    reply: str
    kind: str
    mends: tuple[int, ...]
    train: bool
    mistake: Mistake = ""
    """Which mistake its player meant it to be, "" for none."""

    ids: tuple[int, ...] = ()
    context: str = ""
    """The tokens that a model wrote, and the name of those it had read, where on record."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A trajectory as a trainer sees it. `ending` is what was answered to its last turn."""

    trajectory: Trajectory
    exchanges: tuple[Exchange, ...]
    ending: str

    @property
    def trained_turns(self) -> int:
        return sum(each.train for each in self.exchanges)

    @property
    def masked_turns(self) -> int:
        return len(self.exchanges) - self.trained_turns

    def until_trained(self) -> Conversation:
        """The same without the exchanges after the last trained one."""
        last = max((at for at, each in enumerate(self.exchanges) if each.train), default=-1)
        return replace(self, exchanges=self.exchanges[: last + 1])

    def messages(self) -> list[dict[str, Any]]:
        """Role, content and mask of every message; see `message`."""
        found = [message("system", self.trajectory.prompt, False)]
        for each in self.exchanges:
            found.append(message("user", each.shown, False))
            found.append(message("assistant", each.reply, each.train))
        return found


def conversation(
    trajectory: Trajectory, mask: Mask, harmful: frozenset[int] = frozenset()
) -> Conversation:
    """A trajectory with the replies that `mask` leaves to be learnt; may have none. `harmful`
    are the turns that `harm` found."""
    mends: dict[int, tuple[int, ...]] = {}
    for pair in trajectory.refinements:
        mends[pair.recovered] = (*mends.get(pair.recovered, ()), pair.refused)
    exchanges = []
    shown = trajectory.opening
    for turn in trajectory.turns:
        exchanges.append(
            Exchange(
                turn=turn.index,
                shown=shown,
                reply=turn.reply,
                kind=kind_of(turn, turn.index in harmful),
                mends=mends.get(turn.index, ()),
                train=mask.trains(turn, turn.index in harmful),
                mistake=turn.mistake,
                ids=turn.notes.ids if turn.notes is not None else (),
                context=turn.notes.context if turn.notes is not None else "",
            )
        )
        shown = turn.observation
    return Conversation(trajectory, tuple(exchanges), shown)


def message(role: str, content: str, train: bool) -> dict[str, Any]:
    """One message. All three names of the mask stand on every one, user messages too: table
    formats unify keys, and a missing one would come back as null, which some trainers take
    for true."""
    return {"role": role, "content": content, "train": train, "loss": train, "trainable": train}


def origin(trajectory: Trajectory) -> dict[str, Any]:
    """Where a row comes from: the first fields of every format that may have fields."""
    return {
        "id": trajectory.id,
        "world": trajectory.world,
        "machine_hash": trajectory.machine_hash,
        "variant": trajectory.variant,
        "seed": trajectory.seed,
        "episode": trajectory.episode,
    }
