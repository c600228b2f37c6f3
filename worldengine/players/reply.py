"""A player's reply as text: `Thought: …` and, on a line of its own, `Action: …`.

In: what a player wrote, however long or odd. Out: its thought and its command; the command
is "" where there is none (which the world then refuses as `parameter`). One pass over the
lines, no pattern matching, so the time is linear in the length.
"""

from __future__ import annotations

from dataclasses import dataclass

THOUGHT = "Thought:"
ACTION = "Action:"


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is exactly what was written; the other two are read from it."""

    thought: str
    command: str
    text: str


def write(thought: str, command: str) -> Reply:
    """The reply of a player that has a thought and a command; each becomes one line."""
    thought = " ".join(thought.split())
    command = command.replace("\n", " ").strip()
    text = f"{ACTION} {command}" if not thought else f"{THOUGHT} {thought}\n{ACTION} {command}"
    return Reply(thought, command, text)


def read(text: str) -> Reply:
    """The first line that begins with `Action:` is the command; what stands before it is the
    thought; what follows it was never asked for and is not looked at."""
    before: list[str] = []
    command = ""
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(ACTION):
            command = bare[len(ACTION) :].strip()
            break
        before.append(line)
    thought = "\n".join(before).strip()
    return Reply(thought.removeprefix(THOUGHT).strip(), command, text)
