"""Plays on disk: a whole history as JSON, one play as a test file, and restoring both.

In: sessions, documents. Out: JSON text, test files, sessions. A document names the script
and the Machine by hash but is bound to neither: it is played again on whatever Machine there
is now, and what came out differently is reported, never hidden. Refused (SaveError): what is
no such document, a start that the world has not got. There is no pickle anywhere.

A test file holds one command a line; its first line is `# variant N`. Its ending says how
the play ends: `.win`, `.lose`, or `.fail` for one that reached neither.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from worldengine.machine import Machine

from .history import Node, path
from .session import Session

LIMIT: Final = 64 << 20
ENDINGS: Final = {"won": ".win", "lost": ".lose"}
_VARIANT: Final = re.compile(r"#\s*variant\s+([0-9]{1,6})\s*$")


class SaveError(ValueError):
    """The document is no saved play, or not one of this world; says why, for people."""


class SavedTurn(BaseModel):
    """One node: whose child it is (-1: the start's), and what it did when it was saved."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parent: int = Field(ge=-1)
    command: str = Field(max_length=10_000)
    typed: str = Field(default="", max_length=10_000)
    outcome: Literal["ok", "parameter", "place", "logic"]
    text: str


class Saved(BaseModel):
    """A whole history. `at` is the turn the person stood at, -1 for the start."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    world: str
    source: str
    machine: str
    variant: int = Field(ge=0)
    values: tuple[tuple[str, str], ...]
    at: int = Field(ge=-1)
    turns: tuple[SavedTurn, ...]
    opening: str | None = None
    """What was read before the first turn; None in documents that do not keep it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first turn on the way to the present one that is not what it was; 0 is the opening,
    which no command asked for. `gone` tells
    that it could not be played at all, because the play was over before it."""

    turn: int
    command: str
    outcome: tuple[str, str]
    text: tuple[str, str]
    gone: bool = False

    @property
    def words(self) -> str:
        if self.turn == 0:
            return "Turn 0, the opening, reads in other words."
        if self.gone:
            return f"Turn {self.turn}, {self.command!r}, cannot be played: the play is over."
        if self.outcome[0] != self.outcome[1]:
            changed = f"was {self.outcome[0]}, is now {self.outcome[1]}"
        else:
            changed = "answers in other words"
        return f"Turn {self.turn}, {self.command!r}, {changed}."


@dataclass(frozen=True, slots=True)
class Restored:
    """A session played again. `lost` turns of the tree came after an end."""

    session: Session
    difference: Difference | None
    lost: int
    other_script: bool


def source_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def save(session: Session, source: str = "") -> Saved:
    """The whole history as a document. `source` is the text of the script."""
    machine = session.machine
    return Saved(
        world=machine.name,
        source=source_hash(source) if source else "",
        machine=machine.hash,
        variant=session.variant,
        values=machine.variants[session.variant].values,
        at=session.at.id - 1,
        turns=tuple(_saved(node) for node in session.history.nodes[1:]),
        opening=session.history.root.text,
    )


def _saved(node: Node) -> SavedTurn:
    assert node.parent is not None and node.transition is not None
    return SavedTurn(
        parent=node.parent.id - 1,
        command=node.command,
        typed="" if node.typed == node.command else node.typed,
        outcome=node.transition.outcome_name,  # type: ignore[arg-type]  # one of the four
        text=node.text,
    )


def restore(machine: Machine, saved: Saved, source: str = "") -> Restored:
    """Play a saved history on this Machine, whatever has changed since."""
    if machine.name != saved.world:
        raise SaveError(f"this was saved from the world {saved.world!r}, not {machine.name!r}")
    session = Session(machine, variant_of(machine, saved))
    nodes: list[Node | None] = []
    for turn in saved.turns:
        if turn.parent >= len(nodes):
            raise SaveError("a turn of this document comes before the turn it follows")
        parent = session.history.root if turn.parent < 0 else nodes[turn.parent]
        if parent is None or parent.over:
            nodes.append(None)
            continue
        session.at = parent
        nodes.append(session.play(turn.command, turn.typed))
    if saved.at >= len(nodes):
        raise SaveError("this document stands at a turn that is not in it")
    _stand(session, saved, nodes)
    return Restored(
        session=session,
        difference=_difference(saved, session.history.root.text, nodes),
        lost=sum(node is None for node in nodes),
        other_script=bool(source) and source_hash(source) != saved.source,
    )


def variant_of(machine: Machine, saved: Saved) -> int:
    """The start with the saved values, which an edit may have given another number."""
    for index, variant in enumerate(machine.variants):
        if variant.values == saved.values:
            return index
    if saved.variant < len(machine.variants):
        return saved.variant
    raise SaveError(
        f"this was saved from start {saved.variant}; {machine.name} has"
        f" 0..{len(machine.variants) - 1}"
    )


def _stand(session: Session, saved: Saved, nodes: list[Node | None]) -> None:
    """At the saved turn, or at the last one before it that could be played."""
    at = saved.at
    while at >= 0 and nodes[at] is None:
        at = saved.turns[at].parent
    node = session.history.root if at < 0 else nodes[at]
    assert node is not None
    session.jump(node)


def _difference(saved: Saved, opening: str, nodes: list[Node | None]) -> Difference | None:
    if saved.opening is not None and saved.opening != opening:
        return Difference(0, "", ("ok", "ok"), (saved.opening, opening))
    way: list[int] = []
    at = saved.at
    while at >= 0:
        way.append(at)
        at = saved.turns[at].parent
    for number, index in enumerate(reversed(way), 1):
        was, node = saved.turns[index], nodes[index]
        if node is None:
            return Difference(number, was.command, (was.outcome, ""), (was.text, ""), gone=True)
        assert node.transition is not None
        now = node.transition.outcome_name
        if (was.outcome, was.text) != (now, node.text):
            return Difference(number, was.command, (was.outcome, now), (was.text, node.text))
    return None


# -- documents -----------------------------------------------------------------------------


def write(file: Path, saved: Saved) -> None:
    """Write a document. What was in the file stays whole if anything goes wrong."""
    replace_text(file, saved.model_dump_json(indent=1) + "\n")


def load(file: Path) -> Saved:
    """Read a document, or say why it is none."""
    try:
        if file.stat().st_size > LIMIT:
            raise SaveError(f"{file.name} is too large to be a saved play")
        return Saved.model_validate_json(file.read_bytes())
    except OSError as error:
        raise SaveError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise SaveError(
            f"{file.name} is no saved play: {where}: {error.errors()[0]['msg']}"
        ) from None


def replace_text(file: Path, text: str) -> None:
    """A file's text in one move; a torn write leaves the old file as it was."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)


# -- tests ---------------------------------------------------------------------------------


def as_test(session: Session) -> tuple[str, str]:
    """The play up to here as a test: the ending of its file's name, and its text."""
    lines = [f"# variant {session.variant}", *(node.command for node in path(session.at))]
    return ENDINGS.get(session.at.status, ".fail"), "\n".join(lines) + "\n"


def record(session: Session, folder: Path, name: str) -> Path:
    """Write the play up to here as a test file; a number is added to a name that is taken."""
    ending, text = as_test(session)
    stem = re.sub(r"[^\w.-]+", "_", name).strip("._") or "play"
    number = 1
    while True:
        file = folder / f"{stem}{'' if number == 1 else f'-{number}'}{ending}"
        if not file.exists():
            replace_text(file, text)
            return file
        number += 1


def parse_test(text: str) -> tuple[int, tuple[str, ...]]:
    """The variant and the commands of a test file."""
    variant, found = 0, []
    for line in text.splitlines():
        if match := _VARIANT.match(line):
            variant = int(match[1])
        elif line.strip() and not line.startswith("#"):
            found.append(line.strip())
    return variant, tuple(found)
