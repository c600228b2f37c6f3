"""TOML and JSON files that a person or a stranger wrote, read so that none can do harm.

In: a path, or text. Out: plain values. Refused, in one sentence each (`DocumentError`): what
is too large, nested too deeply, no UTF-8, no TOML or JSON, or holds a number beyond 64 bits.
A byte order mark in front is passed over. Depth is looked at before TOML is parsed: its
parser calls itself for every bracket, and takes time with the square of a dotted name.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

LIMIT: Final = 1 << 20
"""Bytes of a file of settings; far more than anybody writes."""
JSON_LIMIT: Final = 64 << 20
DEEPEST: Final = 32
"""Brackets in one another, and names with dots between them."""
LEAST, MOST = -(1 << 63), (1 << 63) - 1
"""Integers as TOML has them."""

_PIECE = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\\?\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"
    r"|[][{}.,=\n]",
    re.DOTALL,
)
"""Strings and comments, to pass over; and the signs that count. A string without an end is
one, too: the parser stops there, and looking for the end again from each quote takes hours."""


class DocumentError(ValueError):
    """A file cannot be read as what it should be; the message is for people."""


def toml(path: Path, limit: int = LIMIT) -> dict[str, Any]:
    """The entries of a TOML file of at most `limit` bytes."""
    text = _text(path, limit)
    if _too_deep(text):
        raise DocumentError(f"{path} is nested more than {DEEPEST} deep; nothing needs that")
    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DocumentError(f"{path} is not TOML: {error}") from None
    except (ValueError, RecursionError):  # a decimal that Python refuses to read
        raise DocumentError(f"{path} holds a number that is too long") from None
    _check(entries, path)
    return entries


def json_of(path: Path, limit: int = JSON_LIMIT) -> Any:
    """The value in a JSON file of at most `limit` bytes."""
    text = _text(path, limit)
    try:
        return json.loads(text)
    except RecursionError:
        raise DocumentError(f"{path} is nested too deeply to be read") from None
    except ValueError as error:
        place = f": {error}" if isinstance(error, json.JSONDecodeError) else ""
        raise DocumentError(f"{path} is not JSON{place}") from None


def _text(path: Path, limit: int) -> str:
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise DocumentError(f"{path} is larger than {limit:,} bytes, too large to be read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{path} is not UTF-8 text (byte {error.start + 1}); save it as UTF-8"
        ) from None


def _too_deep(text: str) -> bool:
    """Whether brackets or dots go too deep. It holds for as much of a text as is TOML, and
    the parser goes no further than that."""
    depth = dots = 0
    for found in _PIECE.finditer(text):
        sign = found[0]
        if sign == ".":
            dots += 1
        elif sign in ("[", "{"):
            depth, dots = depth + 1, 0
        elif sign in ("]", "}"):
            depth, dots = max(0, depth - 1), 0
        elif sign in (",", "=", "\n"):
            dots = 0
        if depth > DEEPEST or dots > DEEPEST:
            return True
    return False


def _check(entries: dict[str, Any], path: Path) -> None:
    """Integers have 64 bits. Without calling itself, though depth is bounded by now."""
    left: list[tuple[str, Any]] = list(entries.items())
    while left:
        name, value = left.pop()
        if isinstance(value, dict):
            left += [(f"{name}.{inner}", each) for inner, each in value.items()]
        elif isinstance(value, list):
            left += [(name, each) for each in value]
        elif isinstance(value, int) and not LEAST <= value <= MOST:
            raise DocumentError(f"{path}: `{name}`: the number is too large; TOML has 64 bits")
