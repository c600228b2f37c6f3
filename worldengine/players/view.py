"""What a player holds: all that has been shown so far.

A view carries the prompt, the opening, the past turns and the commands of the named command
set; it never carries a state. A player that leans on help from outside says so in
`guidance`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from worldengine.players.reply import Reply, Rewrite
from worldengine.players.shown.trail import Trail


@dataclass(frozen=True, slots=True)
class Choice:
    """A command that may be typed. Where `low <= high` the text has one gap, `{}`, for a
    number of that range; a command without a number has low 1, high 0."""

    text: str
    action: str
    low: int = 1
    high: int = 0

    @property
    def numbered(self) -> bool:
        return self.low <= self.high

    def fill(self, number: int) -> str:
        """The command with that number; the text as it is where none is asked for."""
        if not self.numbered:
            return self.text
        before, _, after = self.text.partition("{}")
        return f"{before}{number}{after}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A command in words: what it is to `do`, which `things` it names, whether it travels."""

    do: str
    things: tuple[str, ...]
    travel: bool


class Shown(NamedTuple):
    """One past turn, as the player was shown it."""

    reply: Reply
    outcome: str
    observation: str

    @property
    def refused(self) -> bool:
        return self.outcome != "ok"


@dataclass(frozen=True)
class View:
    """Everything a player may look at. `choices` is made only when asked for. `phrase` puts
    a command of the player's own into prose; `noun` gives a name its article ("" if it is
    no name), `plural` says whether it is of several, `heading` which name stands over a text,
    with its article: they know how names are printed, and nothing of any state. `retold` gives the
    commands of the set `known` to somebody who was shown other turns instead. `unshown` says
    what is wrong with words of one's own beside texts that were shown ("" if nothing), see
    `worldengine.rollout.honesty`. `slot` is the seat of the episode in a batch; `trail` looks
    back over its turns, whatever they are."""

    prompt: str
    opening: str
    goal: str
    turns: Sequence[Shown]
    turns_left: int
    command_set: str
    choices: Callable[[], tuple[Choice, ...]]
    phrase: Callable[[str], Phrase]
    noun: Callable[[str], str]
    plural: Callable[[str], bool]
    heading: Callable[[str], str]
    retold: Callable[[Sequence[Shown]], tuple[Choice, ...]]
    unshown: Callable[[Sequence[str], str], Rewrite]
    slot: int = 0
    trail: Trail = field(default_factory=Trail, compare=False, repr=False)

    def later(self, turns: Sequence[Shown], turns_left: int, slot: int) -> View:
        """The same view some turns later. Views are made every turn, so this goes around
        `dataclasses.replace`, which takes five times as long."""
        found = object.__new__(View)
        own = found.__dict__
        own.update(self.__dict__)
        own["turns"], own["turns_left"], own["slot"] = turns, turns_left, slot
        return found

    @property
    def last(self) -> str:
        """What was shown last."""
        return self.turns[-1].observation if self.turns else self.opening
