"""What a Dungeon Master answers to a command, as it is kept.

In: what was read from a model's answer. Out: a `Ruling`. It stands here, below players and
runs, since a reply that was given to such a master carries it along.
"""

from __future__ import annotations

from dataclasses import dataclass

CLASSES = ("ok", "parameter", "place", "logic")
ENDINGS = ("running", "won", "lost")
NOT_UNDERSTOOD = "parameter"
"""How a player takes an answer that is no ruling: as a command that was not understood."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An observation, a class of refusal (`outcome`), how the game stands. Where the answer
    was none of that, `readable` is false, `observation` is the answer as it came, and the
    other two are "". Tokens and cost are those of the answer."""

    observation: str
    outcome: str = ""
    ending: str = ""
    readable: bool = False
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float = 0.0

    @property
    def taken_as(self) -> str:
        """The outcome as the player is told of it."""
        return self.outcome if self.readable else NOT_UNDERSTOOD

    @property
    def ends(self) -> bool:
        """Whether the master's game is over with it."""
        return self.readable and self.ending != "running"
