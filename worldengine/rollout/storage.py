"""A run on disk: what was played, by whom, in which worlds.

```
RUN/manifest.json               versions, player, seed, command set, worlds by hash
RUN/machines/<hash>.json        every Machine, so that a run verifies by itself
RUN/trajectories-…              one trajectory a line, see `worldengine.rollout.shards`
```

In: a folder. Out: the manifest, Machines, rows. Reading goes line by line, skips what cannot
be read and says where. Refused: files that lead out of the folder or are no regular files,
Machines that are not what the manifest calls them. `worldengine.rollout.writing` writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from worldengine.machine import Machine
from worldengine.machine.errors import MachineError
from worldengine.machine.storage import LIMIT, from_json
from worldengine.rollout import shards
from worldengine.rollout.contradictions import contradiction
from worldengine.rollout.seeds import Part
from worldengine.rollout.shards import DamagedShard, Packing
from worldengine.rollout.trajectory import (
    CommandSet,
    Hash,
    PlayerRecord,
    Record,
    Trajectory,
)


class RunError(ValueError):
    """The folder is not a run, or not one that may be used so; the message is for people."""


class WorldRecord(Record):
    name: str
    machine_hash: Hash


class Manifest(Record):
    """What a run was asked to do. No clock and no path: equal requests, equal bytes.
    `packing` is how full shards are kept."""

    format: Literal[1] = 1
    program: str
    player: PlayerRecord
    command_set: CommandSet
    seed: int
    episodes: int = Field(ge=0)
    variant: int | None
    part: Part = "all"
    """Which starts the episodes go through; of no account where `variant` names one."""
    starts: int = Field(default=0, ge=0)
    """How many of them at most, in each world; 0 for all."""
    packing: Packing = "plain"
    imported: bool = False
    """Whether the plays come from elsewhere: their starts are then their own."""
    worlds: tuple[WorldRecord, ...]

    def same_request(self, other: Manifest) -> bool:
        """Whether one may go on where the other stopped: all but the number of episodes."""
        return self.model_copy(update={"episodes": other.episodes}) == other


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a run: a trajectory, or the reason why it is none. `line` is as it stands
    in the file, without its end."""

    where: str
    trajectory: Trajectory | None
    problem: str
    line: bytes = b""


class Run:
    """A run's folder, for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "manifest.json").is_file():
            raise RunError(f"{folder} holds no run: there is no manifest.json in it")
        self.manifest = self._manifest()
        self._names = {world.machine_hash: world.name for world in self.manifest.worlds}

    def _manifest(self) -> Manifest:
        path = self._inside("manifest.json")
        if path.stat().st_size > shards.LINE_LIMIT:
            raise RunError(f"the manifest of {self.folder} is too large to be one")
        try:
            return Manifest.model_validate_json(path.read_bytes())
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
            what = error.errors()[0]["msg"]
            told = f"{where}: {what}" if where else what.replace("Input", "it", 1)
            raise RunError(f"the manifest of {self.folder} is not valid: {told}") from None

    def _inside(self, name: str) -> Path:
        """A file of the run; a link that leads out of the folder is refused."""
        path = self.folder / name
        try:
            contained = path.resolve().is_relative_to(self.folder.resolve())
        except (OSError, RuntimeError):  # a link to itself
            contained = False
        if not contained:
            raise RunError(f"{name} in {self.folder} leads out of the run's folder")
        if path.exists() and not path.is_file():  # a pipe would be waited for without end
            raise RunError(f"{name} in {self.folder} is not a regular file")
        return path

    def machine(self, machine_hash: str) -> Machine:
        """One Machine of the run, checked against its hash and against the name that the
        manifest gives it."""
        path = self._inside(f"machines/{machine_hash}.json")
        if not path.is_file():
            raise RunError(f"the run lacks the machine {machine_hash}")
        if path.stat().st_size > LIMIT:
            raise RunError(f"the machine {machine_hash} is too large")
        try:
            machine = from_json(path.read_bytes())
        except MachineError as error:
            raise RunError(f"the machine {machine_hash} cannot be read: {error}") from None
        if machine.hash != machine_hash:
            raise RunError(f"the machine {machine_hash} is not what its name says")
        name = self._names.get(machine_hash)
        if name is not None and name != machine.name:
            raise RunError(
                f"the manifest of {self.folder} calls a world {json.dumps(name)} that is "
                f"{json.dumps(machine.name)}"
            )
        variant = self.manifest.variant
        if variant is not None and not 0 <= variant < len(machine.variants):
            raise RunError(
                f"the manifest of {self.folder} asks for start variant {variant}, but "
                f"{machine.name} has 0..{len(machine.variants) - 1}"
            )
        return machine

    def shards(self) -> tuple[Path, ...]:
        """The files that hold trajectories, in order."""
        names = shards.numbered([item.name for item in self.folder.iterdir()])
        return tuple(self._inside(name) for name in names.values())

    def rows(self) -> Iterator[Row]:
        """Every line in order, one at a time; bad ones come with their problem."""
        for shard in self.shards():
            yield from rows_of(shard)


def rows_of(shard: Path) -> Iterator[Row]:
    """The rows of one shard."""
    number = 0
    try:
        for number, line in enumerate(shards.lines(shard), start=1):
            yield _row(f"{shard.name}:{number}", line)
    except DamagedShard as error:
        yield Row(f"{shard.name}:{number + 1}", None, str(error))


def _row(where: str, line: bytes) -> Row:
    if len(line) > shards.LINE_LIMIT:
        return Row(where, None, "the line is too long")
    if not line.endswith(b"\n"):
        return Row(where, None, "the line is torn: it was cut off while being written")
    try:
        found = Trajectory.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return Row(where, None, f"not a trajectory: {place + ': ' if place else ''}{first['msg']}")
    told = contradiction(found)
    return (
        Row(where, None, f"not a trajectory: {told}") if told else Row(where, found, "", line[:-1])
    )


def apart(there: Manifest, wanted: Manifest) -> str:
    """In what two requests differ, for messages."""
    told = [
        f"{name} {_shown(one)}, here {_shown(other)}"
        for name, one, other in _held_together(there, wanted)
        if one != other
    ]
    before = {world.name: world.machine_hash for world in there.worlds}
    now = {world.name: world.machine_hash for world in wanted.worlds}
    for name, names in (("not its world", now.keys() - before.keys()),
                        ("its world, not named here:", before.keys() - now.keys())):  # fmt: skip
        told += [f"{name} {each}" for each in sorted(names)[:SHOWN]]
    changed = [name for name in before if now.get(name, before[name]) != before[name]]
    told += [f"the world {name} has been changed since" for name in changed[:SHOWN]]
    return "; ".join(told) or "its worlds stand in another order"


SHOWN = 5


def _held_together(one: Manifest, other: Manifest) -> Iterator[tuple[str, object, object]]:
    """What both were asked for, by the name that a person knows it by."""
    yield "program", one.program, other.program
    yield "player", one.player.name, other.player.name
    if one.player.name == other.player.name:
        here, there = one.player.settings, other.player.settings
        for key in sorted(here.keys() | there.keys()):
            yield key, here.get(key), there.get(key)
    yield "seed", one.seed, other.seed
    yield "commands", one.command_set, other.command_set
    yield "variant", one.variant, other.variant
    yield "part", one.part, other.part
    yield "starts", one.starts or "all", other.starts or "all"
    yield "packing", one.packing, other.packing
    yield "imported", one.imported, other.imported


def _shown(value: object) -> str:
    return "any" if value is None else json.dumps(value, ensure_ascii=False)
