"""The skein: all recorded plays of a world as one tree, with the texts that were blessed.

In: plays, a Machine. Out: for every turn of every play whether it still reads as it was
blessed, and the difference where it does not. It is kept in one JSON file beside the
script. Refused (SkeinError): a file that is no skein.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from worldengine.machine import Machine

from .history import Node
from .saves import LIMIT, replace_text
from .session import Session

SAME, DIFFERS, NEW, GONE, UNPLAYED = "same", "differs", "new", "gone", "unplayed"
MARKS: Final = {
    SAME: ("✓", "good"),
    DIFFERS: ("≠", "bad"),
    NEW: ("+", "warn"),
    GONE: ("✗", "bad"),
    UNPLAYED: ("·", "muted"),
}


class SkeinError(ValueError):
    """The file is no skein; says why, for people."""


class SkeinTurn(BaseModel):
    """One turn as it is stored. `parent` -1 is the start of `variant`, itself not stored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parent: int = Field(ge=-1)
    variant: int = Field(ge=0)
    command: str = Field(max_length=10_000)
    blessed: str | None = None


class SkeinFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    world: str
    turns: tuple[SkeinTurn, ...]


@dataclass(eq=False, slots=True)
class Knot:
    """One turn of the tree. `node` is how it came out when all was run last; `ran` tells
    whether that has happened since it changed."""

    parent: Knot | None
    variant: int
    command: str
    blessed: str | None = None
    children: list[Knot] = field(default_factory=list)
    node: Node | None = None
    ran: bool = False

    @property
    def verdict(self) -> str:
        if not self.ran:
            return UNPLAYED
        if self.node is None:
            return GONE
        if self.blessed is None:
            return NEW
        return SAME if self.node.text == self.blessed else DIFFERS


class Skein:
    """See the module. `version` counts its changes."""

    def __init__(self, world: str) -> None:
        self.world = world
        self.roots: list[Knot] = []
        self.version = 0

    def knots(self) -> Iterator[Knot]:
        """Every turn, parents before children, in the order in which plays were added."""
        waiting = list(reversed(self.roots))
        while waiting:
            knot = waiting.pop()
            yield knot
            waiting += reversed(knot.children)

    def leaves(self) -> list[Knot]:
        return [knot for knot in self.knots() if not knot.children]

    # -- changing ------------------------------------------------------------------------

    def add(self, variant: int, commands: tuple[str, ...]) -> Knot | None:
        """Weave a play in; turns it shares with others are shared. Its last turn."""
        self.version += 1
        siblings, last = self.roots, None
        for command in commands:
            found = next(
                (k for k in siblings if k.variant == variant and k.command == command), None
            )
            if found is None:
                found = Knot(last, variant, command)
                siblings.append(found)
            siblings, last = found.children, found
        return last

    def remove(self, knot: Knot) -> None:
        """Take a turn out with all that follows it."""
        self.version += 1
        siblings = self.roots if knot.parent is None else knot.parent.children
        siblings.remove(knot)

    def bless(self, knot: Knot) -> int:
        """Declare that this turn and those before it read as they should; how many changed."""
        self.version += 1
        changed, at = 0, knot
        while True:
            if at.node is not None and at.blessed != at.node.text:
                at.blessed = at.node.text
                changed += 1
            if at.parent is None:
                return changed
            at = at.parent

    def bless_all(self) -> int:
        return sum(self.bless(leaf) for leaf in self.leaves())

    # -- running -------------------------------------------------------------------------

    def run(self, machine: Machine) -> dict[str, int]:
        """Play every turn on this Machine; how many came out how."""
        self.version += 1
        sessions: dict[int, Session] = {}
        tally = dict.fromkeys((SAME, DIFFERS, NEW, GONE), 0)
        for knot in self.knots():
            knot.node, knot.ran = self._played(machine, sessions, knot), True
            tally[knot.verdict] += 1
        self.version += 1
        return tally

    def forget(self) -> None:
        """What the turns came to is of a world that is no more."""
        self.version += 1
        for knot in self.knots():
            knot.node, knot.ran = None, False

    def _played(self, machine: Machine, sessions: dict[int, Session], knot: Knot) -> Node | None:
        if knot.variant >= len(machine.variants):
            return None
        if knot.variant not in sessions:
            sessions[knot.variant] = Session(machine, knot.variant)
        session = sessions[knot.variant]
        before = session.history.root if knot.parent is None else knot.parent.node
        if before is None or before.over:
            return None
        session.at = before
        return session.play(knot.command)


def commands(knot: Knot) -> tuple[str, ...]:
    """The play up to a turn."""
    found: list[str] = []
    at: Knot | None = knot
    while at is not None:
        found.append(at.command)
        at = at.parent
    return tuple(reversed(found))


def difference(knot: Knot) -> list[tuple[str, str]]:
    """Lines that were blessed and are gone ("-"), that are new ("+"), and the rest (" ")."""
    if knot.node is None or knot.blessed is None:
        return [("+", line) for line in (knot.node.text if knot.node else "").split("\n")]
    lines = difflib.ndiff(knot.blessed.split("\n"), knot.node.text.split("\n"))
    return [(line[0], line[2:]) for line in lines if line[0] != "?"]


# -- the file ------------------------------------------------------------------------------


def read(file: Path, world: str) -> Skein:
    """The skein in a file; an empty one where there is no file yet."""
    skein = Skein(world)
    if not file.exists():
        return skein
    try:
        if file.stat().st_size > LIMIT:
            raise SkeinError(f"{file.name} is too large to be a skein")
        stored = SkeinFile.model_validate_json(file.read_bytes())
    except OSError as error:
        raise SkeinError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValidationError as error:
        raise SkeinError(f"{file.name} is no skein: {error.errors()[0]['msg']}") from None
    knots: list[Knot] = []
    for turn in stored.turns:
        if turn.parent >= len(knots):
            raise SkeinError(f"{file.name}: a turn comes before the turn it follows")
        parent = knots[turn.parent] if turn.parent >= 0 else None
        knot = Knot(parent, parent.variant if parent else turn.variant, turn.command, turn.blessed)
        (parent.children if parent else skein.roots).append(knot)
        knots.append(knot)
    return skein


def write(file: Path, skein: Skein) -> None:
    """Store a skein; the old file stays whole if anything goes wrong."""
    numbers: dict[int, int] = {}
    turns: list[SkeinTurn] = []
    for knot in skein.knots():
        numbers[id(knot)] = len(turns)
        parent = numbers[id(knot.parent)] if knot.parent is not None else -1
        turns.append(
            SkeinTurn(
                parent=parent, variant=knot.variant, command=knot.command, blessed=knot.blessed
            )
        )
    stored = SkeinFile(world=skein.world, turns=tuple(turns))
    replace_text(file, stored.model_dump_json(indent=1, exclude_none=True) + "\n")
