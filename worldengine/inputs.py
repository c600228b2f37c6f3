"""Scripts from disk: names on a command line become sources.

In: paths, folders, names of shipped worlds. Out: sources, each with the diagnostics that
only reading its bytes can give. Refused: what is not there (`InputError`, a usage error);
a file that is no text is the author's matter and so a diagnostic.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from worldengine.diagnostics import Diagnostic
from worldengine.resources import shipped_world, shipped_worlds
from worldengine.source import Source, Span

READ_LIMIT = (1 << 20) + 4
"""A script may have 1 MiB; a little more is read, so that the compiler can say so."""
MOST_FILES = 10_000
PASSED_OVER = frozenset({"build", "dist", "site-packages", "node_modules", "venv", "__pycache__"})


class InputError(ValueError):
    """Something named on the command line cannot be used; the message is for people."""


@dataclass(frozen=True, slots=True)
class Script:
    """A source as read. With `problem` it is not to be compiled."""

    path: Path
    source: Source
    problem: Diagnostic | None = None


def find(names: Sequence[str], below: bool = True) -> tuple[Path, ...]:
    """Every `.world` file that `names` stand for: a file, a folder's files (with `below`
    also those in folders under it), or the name of a world that ships. Each once, in the
    order given. What rewrites files never looks below: `format /` must not be a disaster."""
    found: dict[Path, None] = {}
    for name in names:
        for path in _one(name, below):
            found[path] = None
    return tuple(found)


def _one(name: str, below: bool) -> tuple[Path, ...]:
    if not name:
        raise InputError("an empty name is no file")
    path = Path(name)
    try:
        if path.is_dir():
            inside = sorted(item for item in _files(path, below) if _is_world(item))
            if not inside:
                raise InputError(f"there is no .world file in {name}")
            return tuple(inside)
        if path.exists():
            return (path,)
    except InputError:
        raise
    except (OSError, ValueError) as error:  # a name no file system takes
        raise InputError(f"{name[:80]!r} cannot be a file: {_reason(error)}") from None
    shipped = shipped_world(name) if path.name == name else None
    if shipped is None:
        raise InputError(f"there is no file, folder or shipped world {name!r}{_near(name)}")
    return (shipped,)


def _near(name: str) -> str:
    """A script beside the one that is not there, or a shipped world, with a name like it. Who
    names a folder means no shipped world."""
    path = Path(name)
    beside = {item.name: str(item) for item in _beside(path.parent)}
    close = get_close_matches(path.name[:80], beside, n=1)
    if close:
        return f"; did you mean {beside[close[0]]}?"
    if path.name != name:
        return ""
    names = [item.stem for item in shipped_worlds()]
    close = get_close_matches(path.stem[:80].lower(), names, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _beside(folder: Path) -> tuple[Path, ...]:
    """The first scripts of a folder, by name; none where it cannot be listed."""
    try:
        return tuple(sorted(islice(folder.glob("*.world"), MOST_FILES)))
    except (OSError, ValueError):
        return ()


def shown(path: Path) -> str:
    """A script's name for people: a shipped world goes by its name wherever it is kept."""
    return path.stem if path.is_absolute() and path in shipped_worlds() else str(path)


def _files(folder: Path, below: bool) -> Iterator[Path]:
    """The scripts of a folder; hidden folders and installed packages are passed over."""
    count = 0
    for here, folders, names in os.walk(folder):
        for name in names:
            if name.endswith(".world"):
                count += 1
                if count > MOST_FILES:
                    raise InputError(f"{folder} holds more than {MOST_FILES} scripts: name fewer")
                yield Path(here, name)
        kept = [item for item in folders if item not in PASSED_OVER and not item.startswith(".")]
        folders[:] = sorted(kept) if below else []


def _is_world(path: Path) -> bool:
    """A folder called `library` holds verbs for other scripts, no worlds."""
    return path.is_file() and path.parent.name != "library"


def read(path: Path) -> Script:
    """The script in a file."""
    try:
        with path.open("rb") as file:
            data = file.read(READ_LIMIT)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {_reason(error)}") from None
    name = shown(path)
    try:
        return Script(path, Source(name, data.decode("utf-8").replace("\r\n", "\n")))
    except UnicodeDecodeError as error:
        if len(data) == READ_LIMIT and error.start >= READ_LIMIT - 4:
            return Script(path, Source(name, data.decode("utf-8", "replace")))
        return _not_text(path, data, error.start)


def _not_text(path: Path, data: bytes, offset: int) -> Script:
    before = data[:offset].decode("utf-8")
    source = Source(shown(path), before + data[offset:].decode("utf-8", "replace"))
    return Script(
        path,
        source,
        Diagnostic(
            "input-not-utf8",
            "error",
            "this is not UTF-8 text",
            Span(source, len(before), len(before) + 1),
            "save the script as UTF-8",
        ),
    )


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
