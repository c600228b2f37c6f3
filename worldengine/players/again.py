"""Wrappers that play an episode again: `best_of:N:PLAYER` and `reflexion:N:PLAYER`.

In: a player. Out: a player that has up to N attempts at every episode and stops at the first
that wins; the runner keeps the best. With `reflexion` a lesson from each failure is written
down, and stands in what the player is told before the next attempt (after Shinn et al.,
2023, arXiv 2303.11366). A model writes its lesson itself; for any other player it is drawn
up from what was refused. All lessons are recorded with the trajectory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from worldengine.players.options import OptionError
from worldengine.players.protocol import Ending, Player, Retrying, Scripted, Start
from worldengine.players.reply import Reply
from worldengine.players.view import View

LESSON_LENGTH = 600
"""Characters of a lesson that are kept."""
REFUSALS = 3
TASK = (
    "That attempt has failed: {status} after {turns} turns. In two or three sentences, write "
    "down for yourself what went wrong and what to do differently next time. Write nothing else."
)
NOTED = "What you wrote down after earlier attempts at this task:"


@runtime_checkable
class Writes(Protocol):
    """A player that can be asked for text beside a game: a model."""

    def ask(self, view: View, question: str) -> str:
        """What it writes after all that a view shows and then the question."""


class Again:
    """See the module."""

    def __init__(self, name: str, times: int, inner: Player) -> None:
        self.name = f"{name}:{times}:{inner.name}"
        self.guidance = inner.guidance
        self.settings = inner.settings
        self.width = inner.width
        self._times = times
        self._learns = name == "reflexion"
        self._inner = inner
        self._lessons: dict[int, tuple[str, ...]] = {}

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:
            if start.attempt == 0:
                self._lessons[start.slot] = ()
        self._inner.reset([replace(start, view=self._told(start.view)) for start in starts])

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        return self._inner.act([self._told(view) for view in views])

    def again(self, endings: Sequence[Ending]) -> Sequence[str | None]:
        return [self._after(ending) for ending in endings]

    def _after(self, ending: Ending) -> str | None:
        if ending.status == "won" or ending.attempt + 1 >= self._times:
            return None
        if not self._learns:
            return ""
        lesson = self._lesson(ending)
        self._lessons[ending.slot] = (*self._lessons[ending.slot], lesson)
        return lesson

    def _lesson(self, ending: Ending) -> str:
        if not isinstance(self._inner, Writes):
            return drawn_up(ending)
        question = TASK.format(status=ending.status, turns=len(ending.view.turns))
        said = self._inner.ask(self._told(ending.view), question)
        return " ".join(said.split())[:LESSON_LENGTH] or drawn_up(ending)

    def _told(self, view: View) -> View:
        """A view with the lessons so far at the end of its prompt."""
        lessons = self._lessons.get(view.slot, ())
        if not lessons:
            return view
        told = "\n".join((NOTED, *(f"- {lesson}" for lesson in lessons)))
        return replace(view, prompt=f"{view.prompt}\n\n{told}")


def drawn_up(ending: Ending) -> str:
    """A lesson from the record alone: how it ended, and what was refused last."""
    turns = ending.view.turns
    refused = [turn for turn in turns if turn.refused][-REFUSALS:]
    said = [f"I was {ending.status} after {len(turns)} turns."]
    if ending.status == "lost" and turns:
        said.append(f"The last thing I did was: {turns[-1].reply.command}.")
    for turn in refused:
        said.append(f"'{turn.reply.command}' was refused: {' '.join(turn.observation.split())}")
    return " ".join(said)[:LESSON_LENGTH]


def make(name: str, times: int, inner: Player) -> Player:
    """What `best_of:N:PLAYER` and `reflexion:N:PLAYER` name."""
    if isinstance(inner, Retrying | Scripted):
        raise OptionError(f"{name} wraps a player that plays once, not {inner.name}")
    return Again(name, times, inner)
