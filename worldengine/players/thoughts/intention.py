"""What an explorer means to do next, in words, and the companion that tells it.

A companion keeps the belief and the plan of one episode. It sees the Machine; the player
sees what it says, which never names anything that has not been shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from worldengine.players.reply import Mistake
from worldengine.players.view import View

MISTAKES: dict[str, Mistake] = {
    "slip": "slip",
    "early": "early",
    "away": "away",
    "repeat": "repeat",
}


@dataclass(frozen=True, slots=True)
class Intention:
    """`why`: plan, guess (a step of it by a name or number that nobody has said), ask (it
    would tell something), new (a place not seen), way (towards one), try (never done yet),
    again; or a mistake: slip (wrong words), early (something is missing yet), away (wrong
    place), repeat (what failed just now). `meant` is the command that a mistake stands for.
    `hopes` are (thing, holder) that it counts on without knowing; `later` is a command for
    afterwards that depends on this one; `learnt` whether the last refusal taught a rule;
    `pleased` whether what was wanted of the last turn came true, `surprised` whether it showed
    something to be otherwise than supposed; `steps` how many commands its plan still has, 0
    without one or where part of what it leads through was not seen; `evidence` is a sentence
    that was read and decided between this and something else."""

    command: str
    why: str
    meant: str
    hopes: tuple[tuple[str, str], ...] = ()
    later: str = ""
    learnt: bool = False
    surprised: bool = False
    pleased: bool = False
    steps: int = 0
    evidence: str = ""
    untold: bool = False
    """Whether it says what nothing that was read tells, right or wrong: no reader could."""
    mistake: Mistake = field(init=False, default="")
    """Which deliberate mistake it is, "" for none."""
    named: str = field(init=False, default="")
    """The command that a thought is about. In a slip only the words are wrong; who does the wrong
    thing means to do it."""

    def __post_init__(self) -> None:
        mistake = MISTAKES.get(self.why, "")
        meant = self.meant or self.command if mistake in ("", "slip") else self.command
        object.__setattr__(self, "mistake", mistake)
        object.__setattr__(self, "named", meant)

    @property
    def mark(self) -> Mistake:
        """What a record says of it: a deliberate mistake, or a guess."""
        return self.mistake or ("guess" if self.untold else "")


@runtime_checkable
class Companion(Protocol):
    """The guide of an episode whose player acts on beliefs."""

    def next(self, view: View) -> Intention: ...
