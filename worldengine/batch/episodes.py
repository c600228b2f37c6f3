"""What a step of many episodes gives, and what a slot is: the arrays of the episode layer.

Columns have one row a slot. Nothing here acts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from worldengine.batch.arrays import Integers


@dataclass(frozen=True)
class Turn:
    """What one step gave, one row a slot."""

    texts: NDArray[np.int64]  # (n,) ids of what the player reads; see BatchEnv.texts
    outcomes: NDArray[np.int8]  # (n,) accepted, parameter, place or logic
    failed: NDArray[np.int32]  # (n,) the requirement that failed, or as in `engine.Step`
    progress: NDArray[np.float64]  # (n,)
    scores: NDArray[np.float64]  # (n,) 1 where the episode was won in this step, else 0
    won: NDArray[np.bool_]  # (n,)
    lost: NDArray[np.bool_]  # (n,)
    truncated: NDArray[np.bool_]  # (n,)
    began: NDArray[np.bool_]  # (n,) a new episode began in this step
    final: NDArray[np.int64]  # (n,) same_step: the text that ended an episode, else 0

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """(n,) won or lost."""
        return self.won | self.lost


@dataclass(frozen=True)
class Snapshot:
    """Everything that a slot is, for some slots; of use to the same machines only."""

    hashes: tuple[str, ...]
    states: Integers  # (n, width)
    worlds: NDArray[np.int32]  # (n,)
    fixed: NDArray[np.int32]  # (n,)
    variants: NDArray[np.int32]  # (n,)
    seeds: NDArray[np.int64]  # (n,)
    episodes: NDArray[np.int64]  # (n,)
    turns: NDArray[np.int32]  # (n,)
    over: NDArray[np.bool_]  # (n,)


def rows_of(snapshot: Snapshot, rows: NDArray[np.int64]) -> Snapshot:
    """Copies of some rows."""
    changes: dict[str, Any] = {
        item.name: getattr(snapshot, item.name)[rows].copy()
        for item in fields(Snapshot)
        if item.name != "hashes"
    }
    return replace(snapshot, **changes)


def worlds_of(worlds: ArrayLike | None, size: int | None, machines: int) -> NDArray[np.int32]:
    """The machine of each slot, checked."""
    if worlds is None:
        return (np.arange(machines if size is None else size) % machines).astype(np.int32)
    chosen: NDArray[np.int32] = np.asarray(worlds, np.int32)
    if chosen.ndim != 1 or (size is not None and len(chosen) != size):
        raise ValueError(f"worlds must be of shape ({size},), not {chosen.shape}")
    if len(chosen) and not (chosen.min() >= 0 and chosen.max() < machines):
        raise ValueError(f"worlds are indices of the {machines} machines given")
    return chosen


def column_of(values: ArrayLike, count: int) -> NDArray[np.int32]:
    """One integer a slot, checked."""
    column = np.asarray(values)
    if column.shape != (count,) or not np.issubdtype(column.dtype, np.integer):
        raise ValueError(
            f"expected integers of shape ({count},), not {column.dtype} {column.shape}"
        )
    return column.astype(np.int32)


def other_engine(engine: str) -> str:
    """What to say to somebody who asks for another engine."""
    if engine == "torch":
        return "for the torch engine make a worldengine.batch.TorchBatch"
    return f"engines are numba and torch, not {engine!r}"
