"""A model as Dungeon Master: it is given the script and answers commands.

In: a script's text, what has been said so far, a command. Out: a `Ruling`, read from the
model's answer. The form asked for is AgentRefine's, shortened: an observation, a class of
refusal, whether the game is over. What cannot be read is said to be unreadable; nothing is
guessed in the model's favour. Where that is wanted the answer is held to the form by a
grammar: then only what it says is measured, not whether it is JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from worldengine.models.protocol import Answer, Message, Model, Request, cost
from worldengine.players.replies.ruling import CLASSES, ENDINGS, Ruling

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
FORM = r"""
start: "{\"observation\": \"" TEXT "\", \"class\": \"" CLASS "\", \"ending\": \"" ENDING "\"}"
TEXT: /([^"\\\x00-\x1f]|\\["\\n]){0,600}/
CLASS: "ok" | "parameter" | "place" | "logic"
ENDING: "running" | "won" | "lost"
"""
"""The form as a grammar in the dialect of llguidance."""
SCRIPT_LIMIT = 60_000
"""Characters of a script that are shown."""
LONGEST = 4_096
"""Characters of an observation that are kept."""
MAX_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as the master is told of it. `answer` is the master's own, word for word,
    where it was no ruling."""

    command: str
    observation: str
    outcome: str
    ending: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A command to be ruled on: the world's script, how the game began, what was said."""

    script: str
    opening: str
    past: Sequence[Said]
    command: str


class Master:
    """See the module. `constrain` holds answers to the form."""

    def __init__(self, model: Model, max_tokens: int = MAX_TOKENS, constrain: bool = False) -> None:
        self.model = model
        self._max_tokens = max_tokens
        self._grammar = FORM if constrain else None

    def rule(self, cases: Sequence[Case]) -> list[tuple[Ruling, Answer]]:
        """Rulings on several commands at once, in order. An answer that failed says so, and
        its ruling is worth nothing. ModelError where the model cannot be asked at all."""
        requests = [
            Request(messages(case), self._max_tokens, grammar=self._grammar) for case in cases
        ]
        answers = self.model.answer(requests)
        return [(self._read(answer), answer) for answer in answers]

    def _read(self, answer: Answer) -> Ruling:
        said = read(answer.text)
        return Ruling(
            said.observation,
            said.outcome,
            said.ending,
            said.readable,
            answer.prompt_tokens,
            answer.completion_tokens,
            round(cost(self.model, [answer]) or 0.0, 9),
        )


def messages(case: Case) -> tuple[Message, ...]:
    """What the model reads before it rules."""
    found = [Message("system", ASKED + case.script[:SCRIPT_LIMIT])]
    before = f"The game begins. The player reads:\n{case.opening}\n\nCommand: "
    for turn in case.past:
        found.append(Message("user", f"{before}{turn.command}"))
        found.append(Message("assistant", turn.answer or written(turn)))
        before = "Command: "
    found.append(Message("user", f"{before}{case.command}"))
    return tuple(found)


def written(turn: Said) -> str:
    """A turn in the form that is asked for."""
    told = {"observation": turn.observation, "class": turn.outcome, "ending": turn.ending}
    return json.dumps(told, ensure_ascii=False)


def said(command: str, ruling: Ruling) -> Said:
    """A turn as the master itself had it."""
    if not ruling.readable:
        return Said(command, "", "", "", ruling.observation or "{}")
    return Said(command, ruling.observation, ruling.outcome, ruling.ending)


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
    return Ruling(_kept(text.strip()))


def _ruling(value: dict[str, Any], text: str) -> Ruling:
    outcome = str(value.get("class")).strip().lower()
    ending = str(value.get("ending")).strip().lower()
    if outcome not in CLASSES or ending not in ENDINGS:
        return Ruling(_kept(text.strip()))
    return Ruling(_kept(str(value.get("observation", ""))), outcome, ending, True)


def _kept(text: str) -> str:
    """No more than LONGEST characters, and no lone surrogate: no file holds one."""
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8")
