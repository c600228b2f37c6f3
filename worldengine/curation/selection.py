"""A selection: which trajectories were picked, and to which split each belongs.

In: a file of JSON lines, `{"id", "world", "machine_hash", "split"}` each, after a first line
that says what the file is. Out: the split of a trajectory. Written whole or not at all.
Refused: a file that is no selection, with the line that is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from worldengine.rollout.files import replace
from worldengine.rollout.trajectory import Hash, Record, Trajectory

LINE = 64 * 1024


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
    """`splits` goes from a trajectory's id to its split."""

    name: str
    splits: dict[str, str]

    def split_of(self, trajectory: Trajectory) -> str | None:
        """The split of a trajectory, None if it was not picked."""
        return self.splits.get(trajectory.id)

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
    if not number:
        raise SelectionError(f"{path} is empty; `worldengine curate` writes selections")
    return Selection(str(path), splits)
