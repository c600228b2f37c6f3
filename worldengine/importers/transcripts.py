"""Transcripts of agents in their usual shapes → replies, in order.

In: JSON, one value or one a line. Out: `Transcript`s. Taken: chat messages (`role` and
`content`, or `from` and `value`), lists of strings that take turns, one string with `Action:`
and `Observation:` lines or with `> command` lines, pairs of `action` and `observation`, and
AgentRefine's turns (`role: Player`, `Thought`, `Action`), and records of runs of this program,
whose replies are taken letter for letter. What an environment answered is not taken over: the
world that the replies are played in answers for itself. Refused: a file of JSON lines with a
line that is none.
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
"""A thought and a command; either may be empty, of a transcript never both."""
_NOTHING: Turn = ("", "")


@dataclass(frozen=True)
class Transcript:
    """`unread` counts an agent's messages that hold neither a thought nor a command. The rest is
    of a run's record: `said` has the replies as they were written, refused and empty ones too,
    `start` the Machine's hash and the variant they were said in."""

    name: str
    turns: tuple[Turn, ...]
    unread: int = 0
    said: tuple[str, ...] | None = None
    start: tuple[str, int] | None = None


class NoTranscript(ValueError):
    """There is nothing in the file that an agent did."""


def read(source: Source) -> tuple[Transcript, ...]:
    """Every transcript of a file, in order; NoTranscript if there is none."""
    found: list[Transcript] = []
    for number, value in enumerate(_values(source)):
        for transcript in _inside(value, str(number), 0):
            if len(found) >= MAX_TRANSCRIPTS:
                raise NoTranscript(
                    f"{source.name} holds more than {MAX_TRANSCRIPTS} transcripts; split it"
                )
            found.append(transcript)
    if not found:
        raise NoTranscript(f"{source.name} holds no turns of an agent in a shape known here")
    return tuple(found)


def _values(source: Source) -> Iterator[Any]:
    text = source.text
    try:
        yield json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    lines = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    parsed = [(at, _json(line)) for at, line in lines]
    if not any(isinstance(value, dict | list) for _, value in parsed):
        yield text
        return
    for at, value in parsed:
        if value is None:
            raise NoTranscript(f"line {at} of {source.name} is not JSON; mend it or leave it out")
        yield value


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _inside(value: Any, name: str, depth: int) -> Iterator[Transcript]:
    """The transcript that a value is, or those it holds."""
    if depth > MAX_DEPTH:
        return
    if _recorded(value):
        yield _of_record(value, name)
        return
    told = tuple(_turns(value))
    turns = tuple(turn for turn in told if any(turn))
    if any(command for _, command in turns):
        yield Transcript(name, turns, len(told) - len(turns))
    elif isinstance(value, dict):
        own = str(value.get("id", value.get("name", name)))
        for key, item in value.items():
            if isinstance(item, list | dict | str):
                yield from _inside(item, own if key in _PLAIN else f"{own}/{key}", depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(item, f"{name}/{index}", depth + 1)


def _recorded(value: Any) -> bool:
    """Whether a value is a trajectory as `rollout` writes it."""
    turns = value.get("turns") if isinstance(value, dict) else None
    return bool(turns) and isinstance(turns, list) and all(map(_recorded_turn, turns))


def _recorded_turn(item: Any) -> bool:
    wanted = ("thought", "reply", "command", "outcome")
    return isinstance(item, dict) and all(isinstance(item.get(key), str) for key in wanted)


def _of_record(value: dict[str, Any], name: str) -> Transcript:
    machine, variant = value.get("machine_hash"), value.get("variant")
    start = (machine, variant) if isinstance(machine, str) and isinstance(variant, int) else None
    return Transcript(
        str(value.get("id", name)),
        tuple((item["thought"], item["command"]) for item in value["turns"]),
        said=tuple(item["reply"] for item in value["turns"]),
        start=start,
    )


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
    if by_agent:
        yield from _of_reply(said) if isinstance(said, str) else [_NOTHING]


def _of_command(action: str, thought: str) -> Iterator[Turn]:
    if _THINK.match(action):
        yield _THINK.sub("", action).strip(), ""
    else:
        yield thought.strip(), action.strip()


def _of_reply(text: str) -> Iterator[Turn]:
    """`Thought: … Action: …`; a reply without either is a command. An `ok` takes the task on
    and is no turn."""
    text = re.sub(r"(?i)[ \t]+(ACTION[ \t]*:)", r"\n\1", text)
    pieces = list(_said(text))
    if not pieces:
        line = text.strip().split("\n")[0]
        if line.lower() != "ok":
            yield from _of_command(line, "")
        return
    thought = " ".join(said for kind, said in pieces if kind in ("thought", "think"))
    command = next((said for kind, said in pieces if kind == "action"), "")
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
