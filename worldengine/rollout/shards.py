"""Shards: the files in which a run keeps its trajectories, SHARD_ROWS lines each.

```
trajectories-00000.jsonl.zst    a full shard, packed (or .parquet, or plain .jsonl)
trajectories-00001.jsonl        the shard that is being written, plain
```

In: files. Out: lines. A full shard is packed beside itself and put in place whole, and only
then is the plain one taken away; where both are there the packed one counts. What is packed
is read in bounded pieces. Refused: files that cannot be unpacked (`DamagedShard`, with where).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, TypeAlias

Packing: TypeAlias = Literal["zstd", "plain", "parquet"]
SUFFIX: dict[Packing, str] = {"zstd": ".jsonl.zst", "parquet": ".parquet", "plain": ".jsonl"}

SHARD_ROWS = 1000
LINE_LIMIT = 16 * 1024 * 1024
LEVEL = 6
WINDOW = 1 << 27
"""A packed file that asks for more memory than this is not unpacked."""
BLOCK = 1 << 20
_NAME = re.compile(r"^trajectories-([0-9]{5})(\.jsonl|\.jsonl\.zst|\.parquet)$")


class DamagedShard(ValueError):
    """A shard that cannot be unpacked; the message is for people."""


def file_name(number: int, packing: Packing = "plain") -> str:
    return f"trajectories-{number:05d}{SUFFIX[packing]}"


def numbered(names: list[str]) -> dict[int, str]:
    """The file of each shard, by number, ascending. Packed ones come before plain ones."""
    found: dict[int, str] = {}
    for name in sorted(names):
        match = _NAME.fullmatch(name)
        if match and (int(match[1]) not in found or match[2] != ".jsonl"):
            found[int(match[1])] = name
    return dict(sorted(found.items()))


def default_packing() -> Packing:
    """zstd where the library is there."""
    try:
        import zstandard  # noqa: F401
    except ModuleNotFoundError:
        return "plain"
    return "zstd"


# -- reading -----------------------------------------------------------------------------


def lines(path: Path) -> Iterator[bytes]:
    """Lines with their ends; what is longer than LINE_LIMIT comes cut off, once."""
    if path.suffix == ".parquet":
        yield from _rows_of_a_table(path)
    elif path.suffix == ".zst":
        yield from _unpacked(path)
    else:
        try:
            file = path.open("rb")
        except FileNotFoundError:  # whoever writes the run has packed it since it was listed
            packed = [path.with_name(path.stem + end) for end in (".jsonl.zst", ".parquet")]
            here = next((each for each in packed if each.exists()), None)
            if here is None:
                raise
            yield from lines(here)
            return
        with file:
            yield from _lines(file, endless=False)


def _lines(file: IO[bytes], endless: bool) -> Iterator[bytes]:
    """`endless` files may unpack to more than anybody waits for: a line that is too long is
    then the last."""
    while line := file.readline(LINE_LIMIT + 1):
        yield line
        rest = line
        while not rest.endswith(b"\n") and len(rest) > LINE_LIMIT:
            if endless:
                return
            rest = file.readline(LINE_LIMIT + 1)


def _unpacked(path: Path) -> Iterator[bytes]:
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    with path.open("rb") as file:
        found = 0
        try:
            with unpacker.stream_reader(file, read_across_frames=True) as stream:
                for line in _lines(io.BufferedReader(stream, BLOCK), endless=True):
                    found += 1
                    if found > SHARD_ROWS:
                        raise DamagedShard(f"{path.name} holds more than {SHARD_ROWS} lines")
                    yield line
        except zstandard.ZstdError as error:
            raise DamagedShard(f"{path.name} is damaged: {error}") from None
    if not found:
        raise DamagedShard(f"{path.name} is damaged: there is nothing in it")


def _rows_of_a_table(path: Path) -> Iterator[bytes]:
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=64, columns=["line"]):
                for line in batch.column(0):
                    text: str = line.as_py() or ""
                    yield text.encode()[:LINE_LIMIT] + b"\n"
    except (pyarrow.ArrowException, OSError, KeyError) as error:
        what = str(error).split("\n")[0]
        raise DamagedShard(f"{path.name} is damaged: {what}") from None


# -- packing -----------------------------------------------------------------------------


def pack(path: Path, packing: Packing) -> Path:
    """A full plain shard in its final form, whole or not at all."""
    if packing == "plain":
        return path
    final = path.with_name(path.name.removesuffix(".jsonl") + SUFFIX[packing])
    beside = final.with_name(final.name + ".part")
    try:
        if packing == "zstd":
            _pack_zstd(path, beside)
        else:
            _pack_table(path, beside)
        beside.replace(final)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    path.unlink()
    return final


def _pack_zstd(path: Path, beside: Path) -> None:
    import zstandard

    packer = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    with path.open("rb") as source, beside.open("wb") as file:
        packer.copy_stream(source, file, size=path.stat().st_size)
        file.flush()
        os.fsync(file.fileno())


COLUMNS = (
    "id", "world", "machine_hash", "variant", "seed", "episode", "command_set", "status",
    "progress", "score",
)  # fmt: skip


def _pack_table(path: Path, beside: Path) -> None:
    """The columns one asks for, and each whole line: nothing of a trajectory is lost in a
    table, and nothing is said in it twice in different ways."""
    import json

    import pyarrow
    import pyarrow.parquet

    texts = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    records = [json.loads(text) for text in texts]
    columns = {name: [record[name] for record in records] for name in COLUMNS}
    columns["player"] = [record["player"]["name"] for record in records]
    columns["turns"] = [record["counts"]["turns"] for record in records]
    columns["refinements"] = [record["counts"]["refinements"] for record in records]
    columns["line"] = texts
    with beside.open("wb") as file:
        pyarrow.parquet.write_table(pyarrow.table(columns), file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())
