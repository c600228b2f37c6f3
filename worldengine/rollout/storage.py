"""A run on disk: what was played, by whom, in which worlds.

```
RUN/manifest.json               versions, player, seed, command set, worlds by hash
RUN/machines/<hash>.json        every Machine, so that a run verifies by itself
RUN/trajectories-00000.jsonl    one trajectory a line, SHARD_ROWS lines a file
```

In: lines. Out: lines. A line is written with one call and belongs to the run once its line
end is on disk: whoever opens a run for writing first cuts a torn tail off, which costs the
length of the tail, not of the file. Reading goes line by line, skips what cannot be read and
says where. Refused: lines longer than LINE_LIMIT, files that lead out of the folder, a
second writer.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from pydantic import Field, ValidationError

from worldengine.machine import Machine
from worldengine.machine.errors import MachineError
from worldengine.machine.storage import LIMIT, from_json, to_json
from worldengine.rollout.files import cut_torn_tail, replace
from worldengine.rollout.seeds import Part
from worldengine.rollout.trajectory import (
    CommandSet,
    Counts,
    Hash,
    PlayerRecord,
    Record,
    Trajectory,
)

SHARD_ROWS = 1000
LINE_LIMIT = 16 * 1024 * 1024
_SHARD = re.compile(r"^trajectories-[0-9]{5}\.jsonl$")


class RunError(ValueError):
    """The folder is not a run, or not one that may be used so; the message is for people."""


class WorldRecord(Record):
    name: str
    machine_hash: Hash


class Manifest(Record):
    """What a run was asked to do. No clock and no path: equal requests, equal bytes."""

    format: Literal[1] = 1
    program: str
    player: PlayerRecord
    command_set: CommandSet
    seed: int
    episodes: int = Field(ge=0)
    variant: int | None
    part: Part = "all"
    """Which starts the episodes go through; of no account where `variant` names one."""
    worlds: tuple[WorldRecord, ...]

    def same_request(self, other: Manifest) -> bool:
        """Whether one may go on where the other stopped: all but the number of episodes."""
        return self.model_copy(update={"episodes": other.episodes}) == other


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a run: a trajectory, or the reason why it is none."""

    where: str
    trajectory: Trajectory | None
    problem: str


class Run:
    """A run's folder, for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "manifest.json").is_file():
            raise RunError(f"{folder} holds no run: there is no manifest.json in it")
        self.manifest = self._manifest()

    def _manifest(self) -> Manifest:
        path = self._inside("manifest.json")
        if path.stat().st_size > LINE_LIMIT:
            raise RunError(f"the manifest of {self.folder} is too large to be one")
        try:
            return Manifest.model_validate_json(path.read_bytes())
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
            what = error.errors()[0]["msg"]
            raise RunError(f"the manifest of {self.folder} is not valid: {where}: {what}") from None

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
        """One Machine of the run, checked against its hash."""
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
        variant = self.manifest.variant
        if variant is not None and not 0 <= variant < len(machine.variants):
            raise RunError(
                f"the manifest of {self.folder} asks for start variant {variant}, but "
                f"{machine.name} has 0..{len(machine.variants) - 1}"
            )
        return machine

    def shards(self) -> tuple[Path, ...]:
        names = sorted(item.name for item in self.folder.iterdir() if _SHARD.fullmatch(item.name))
        return tuple(self._inside(name) for name in names)

    def rows(self) -> Iterator[Row]:
        """Every line in order, one at a time; bad ones come with their problem."""
        for shard in self.shards():
            for number, line in enumerate(_lines(shard), start=1):
                yield _row(f"{shard.name}:{number}", line)


def _lines(path: Path) -> Iterator[bytes]:
    """Lines with their ends; what is longer than LINE_LIMIT comes cut off, once."""
    with path.open("rb") as file:
        while line := file.readline(LINE_LIMIT + 1):
            yield line
            rest = line
            while not rest.endswith(b"\n") and len(rest) > LINE_LIMIT:
                rest = file.readline(LINE_LIMIT + 1)


def _row(where: str, line: bytes) -> Row:
    if len(line) > LINE_LIMIT:
        return Row(where, None, "the line is too long")
    if not line.endswith(b"\n"):
        return Row(where, None, "the line is torn: it was cut off while being written")
    try:
        return Row(where, Trajectory.model_validate_json(line), "")
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return Row(where, None, f"not a trajectory: {place + ': ' if place else ''}{first['msg']}")


class Writer:
    """A run's folder, for appending. One writer at a time; use it as a context."""

    def __init__(self, folder: Path, manifest: Manifest, machines: tuple[Machine, ...]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder)
        try:
            _machines(folder, machines)
            replace(folder / "manifest.json", manifest.model_dump_json(indent=2).encode() + b"\n")
            self.done = self._repair()
        except BaseException:
            os.close(self._lock)
            raise

    def _repair(self) -> dict[str, tuple[str, Counts]]:
        """Cuts the torn tail off and finds which trajectories are there: how each ended."""
        run = Run(self.folder)
        shards = run.shards()
        if shards:
            cut_torn_tail(shards[-1])
        self._shard = max(len(shards) - 1, 0)
        self._rows = 0
        self._file = -1
        done: dict[str, tuple[str, Counts]] = {}
        for row in run.rows():
            shard = int(row.where[len("trajectories-") :][:5])
            self._rows = self._rows + 1 if shard == self._shard else 1
            self._shard = shard
            if row.trajectory is not None:
                done[row.trajectory.id] = row.trajectory.status, row.trajectory.counts
        return done

    def append(self, line: str) -> None:
        """One trajectory. Constant time: nothing that is there is looked at."""
        data = line.encode() + b"\n"
        if len(data) > LINE_LIMIT or b"\n" in data[:-1]:
            raise RunError("a trajectory must be one line of bounded length")
        if self._rows >= SHARD_ROWS:
            self._close_shard()
            self._shard, self._rows = self._shard + 1, 0
        if self._file < 0:
            path = self.folder / f"trajectories-{self._shard:05d}.jsonl"
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file = os.open(path, flags, 0o644)
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view) :]
        self._rows += 1

    def _close_shard(self) -> None:
        # A killed process loses nothing that was written; only a power cut can, and then no
        # more than the open shard's last lines: syncing each line would cost more than play.
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
            self._file = -1

    def close(self) -> None:
        """Safe to call twice."""
        self._close_shard()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _lock(folder: Path) -> int:
    """Held while the writer lives; the system lets go of it however the process ends."""
    handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        import fcntl
    except ImportError:  # a system without it: two writers are then the user's own care
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise RunError(f"another process is writing to {folder}") from None
    return handle


def _machines(folder: Path, machines: tuple[Machine, ...]) -> None:
    (folder / "machines").mkdir(exist_ok=True)
    for machine in machines:
        path = folder / "machines" / f"{machine.hash}.json"
        data = to_json(machine)
        if path.is_dir():
            raise RunError(f"{path.name} in {folder / 'machines'} is a folder, not a machine")
        if not path.is_file() or path.read_bytes() != data:
            replace(path, data)


def describe(manifest: Manifest) -> str:
    """The manifest in one line, for messages."""
    worlds = ", ".join(world.name for world in manifest.worlds)
    player = json.dumps(manifest.player.name)
    return f"player {player}, seed {manifest.seed}, {manifest.episodes} episodes of {worlds}"
