"""Plays without the commands that they do not need, whoever steps them.

In: a `Game`, a play that wins it. Out: one that wins with fewer commands, none of them refused.
Commands are left out one at a time with all that is refused then (action elimination: Nakhost and
Müller, "Action elimination and plan neighborhood graph search", 2010), and two at a time, as there
and back again. No more is claimed: a shorter play may go another way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

S = TypeVar("S")
C = TypeVar("C")


@dataclass(slots=True)
class Game(Generic[S, C]):
    """`step` gives None for a command that is refused. `left` counts down the states that are
    looked at for pairs; where it ends not all pairs are tried."""

    start: S
    step: Callable[[S, C], S | None]
    won: Callable[[S], bool]
    over: Callable[[S], bool]
    left: int

    def needed(self, play: tuple[C, ...]) -> tuple[C, ...]:
        """The play with no command, and no two, that the rest wins without."""
        kept = self.without_one(play)
        while (shorter := self.without_two(kept)) is not None:
            kept = self.without_one(shorter)
        return kept

    def without_one(self, play: tuple[C, ...]) -> tuple[C, ...]:
        """Each command is left out in turn, with all that is refused after it, and stays out
        if the rest still wins."""
        kept, index = play, 0
        while index < len(kept):
            shorter = self.played(kept[:index] + kept[index + 1 :])
            if shorter is not None:
                kept = shorter
            else:
                index += 1
        return kept

    def without_two(self, play: tuple[C, ...]) -> tuple[C, ...] | None:
        """The play less two commands; None if it needs all, or what may be spent is spent."""
        states = self._states(self.start, play)
        if not self.won(states[-1]):
            return None
        for first in range(len(play)):
            # What the play comes to without its first command left out, up to a refusal.
            lacking = self._states(states[first], play[first + 1 :])
            for second, state in enumerate(lacking[: len(play) - first - 1], start=first + 1):
                if self.left <= 0:
                    return None
                after = self._states(state, play[second + 1 :])
                if self.won(after[-1]):
                    end = second + len(after)
                    return play[:first] + play[first + 1 : second] + play[second + 1 : end]
        return None

    def played(self, play: tuple[C, ...]) -> tuple[C, ...] | None:
        """What is accepted of a play, up to the win; None if it does not win."""
        state = self.start
        kept: list[C] = []
        for command in play:
            after = self.step(state, command)
            if after is None:
                continue
            kept.append(command)
            state = after
            if self.over(state):
                return tuple(kept) if self.won(state) else None
        return None

    def _states(self, state: S, play: tuple[C, ...]) -> list[S]:
        """The states on the way through a play, to its end or its first refusal."""
        found = [state]
        for command in play:
            after = None if self.over(found[-1]) else self.step(found[-1], command)
            if after is None:
                break
            found.append(after)
        self.left -= len(found)
        return found
