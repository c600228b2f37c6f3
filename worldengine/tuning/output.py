"""Files of rows: JSON lines, the same with zstd, or Parquet, by the file's name.

In: rows, one at a time. Out: a file that is whole or not there: it is written beside the one
asked for and renamed over it at the end, so that an older file stays until then. No more than
a batch of rows is held. Refused: a folder, an unknown ending, a file inside a run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from worldengine.outputs import TargetError, refuse_file

BATCH = 500
"""Rows of one group of a Parquet file."""

LEVEL = 6


class OutputError(ValueError):
    """The file cannot be written so; the message is for people."""


class RowFile:
    """Use it as a context; `write` rows; the file appears when the context ends well and at
    least one row was written."""

    def __init__(self, out: Path, reads: Sequence[Path] = ()) -> None:
        try:
            refuse_file(out, reads)
        except TargetError as error:
            raise OutputError(str(error)) from None
        self.out = out
        self.rows = 0
        self._beside = out.with_name(out.name + ".part")
        self._sink: _Lines | _Table | None = None

    def __enter__(self) -> Self:
        self.out.parent.mkdir(parents=True, exist_ok=True)
        self._sink = _sink(self._beside, self.out.name)
        return self

    def write(self, row: dict[str, Any]) -> None:
        assert self._sink is not None, "write inside the context"
        self._sink.write(row)
        self.rows += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._sink is not None
        try:
            self._sink.close(complete=kind is None)
            if kind is None and self.rows:
                self._beside.replace(self.out)
        finally:
            self._beside.unlink(missing_ok=True)


def _sink(path: Path, name: str) -> _Lines | _Table:
    if name.endswith((".jsonl", ".json")) or "." not in name:
        return _Lines(path, compress=False)
    if name.endswith(".jsonl.zst"):
        return _Lines(path, compress=True)
    if name.endswith(".parquet"):
        return _Table(path)
    raise OutputError(f"{name} should end in .jsonl, .jsonl.zst or .parquet")


class _Lines:
    def __init__(self, path: Path, compress: bool) -> None:
        compressor: Any = None
        if compress:
            import zstandard

            compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._raw = path.open("wb")
        self._file: Any = self._raw
        if compressor is not None:
            self._file = compressor.stream_writer(self._raw, closefd=False)

    def write(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def close(self, complete: bool) -> None:
        try:
            if self._file is not self._raw:
                self._file.close()
            if complete:
                self._raw.flush()
                os.fsync(self._raw.fileno())
        finally:
            self._raw.close()


class _Table:
    """Columns as the first batch has them; all rows of a format have the same ones."""

    def __init__(self, path: Path) -> None:
        import pyarrow
        import pyarrow.parquet

        self._arrow, self._parquet = pyarrow, pyarrow.parquet
        self._path = path
        self._writer: Any = None
        self._batch: list[dict[str, Any]] = []

    def write(self, row: dict[str, Any]) -> None:
        self._batch.append(row)
        if len(self._batch) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        if not self._batch:
            return
        schema = None if self._writer is None else self._writer.schema
        table = self._arrow.Table.from_pylist(self._batch, schema=schema)
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self._path, table.schema)
        self._writer.write_table(table)
        self._batch.clear()

    def close(self, complete: bool) -> None:
        try:
            if complete:
                self._flush()
        finally:
            if self._writer is not None:
                self._writer.close()
        if complete and self._writer is not None:
            with self._path.open("rb") as file:
                os.fsync(file.fileno())
