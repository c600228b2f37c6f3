"""Writing a run: lines are appended, full shards are packed, nothing is ever lost.

In: lines. Out: a folder as `worldengine.rollout.storage` reads it. A line is written with one
call and belongs to the run once its line end is on disk: whoever opens a run for writing
first cuts a torn tail off, which costs the length of the tail, not of the file. Shards are
filled in the order of their numbers; one that was taken away is filled again. Refused: a
second writer, a folder or disk that takes no more, and runs with a line that cannot be read:
what it held is somebody's to decide on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from worldengine.machine import Machine
from worldengine.rollout import shards
from worldengine.rollout.done import Done
from worldengine.rollout.files import cut_torn_tail, replace
from worldengine.rollout.shelf import Shelf
from worldengine.rollout.storage import Manifest, Run, RunError, rows_of
from worldengine.rollout.trajectory import Trajectory

Seen = Callable[[Trajectory], None]


class Writer:
    """A run's folder, for appending. One writer at a time; use it as a context. `seen` is
    told every trajectory that is there already."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        machines: Iterable[Machine] | Shelf,
        seen: Seen | None = None,
    ) -> None:
        self.folder = folder
        self._packing = manifest.packing
        self._number, self._rows = 0, 0
        self._file = -1
        self._size = 0
        self._lock = -1
        worlds = Shelf.of(machines)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(folder)
            data = manifest.model_dump_json(indent=2).encode() + b"\n"
            if not (folder / "manifest.json").exists():
                _machines(folder, worlds)
                replace(folder / "manifest.json", data)
            self.done = Done(manifest)
            self._open = self._repaired(seen)
            self._next()
            _machines(folder, worlds)
            if (folder / "manifest.json").read_bytes() != data:  # it is to have more episodes
                replace(folder / "manifest.json", data)
        except OSError as error:
            self.close()
            raise RunError(_cannot(folder, error)) from error
        except BaseException:
            self.close()
            raise

    # -- opening -------------------------------------------------------------------------

    def _repaired(self, seen: Seen | None) -> dict[int, int]:
        """Takes away what a kill left half done. The shards that have room, with the number
        of their rows."""
        for beside in self.folder.glob("trajectories-*.part"):
            beside.unlink()
        found = Run(self.folder).shards()
        names = {path.name for path in found}
        for path in self.folder.glob("trajectories-*.jsonl"):
            if path.name not in names:  # packed already
                path.unlink()
        room: dict[int, int] = {}
        for number, shard in zip(map(_number, found), found, strict=True):
            if shard.suffix == ".jsonl":
                cut_torn_tail(shard)
            rows = self._scan(shard, seen)
            if shard.suffix == ".jsonl" and rows >= shards.SHARD_ROWS:
                shards.pack(shard, self._packing)
            elif rows < shards.SHARD_ROWS and shard.suffix == ".jsonl":
                room[number] = rows
        last = max(map(_number, found), default=-1)
        missing = set(range(last)) - set(map(_number, found))
        return dict(sorted((room | dict.fromkeys(missing, 0)).items())) | (
            {} if last in room else {last + 1: 0}
        )

    def _scan(self, shard: Path, seen: Seen | None) -> int:
        rows = 0
        for row in rows_of(shard):
            if row.trajectory is None:
                raise RunError(
                    f"{row.where} of {self.folder} cannot be read ({row.problem}); nothing was "
                    "changed. Put the file back as it was, or move it out of the run: its "
                    "episodes are then played again"
                )
            rows += 1
            new = self.done.add(row.trajectory.machine_hash, row.trajectory.episode)
            if new and seen is not None:
                seen(row.trajectory)
        return rows

    def _next(self) -> None:
        """The shard that lines go to now."""
        if self._open:
            self._number = min(self._open)
            self._rows = self._open.pop(self._number)
        else:
            self._number, self._rows = self._number + 1, 0

    # -- appending -----------------------------------------------------------------------

    def append(self, line: str) -> None:
        """One trajectory. Constant time: nothing that is there is looked at."""
        data = line.encode() + b"\n"
        if len(data) > shards.LINE_LIMIT or b"\n" in data[:-1]:
            raise RunError("a trajectory must be one line of bounded length")
        try:
            self._write(data)
            self._rows += 1
            if self._rows >= shards.SHARD_ROWS:
                path = self._close_shard()
                shards.pack(path, self._packing)
                self._next()
        except OSError as error:
            raise RunError(_cannot(self.folder, error)) from error

    def _write(self, data: bytes) -> None:
        if self._file < 0:
            path = self.folder / shards.file_name(self._number)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file = os.open(path, flags, 0o644)
            self._size = os.fstat(self._file).st_size
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._file, view) :]
        except OSError:
            os.ftruncate(self._file, self._size)  # the disk is full: leave whole lines
            raise
        self._size += len(data)

    def _close_shard(self) -> Path:
        # A killed process loses nothing that was written; only a power cut can, and then no
        # more than the open shard's last lines: syncing each line would cost more than play.
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
            self._file = -1
        return self.folder / shards.file_name(self._number)

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


def _number(shard: Path) -> int:
    return int(shard.name[len("trajectories-") :][:5])


def _cannot(folder: Path, error: OSError) -> str:
    why = error.strerror or str(error)
    return (
        f"cannot write to {folder}: {why}; what was played is kept: make room, or mend it, and "
        "go on with --resume"
    )


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


def _machines(folder: Path, worlds: Shelf) -> None:
    """Those that are not there yet; whoever reads one holds it against its hash."""
    (folder / "machines").mkdir(exist_ok=True)
    for machine_hash in worlds.labels:
        path = folder / "machines" / f"{machine_hash}.json"
        if path.is_dir():
            raise RunError(f"{path.name} in {folder / 'machines'} is a folder, not a machine")
        if not path.is_file():
            replace(path, worlds.json(machine_hash))
