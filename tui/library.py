"""The worlds one can choose from when no file was named.

In: folders. Out: entries read from the first lines of each script, without compiling it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from worldengine.resources import shipped_worlds

from .rows import BLANK, Row, heading, row

_HEADER: Final = re.compile(r'^\s*world\s+(\w+)(?:\s+"((?:[^"\\]|\\.)*)")?', re.MULTILINE)
_PERSONA: Final = re.compile(r'^\s*persona\s+"((?:[^"\\]|\\.)*)"', re.MULTILINE)
HEAD: Final = 8_192
"""Characters at the front of a script that are looked at."""


@dataclass(frozen=True, slots=True)
class Entry:
    path: Path
    title: str
    persona: str


def entries(folder: Path) -> tuple[list[Entry], list[Entry]]:
    """The worlds in a folder, and those that ship."""
    own = [_entry(path) for path in sorted(folder.glob("*.world"))]
    return own, [_entry(path) for path in shipped_worlds()]


def _entry(path: Path) -> Entry:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(HEAD)
    except OSError:
        head = ""
    header, persona = _HEADER.search(head), _PERSONA.search(head)
    title = (header[2] or header[1]) if header else path.stem
    return Entry(path, _plain(title), _plain(persona[1]) if persona else "")


def _plain(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def rows(folder: Path) -> list[Row]:
    """The list to choose from."""
    own, shipped = entries(folder)
    shown: list[Row] = []
    for name, members in (("In this folder", own), ("Shipped with worldengine", shipped)):
        if members:
            shown += [BLANK] if shown else []
            shown += [heading(name), *(_row(entry) for entry in members)]
    return shown or [row("There is no world here. worldengine play FILE opens one.")]


def _row(entry: Entry) -> Row:
    return row(
        (f"{entry.path.stem:<18} ", "command"), entry.title, (f"  {entry.persona}", "muted"),
        action="world", value=entry.path, indent=20,
    )  # fmt: skip
