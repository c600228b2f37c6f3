"""Plays whose endings are known, played again.

In: files called `NAME.win.txt`, `NAME.lose.txt` or `NAME.fail.txt`, one command a line,
`# variant N` choosing the start. Out: those that end otherwise. The last command of a winning
or losing play ends it; a failing play ends nothing. Refused commands on the way are part of a
play. Lines that begin with `|` are the answer to the command above them, word for word, blanks
aside, as somebody has read it and found it right (`told` writes such a file).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from worldengine.machine.schema import Machine

LARGEST: Final = 1_000_000
"""Bytes of a play."""
ENDINGS: Final = {"win": "won", "lose": "lost", "fail": "running"}
_VARIANT: Final = re.compile(r"(?:#|//)\s*variant\s+(\d+)")


class PlayError(ValueError):
    """This file is no play; the message is for people."""


@dataclass(frozen=True, slots=True)
class Play:
    name: str
    variant: int
    commands: tuple[str, ...]
    ending: str
    answers: tuple[str, ...] = ()
    """One a command, "" where none is held against it; or none at all."""


def read(path: Path) -> Play:
    """The play in a file; its name says how it ends."""
    ending = ENDINGS.get(path.stem.rpartition(".")[2])
    if ending is None:
        raise PlayError(f"{path}: a play is called NAME.win.txt, NAME.lose.txt or NAME.fail.txt")
    if path.stat().st_size > LARGEST:
        raise PlayError(f"{path} is too large for a play")
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except UnicodeDecodeError:
        raise PlayError(f"{path} is no play: it is not UTF-8 text") from None
    chosen = [int(m[1]) for m in map(_VARIANT.match, lines) if m]
    commands: list[str] = []
    answers: list[str] = []
    for line in lines:
        if line.startswith("|"):
            if not commands:
                raise PlayError(f"{path}: an answer stands before the first command")
            answers[-1] = " ".join(f"{answers[-1]} {line[1:]}".split())
        elif line and not line.startswith(("//", "#")):
            commands.append(line)
            answers.append("")
    said = tuple(answers) if any(answers) else ()
    return Play(path.name, chosen[0] if chosen else 0, tuple(commands), ending, said)


def told(machine: Machine, proof: int, variant: int) -> str:
    """A proof as the text of a play, its answers with it."""
    state, status = machine.start(variant), "running"
    lines = [f"# variant {variant}"]
    for command in machine.proofs[proof]:
        if status != "running":
            break
        turn = machine.step(state, command)
        lines += [command, *(f"| {line}" for line in turn.observation.splitlines() if line)]
        state, status = turn.state, turn.status
    return "\n".join(lines) + "\n"


def otherwise(machine: Machine, plays: Sequence[Play]) -> list[tuple[Play, str]]:
    """Each play that goes otherwise, and how."""
    told = [(play, _told(machine, play)) for play in plays]
    return [(play, said) for play, said in told if said]


def answered(machine: Machine, plays: Sequence[Play]) -> list[tuple[Play, str]]:
    """Each play with another answer than the one that is held against it, and the first such."""
    found = [(play, _answer(machine, play)) for play in plays if play.answers]
    return [(play, said) for play, said in found if said]


def _answer(machine: Machine, play: Play) -> str:
    if not 0 <= play.variant < len(machine.variants):
        return ""
    state, status = machine.start(play.variant), "running"
    for number, command in enumerate(play.commands, start=1):
        if status != "running":
            return ""  # told by its ending
        turn = machine.step(state, command)
        state, status = turn.state, turn.status
        wanted = play.answers[number - 1]
        if wanted and " ".join(turn.observation.split()) != wanted:
            return f"command {number}, {command}, is answered {turn.observation!r}, not {wanted!r}"
    return ""


def _told(machine: Machine, play: Play) -> str:
    if not 0 <= play.variant < len(machine.variants):
        return f"there is no variant {play.variant}"
    state, status = machine.start(play.variant), "running"
    for number, command in enumerate(play.commands, start=1):
        if status != "running":
            return f"the game is {status} before command {number}: {command}"
        if number > machine.turns:
            return f"the turns run out before command {number}: {command}"
        turn = machine.step(state, command)
        state, status = turn.state, turn.status
    return "" if status == play.ending else f"the game is {status} at its end, not {play.ending}"
