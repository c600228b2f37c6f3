"""Blind play: a fresh player tries some commands and marks what contradicts the prose.

In: a model that has never seen the world, a Machine, a start. Out: the turns, and marks: the
turn, the words it is about, and why they contradict what was said before. A mark counts only
if its words were really said in that turn; the others are counted as unfounded. Whatever the
model answers is handled: a reply without a command is a turn that is refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from worldengine.machine.schema import Machine
from worldengine.models.protocol import Message, Model, ModelError, Request
from worldengine.players.reply import read
from worldengine.runtime import runtime_of
from worldengine.runtime.prompt import prompt

COMMANDS: Final = 40
_TASK: Final = """\
You test this game; you need not win it. Each turn try one command that shows whether the \
world does what its texts say: use what is described, examine what is named, try what should \
not work. Reply with one command and nothing else."""
_ASK: Final = """\
The play is over. Which replies contradicted what the game had said before, or made no sense? \
A refusal with a good reason is no contradiction. Answer with one JSON list and nothing else, \
at most ten entries, [] if there was none: [{"turn": 12, "quote": "words of that reply", \
"why": "what they contradict"}]"""
MARKS: Final = r"""
start: "[" (mark ("," mark)*)? "]"
mark: "{\"turn\": " TURN ", \"quote\": " QUOTE ", \"why\": " QUOTE "}"
TURN: /[1-9][0-9]?/
QUOTE: /"[^"\\\x00-\x1f]{1,200}"/
"""


@dataclass(frozen=True, slots=True)
class Tried:
    number: int
    command: str
    outcome: str
    observation: str


@dataclass(frozen=True, slots=True)
class Mark:
    turn: int
    quote: str
    why: str


@dataclass(frozen=True, slots=True)
class Blind:
    """`unfounded` marks quoted what was not said; `unread` says why no marks could be read."""

    player: str
    turns: tuple[Tried, ...]
    marks: tuple[Mark, ...]
    unfounded: int = 0
    unread: str = ""

    def told(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "turns": [{"turn": t.number, "command": t.command, "outcome": t.outcome,
                       "observation": t.observation} for t in self.turns],
            "marks": [{"turn": m.turn, "quote": m.quote, "why": m.why} for m in self.marks],
            "unfounded": self.unfounded,
            "unread": self.unread or None,
        }  # fmt: skip


def play(
    model: Model, machine: Machine, variant: int = 0, commands: int = COMMANDS, seed: int = 0
) -> Blind:
    """See the module."""
    state, status = machine.start(variant), "running"
    said = f"{prompt(machine, variant, reply='action')}\n\n{_TASK}"
    messages = [Message("system", said), Message("user", runtime_of(machine).opening(state))]
    tried: list[Tried] = []
    while len(tried) < commands and status == "running":
        (answer,) = model.answer([Request(tuple(messages), 64, 0.7, seed=seed + len(tried))])
        if answer.ended == "failed":
            raise ModelError(f"{model.name}: {answer.failure}")
        command = _command(answer.text)
        turn = machine.step(state, command)
        state, status = turn.state, turn.status
        tried.append(Tried(len(tried) + 1, command, turn.outcome_name, turn.observation))
        messages += [Message("assistant", answer.text[:400]), Message("user", turn.observation)]
    return _marked(model, messages, tried, seed)


def _command(text: str) -> str:
    found = read(text).command or next((x for x in text.splitlines() if x.strip()), "")
    return found.strip()[:1000]


def _marked(model: Model, messages: list[Message], tried: list[Tried], seed: int) -> Blind:
    asked = (*messages, Message("user", _ASK))
    (answer,) = model.answer([Request(asked, 800, 0.0, seed=seed, grammar=MARKS)])
    found, unread = marks_in(answer.text)
    founded = [mark for mark in found if _was_said(mark, tried)]
    unfounded = len(found) - len(founded)
    return Blind(model.name, tuple(tried), tuple(founded), unfounded, unread)


def marks_in(text: str) -> tuple[list[Mark], str]:
    """The marks in an answer, and "" or why it could not be read."""
    start, end = text.find("["), text.rfind("]")
    if start < 0 or end < start:
        return [], "the player answered with no list"
    try:
        value = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return [], "the player's list is no JSON"
    marks = [
        Mark(item["turn"], item["quote"], item["why"])
        for item in value
        if isinstance(item, dict)
        and isinstance(item.get("turn"), int)
        and isinstance(item.get("quote"), str)
        and isinstance(item.get("why"), str)
    ]
    return marks[:10], "" if len(marks) == len(value) else "some entries lack turn, quote or why"


def _was_said(mark: Mark, tried: Sequence[Tried]) -> bool:
    if not 1 <= mark.turn <= len(tried) or not mark.quote.strip():
        return False
    return _plain(mark.quote) in _plain(tried[mark.turn - 1].observation)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
