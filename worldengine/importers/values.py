"""Values of JSON in a file: one a line, or one in all.

In: a file, of any size, plain or a packed shard of a run. Out: its values with the line they stand
in, or what is wrong with that line. Lines are taken one at a time, so memory does not grow with
their number; a document that goes over several lines is read whole, up to MOST_WHOLE bytes. A line
ends with a line feed and with nothing else: JSON may hold other separators as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from worldengine.rollout import shards

MOST_WHOLE = 64 << 20
"""Bytes of a document that goes over several lines, and of a text that is no JSON."""
NO_JSON, NO_TEXT = "format: this is no JSON", "format: this is not UTF-8 text"
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Value:
    """`problem` says why there is no value, "" where there is one."""

    line: int
    value: Any
    problem: str = ""


class Unreadable(ValueError):
    """The file is none that can be read; the message is for people."""


class TwiceSaid(ValueError):
    """A key that stands twice in an object: which of its values counts is anybody's guess."""


def in_file(path: Path) -> Iterator[Value]:
    """Every value of a file. Unreadable where it is none that can be read."""
    _regular(path)
    yield from _values(shards.lines(path), lambda: _bytes_of(path))


def in_text(text: str) -> Iterator[Value]:
    """The same of a text."""
    data = text.encode("utf-8", "replace")
    yield from _values(BytesIO(data), lambda: data)


def whole_text(path: Path) -> str:
    """A file in one piece. Unreadable where it is larger than MOST_WHOLE, or no text."""
    _regular(path)
    data = _bytes_of(path)
    if data is None:
        raise Unreadable(f"{path} is larger than {MOST_WHOLE >> 20} MiB; split it")
    try:
        return data.removeprefix(BOM).decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"line {number} of {path} is not UTF-8 text; save it as UTF-8") from None


def _regular(path: Path) -> None:
    if path.exists() and not path.is_file():  # a pipe would be waited for without end
        raise Unreadable(f"{path} is not a file")


def _bytes_of(path: Path) -> bytes | None:
    """All of a file; None where that is more than MOST_WHOLE."""
    if path.suffix not in (".zst", ".parquet"):
        with path.open("rb") as file:
            data = file.read(MOST_WHOLE + 1)
        return data if len(data) <= MOST_WHOLE else None
    found = bytearray()
    for line in shards.lines(path):
        found += line
        if len(found) > MOST_WHOLE or len(line) > shards.LINE_LIMIT:
            return None
    return bytes(found)


def _values(lines: Iterable[bytes], all_of: Callable[[], bytes | None]) -> Iterator[Value]:
    """`all_of` gives all lines in one piece, None where they are too many."""
    numbered = enumerate(lines, start=1)
    first = next(((at, line) for at, line in numbered if line.removeprefix(BOM).strip()), None)
    if first is None:
        return
    if _value(*first).problem:
        data = all_of()
        whole = None if data is None else _value(1, data, MOST_WHOLE)
        if whole is not None and whole.problem not in (NO_JSON, NO_TEXT):
            yield whole
            return
    for at, line in chain([first], numbered):
        if line.strip():
            yield _value(at, line)


def _value(at: int, line: bytes, most: int = 0) -> Value:
    most = most or shards.LINE_LIMIT
    if len(line) > most:
        return Value(at, None, f"format: the line is longer than {most >> 20} MiB")
    try:
        text = line.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        return Value(at, None, NO_TEXT)
    try:
        return Value(at, json.loads(text, object_pairs_hook=_object))
    except TwiceSaid as error:
        return Value(at, None, f"format: {error}")
    except (ValueError, RecursionError):
        return Value(at, None, NO_JSON)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise TwiceSaid(f"the key {json.dumps(key[:80])} stands twice in one object")
            seen.add(key)
    return found
