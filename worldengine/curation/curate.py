"""Curation: from runs to a selection.

In: runs, what is wanted. Out: a selection and what became of every trajectory, counted by
reason. In this order: verified, filtered, freed of exact duplicates and of near ones, balanced,
split by world, checked for leaks. Trajectories go by one at a time; what stays of each does
not grow with its length. The runs are not touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from worldengine.curation import selection
from worldengine.curation.balance import Entry, balanced, entry
from worldengine.curation.duplicates import COMPARED, NearDuplicates, fingerprint
from worldengine.curation.filters import KINDS, Limits, limits, unfit
from worldengine.curation.splits import SplitError, leaks, split, structure
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verify import verified

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted. `near` is the share of common wording from which on a trajectory counts
    as a repetition, 0 for keeping near duplicates; `near_by` says whether what was `said` or what
    was `done` is compared; `shares` {} for no split."""

    limits: Limits = field(default_factory=limits)
    near: float = 0.8
    near_by: str = "said"
    total: int = 0
    per_world: int = 0
    shares: dict[str, float] = field(default_factory=dict)
    seed: int = 0

    def told(self) -> dict[str, Any]:
        """The request as it stands at the head of a selection."""
        wanted = self.limits
        return {
            "statuses": list(wanted.statuses),
            "turns": list(wanted.turns),
            "pairs": list(wanted.pairs),
            "progress": wanted.progress,
            "characters": wanted.characters,
            "kinds": list(wanted.kinds),
            "without": list(wanted.without),
            "near": self.near,
            "near_by": self.near_by,
            "total": self.total,
            "per_world": self.per_world,
            "shares": self.shares,
            "seed": self.seed,
        }


@dataclass(slots=True)
class Curated:
    """What came of it. `left_out` goes by reason, the end of `trajectories that …`."""

    trajectories: int = 0
    kept: list[Entry] = field(default_factory=list)
    splits: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    rejected: int = 0
    first_rejected: str = ""
    leaks: list[str] = field(default_factory=list)

    def split_of(self, each: Entry) -> str:
        return self.splits.get(each.machine_hash, "")

    def told(self) -> dict[str, object]:
        """The summary as JSON."""
        by_split: dict[str, dict[str, Any]] = {}
        for name in dict.fromkeys(map(self.split_of, self.kept)):
            held = [each for each in self.kept if self.split_of(each) == name]
            by_split[name or "all"] = {
                "trajectories": len(held),
                "worlds": len({each.machine_hash for each in held}),
                "kinds": {kind: sum(kind in each.kinds for each in held) for kind in KINDS},
            }
        return {
            "trajectories": self.trajectories,
            "kept": len(self.kept),
            "worlds": len({each.machine_hash for each in self.kept}),
            "rejected": self.rejected,
            "left_out": dict(sorted(self.left_out.items())),
            "splits": by_split,
            "leaks": self.leaks,
        }


def curate(folders: Sequence[Path], request: Request, progress: Progress | None = None) -> Curated:
    """The selection; see `save` for its file."""
    runs = [Run(folder) for folder in folders]
    result = Curated()
    entries = list(_distinct(runs, request, result, progress))
    kept = balanced(entries, total=request.total, per_world=request.per_world, seed=request.seed)
    if len(kept) < len(entries):
        result.left_out["are more than was asked for of their world and kind"] = len(entries) - len(
            kept
        )
    result.kept = kept
    if request.shares and kept:
        structures = _structures(runs, kept)
        result.splits = split(kept, request.shares, structures, request.seed)
        result.leaks = leaks(kept, result.split_of, structures)
    return result


def save(path: Path, request: Request, result: Curated) -> None:
    """The selection as a file, for `export --selection`."""
    picked = (
        selection.Picked(
            id=each.id,
            world=each.world,
            machine_hash=each.machine_hash,
            split=result.split_of(each),
        )
        for each in result.kept
    )
    selection.write(path, selection.Head(request=request.told()), picked)


def _distinct(
    runs: Sequence[Run], request: Request, result: Curated, progress: Progress | None
) -> Iterator[Entry]:
    """Entries of what verifies, fits and repeats nothing before it."""
    exact: set[bytes] = set()
    near = NearDuplicates(request.near) if request.near else None
    compared = COMPARED[request.near_by]
    for trajectory in _verified(runs, result, progress):
        why = unfit(trajectory, request.limits)
        if not why:
            mark = fingerprint(trajectory)
            if mark in exact:
                why = "repeat another word by word"
            elif near is not None and near.add(compared(trajectory)) >= 0:
                why = "repeat another in nearly the same words"
            exact.add(mark)
        if why:
            result.left_out[why] += 1
        else:
            yield entry(trajectory)


def _verified(
    runs: Sequence[Run], result: Curated, progress: Progress | None
) -> Iterator[Trajectory]:
    total = sum(run.manifest.episodes * len(run.manifest.worlds) for run in runs)
    for run in runs:
        for row, reason in verified(run):
            result.trajectories += 1
            if progress is not None:
                progress(result.trajectories, max(total, result.trajectories))
            if reason or row.trajectory is None:
                where = row.trajectory.id if row.trajectory else row.where
                result.first_rejected = result.first_rejected or f"{where}: {reason}"
                result.rejected += 1
            else:
                yield row.trajectory


def _structures(runs: Sequence[Run], kept: Sequence[Entry]) -> dict[str, str]:
    """The structure of each world that is left."""
    homes = {world.machine_hash: run for run in reversed(runs) for world in run.manifest.worlds}
    worlds = dict.fromkeys(each.machine_hash for each in kept)
    return {world: structure(homes[world].machine(world)) for world in worlds}


__all__ = ["Curated", "Request", "SplitError", "curate", "save"]
