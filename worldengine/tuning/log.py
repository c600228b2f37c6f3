"""The log of a run: one CSV that equal runs write equally, and TensorBoard for who wants it.

In: figures by update. Out: `OUT/log.csv`; no clock stands in it. A run that goes on cuts off
what was logged after the checkpoint it goes on from. Speeds go to TensorBoard and to the
summary alone.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COLUMNS = (
    "update", "trained_tokens", "tokens", "loss", "rate", "gradient",
    "validation_loss", "validation_success",
)  # fmt: skip


class Log:
    """Appends rows; use `close` at the end."""

    def __init__(self, out: Path, after: int, tensorboard: bool) -> None:
        self.path = out / "log.csv"
        kept = [row for row in read(self.path) if int(row["update"]) <= after]
        self._file = self.path.open("w", encoding="utf-8", newline="")
        self._writer = csv.DictWriter(self._file, COLUMNS, lineterminator="\n")
        self._writer.writeheader()
        self._writer.writerows(kept)
        self._file.flush()
        self._board: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(out / "tensorboard"))

    def write(self, figures: Mapping[str, float | int]) -> None:
        """One row; what has no figure stays empty."""
        row = {name: _cell(figures.get(name)) for name in COLUMNS}
        self._writer.writerow(row)
        self._file.flush()
        if self._board is not None:
            for name, value in figures.items():
                self._board.add_scalar(name, value, int(figures["update"]))

    def close(self) -> None:
        self._file.close()
        if self._board is not None:
            self._board.close()


def _cell(value: float | int | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a log; none where there is no such file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file) if row.get("update", "").isdigit()]
