"""What a step of many episodes gives on a device, and what a slot is there.

As `episodes`, in tensors. Columns have one row a slot. Nothing here acts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from torch import Tensor

from worldengine.batch.tensors.tables import TorchStep


@dataclass(frozen=True)
class TorchTurn:
    """What one step gave; tensors on the device, as in `episodes.Turn`."""

    texts: Tensor  # (n,) int64
    outcomes: Tensor  # (n,) int64
    failed: Tensor  # (n,) int64
    progress: Tensor  # (n,) float64
    scores: Tensor  # (n,) float64
    won: Tensor  # (n,) bool
    lost: Tensor  # (n,) bool
    truncated: Tensor  # (n,) bool
    began: Tensor  # (n,) bool
    final: Tensor  # (n,) int64
    step: TorchStep

    @property
    def terminated(self) -> Tensor:
        """(n,) won or lost."""
        return self.won | self.lost


@dataclass(frozen=True)
class TorchSnapshot:
    """Everything that a slot is, for some slots, on the device; as `episodes.Snapshot`."""

    hashes: tuple[str, ...]
    states: Tensor  # (n, width)
    worlds: Tensor  # (n,)
    fixed: Tensor  # (n,)
    variants: Tensor  # (n,)
    seeds: Tensor  # (n,)
    episodes: Tensor  # (n,)
    turns: Tensor  # (n,)
    over: Tensor  # (n,)


SLOT = tuple(item.name for item in fields(TorchSnapshot) if item.name != "hashes")
