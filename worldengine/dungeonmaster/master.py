"""A model as Dungeon Master: it is given the script and answers commands.

In: a script's text, what has been said so far, a command. Out: a `Ruling`, read from the
model's answer. The form asked for is AgentRefine's, shortened: an observation, a class of
refusal, whether the game is over. What cannot be read is said to be unreadable; nothing is
guessed in the model's favour.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from worldengine.models.protocol import Answer, Message, Model, Request

CLASSES = ("ok", "parameter", "place", "logic")
ENDINGS = ("running", "won", "lost")
ASKED = """\
You are the game master of a text world. Its rules are the script below, in a small language;
you apply them exactly and invent nothing. The player sees only your observations.

For each command answer with one JSON object and nothing else:
{"observation": "what the player reads", "class": "ok", "ending": "running"}

"class" is "ok" if the command is accepted; else it changes nothing, and "class" says why it is
refused: "parameter" (unknown words, names, numbers or forms), "place" (what it is about is not
here or not held), "logic" (the state of things forbids it). "ending" is "running", "won" or
"lost".

The script:
"""
SCRIPT_LIMIT = 60_000
"""Characters of a script that are shown."""


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as the master is told of it."""

    command: str
    observation: str
    outcome: str
    ending: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a master answered; `readable` is false where it was no such object."""

    observation: str
    outcome: str
    ending: str
    readable: bool
    text: str


class Master:
    """See the module. The script is the player's world as its author wrote it."""

    def __init__(self, model: Model, script: str, max_tokens: int = 256) -> None:
        self.model = model
        self._system = ASKED + script[:SCRIPT_LIMIT]
        self._max_tokens = max_tokens

    def rule(self, asked: Sequence[tuple[str, Sequence[Said], str]]) -> list[tuple[Ruling, Answer]]:
        """Rulings on several commands at once, each with its opening and its past turns."""
        requests = [
            Request(self._messages(opening, past, command), self._max_tokens)
            for opening, past, command in asked
        ]
        answers = self.model.answer(requests)
        return [(read(answer.text), answer) for answer in answers]

    def _messages(self, opening: str, past: Sequence[Said], command: str) -> tuple[Message, ...]:
        found = [Message("system", self._system)]
        before = f"The game begins. The player reads:\n{opening}\n\nCommand: "
        for turn in past:
            found.append(Message("user", f"{before}{turn.command}"))
            found.append(Message("assistant", written(turn)))
            before = "Command: "
        found.append(Message("user", f"{before}{command}"))
        return tuple(found)


def written(turn: Said) -> str:
    """A turn in the form that is asked for."""
    told = {"observation": turn.observation, "class": turn.outcome, "ending": turn.ending}
    return json.dumps(told, ensure_ascii=False)


def read(text: str) -> Ruling:
    """A ruling from an answer: the first JSON object in it that has a class."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and "class" in value:
            return _ruling(value, text)
        at = text.find("{", at + 1)
    return Ruling("", "", "", False, text)


def _ruling(value: dict[str, Any], text: str) -> Ruling:
    outcome, ending = str(value.get("class")).strip().lower(), str(value.get("ending")).lower()
    readable = outcome in CLASSES and ending in ENDINGS
    return Ruling(str(value.get("observation", "")), outcome, ending.strip(), readable, text)
