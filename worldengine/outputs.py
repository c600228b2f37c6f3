"""Where a command may write: never inside a run, never over what it reads.

In: a path that a person named as a target, and the files that are read. Out: nothing. Refused
with `TargetError`: a file inside a run's folder, however it is reached; one of the files read,
also through a link; a run's folder, or one inside it, as a place for other
files or for another run.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class TargetError(ValueError):
    """Nothing may be written there; the message is for people."""


def refuse_file(target: Path, reads: Iterable[Path] = ()) -> None:
    """TargetError unless a file may be written at `target`."""
    if target.is_dir():
        raise TargetError(f"{target} is a folder; name a file")
    for path in reads:
        if same(target, path):
            raise TargetError(f"{target} is read here, and would be lost: name another file")
    run = run_around(target)
    if run is not None:
        raise TargetError(
            f"{target} lies inside the run {run}, whose files are never overwritten: "
            "name a file elsewhere"
        )


def refuse_folder(target: Path) -> None:
    """TargetError if `target` is a run's folder or lies in one."""
    run = target if holds_a_run(target) else run_around(target)
    if run is not None:
        where = "holds a run" if run is target else f"lies inside the run {run}"
        raise TargetError(f"{target} {where}, which nothing else is put into: name another folder")


def refuse_another_run(target: Path) -> None:
    """TargetError if `target` lies in a run's folder and is no run: a new one is not put there."""
    run = None if holds_a_run(target) else run_around(target)
    if run is not None:
        raise TargetError(
            f"{target} lies inside the run {run}, which nothing else is put into: name another "
            "folder"
        )


def run_around(target: Path) -> Path | None:
    """The run's folder that a path lies in, None if there is none. Links are followed."""
    try:
        parents = target.resolve().parents
    except (OSError, RuntimeError, ValueError):  # a link to itself, or no name at all
        raise TargetError(f"{str(target)[:200]!r} cannot be a file: name another") from None
    return next((folder for folder in parents if holds_a_run(folder)), None)


def holds_a_run(folder: Path) -> bool:
    """Whether a folder looks like a run: a manifest beside machines or trajectories."""
    try:
        if not (folder / "manifest.json").is_file():
            return False
        return (folder / "machines").is_dir() or any(folder.glob("trajectories-*"))
    except ValueError:  # a name that no file system takes
        return False


def same(one: Path, other: Path) -> bool:
    """Whether two names are of one file that is there."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
