"""Transcripts of agents in their usual shapes → replies, in order.

In: JSON, one value or one a line. Out: `Transcript`s. Taken: chat messages (`role` and
`content`, or `from` and `value`), lists of strings that take turns, one string with `Action:`
and `Observation:` lines or with `> command` lines, pairs of `action` and `observation`, and
AgentRefine's turns (`role: Player`, `Thought`, `Action`). What an environment answered is not
taken over: the world that the replies are played in answers for itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from worldengine.source import Source

MAX_DEPTH = 12
MAX_TRANSCRIPTS = 10_000
AGENT = {"assistant", "gpt", "player", "agent", "ai", "model"}
_SAID = re.compile(
    r"(?im)^[ \t]*(?:\d+[.)][ \t]*)?(thought|think|action|observation)s?[ \t]*:[ \t]*"
)
_PROMPT = re.compile(r"(?m)^>[ \t]*(.*)$")
_THINK = re.compile(r"(?i)^think\s*:\s*")

Turn = tuple[str, str]
"""A thought and a command; either may be empty, never both."""


@dataclass(frozen=True)
class Transcript:
    name: str
    turns: tuple[Turn, ...]


class NoTranscript(ValueError):
    """There is nothing in the file that an agent did."""


def read(source: Source) -> tuple[Transcript, ...]:
    """Every transcript of a file, in order; NoTranscript if there is none."""
    found: list[Transcript] = []
    for number, value in enumerate(_values(source.text)):
        for transcript in _inside(value, str(number), 0):
            found.append(transcript)
            if len(found) >= MAX_TRANSCRIPTS:
                return tuple(found)
    if not found:
        raise NoTranscript(f"{source.name} holds no turns of an agent in a shape known here")
    return tuple(found)


def _values(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    lines = [line for line in text.splitlines() if line.strip()]
    parsed = [_json(line) for line in lines]
    if any(value is not None for value in parsed):
        yield from (value for value in parsed if value is not None)
    else:
        yield text


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _inside(value: Any, name: str, depth: int) -> Iterator[Transcript]:
    """The transcript that a value is, or those it holds."""
    if depth > MAX_DEPTH:
        return
    turns = tuple(_turns(value))
    if any(command for _, command in turns):
        yield Transcript(name, turns)
    elif isinstance(value, dict):
        own = str(value.get("id", value.get("name", name)))
        for key, item in value.items():
            if isinstance(item, list | dict | str):
                yield from _inside(item, own if key in _PLAIN else f"{own}/{key}", depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(item, f"{name}/{index}", depth + 1)


_PLAIN = {"turns", "conversations", "messages", "trajectory", "examples"}


def _turns(value: Any) -> Iterator[Turn]:
    if isinstance(value, str):
        yield from _of_text(value)
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        if sum(_speaks(item) for item in value) >= 2:
            for item in value:
                yield from _of_reply(item) if _speaks(item) else ()
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for item in value:
            yield from _of_message(item)


def _speaks(text: str) -> bool:
    """Whether a string is an agent's turn by itself: it acts, and shows nothing."""
    kinds = [match[1].lower() for match in _SAID.finditer(text)]
    return "action" in kinds and "observation" not in kinds


def _of_message(item: dict[str, Any]) -> Iterator[Turn]:
    fields = {str(key).lower(): part for key, part in item.items()}
    role = str(fields.get("role", fields.get("from", ""))).lower()
    action, thought = fields.get("action"), fields.get("thought")
    if isinstance(action, str) and role in {*AGENT, ""}:
        yield from _of_command(action, thought if isinstance(thought, str) else "")
        return
    said = fields.get("content", fields.get("value"))
    by_agent = role in AGENT or str(fields.get("from", "")).lower() in AGENT
    if isinstance(said, str) and by_agent:
        yield from _of_reply(said)


def _of_command(action: str, thought: str) -> Iterator[Turn]:
    if _THINK.match(action):
        yield _THINK.sub("", action).strip(), ""
    else:
        yield thought.strip(), action.strip()


def _of_reply(text: str) -> Iterator[Turn]:
    """`Thought: … Action: …`; a reply without either is a command."""
    text = re.sub(r"(?i)[ \t]+(ACTION[ \t]*:)", r"\n\1", text)
    pieces = list(_said(text))
    if not pieces:
        line = text.strip().split("\n")[0]
        if line and line.lower() != "ok":
            yield from _of_command(line, "")
        return
    thought = " ".join(said for kind, said in pieces if kind in ("thought", "think"))
    command = next((said for kind, said in pieces if kind == "action"), "")
    if thought or command:
        yield from _of_command(command.split("\n")[0], thought)


def _said(text: str) -> Iterator[tuple[str, str]]:
    matches = list(_SAID.finditer(text))
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        yield match[1].lower(), text[match.end() : end].strip()


def _of_text(text: str) -> Iterator[Turn]:
    """One string with everything in it."""
    prompts = [match[1].strip() for match in _PROMPT.finditer(text)]
    if len(prompts) >= 2:
        for command in prompts:
            if command:
                yield from _of_command(command, "")
        return
    pieces = list(_said(text))
    if sum(kind == "action" for kind, _ in pieces) < 2:
        return
    thought = ""
    for kind, said in pieces:
        if kind in ("thought", "think"):
            thought = said
        elif kind == "action":
            yield from _of_command(said.split("\n")[0], thought)
            thought = ""
