"""A selection: which trajectories were picked, and to which split each belongs.

In: a file of JSON lines, `{"id", "world", "machine_hash", "split"}` each, after a first line
that says what the file is. Out: the split of a trajectory. Written whole or not at all.
Refused: a file that is no selection, with the line that is not.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from worldengine.rollout.files import replace
from worldengine.rollout.trajectory import Hash, Record, Trajectory

LINE = 64 * 1024
NAMED = 5
"""Worlds that a sentence names."""


class SelectionError(ValueError):
    """The file is no selection, or lacks what was asked; the message is for people."""


class Head(Record):
    """The first line. `request` is what was asked of curation, for people and for repeating."""

    format: Literal["selection-1"] = "selection-1"
    request: dict[str, Any] = Field(default_factory=dict)


class Picked(Record):
    """One trajectory; `split` is "" where no split was asked for."""

    id: str
    world: str
    machine_hash: Hash
    split: str


@dataclass(frozen=True, slots=True)
class Selection:
    """`splits` goes from a trajectory's id to its split, `worlds` to its world's name."""

    name: str
    splits: dict[str, str]
    worlds: dict[str, str] = field(default_factory=dict)

    def split_of(self, trajectory: Trajectory) -> str | None:
        """The split of a trajectory, None if it was not picked."""
        return self.splits.get(trajectory.id)

    def absent(self, there: Container[str], split: str = "") -> list[str]:
        """What was picked (for a split, if one is named) and is not `there`, in order."""
        return [
            each
            for each, belongs in self.splits.items()
            if each not in there and (not split or split == belongs)
        ]

    def missing(self, absent: Sequence[str]) -> str:
        """A sentence about picked trajectories that the runs at hand do not hold."""
        of = Counter(self.worlds.get(each, "a world without a name") for each in absent)
        worlds = ", ".join(f"{number} of {world}" for world, number in list(of.items())[:NAMED])
        more = f", and of {len(of) - NAMED} more worlds" if len(of) > NAMED else ""
        one = len(absent) == 1
        what = "1 trajectory that is" if one else f"{len(absent)} trajectories that are"
        return (
            f"{self.name} picks {what} in none of the runs given: {worlds}{more} (first: "
            f"{absent[0]}); name every run that this selection was curated from"
        )

    def need(self, split: str) -> None:
        """SelectionError unless some trajectory belongs to a split."""
        there = sorted(set(self.splits.values()))
        if split not in there:
            raise SelectionError(
                f"{self.name} has no split {split!r}; there are: "
                f"{', '.join(filter(None, there)) or 'none'}"
            )


def write(path: Path, head: Head, picked: Iterable[Picked]) -> None:
    """The selection as a file; in the order given."""
    lines = [head.line(), *(each.line() for each in picked)]
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, "".join(line + "\n" for line in lines).encode())


def read(path: Path) -> Selection:
    """A selection from its file."""
    splits: dict[str, str] = {}
    worlds: dict[str, str] = {}
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LINE):
            number += 1
            try:
                if number == 1:
                    Head.model_validate_json(line)
                    continue
                each = Picked.model_validate_json(line)
            except ValidationError as error:
                what = error.errors()[0]["msg"]
                raise SelectionError(f"{path}:{number} is no line of a selection: {what}") from None
            splits[each.id] = each.split
            worlds[each.id] = sys.intern(each.world)
    if not number:
        raise SelectionError(f"{path} is empty; `worldengine curate` writes selections")
    return Selection(str(path), splits, worlds)
