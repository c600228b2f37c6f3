"""What ships with the package: grammars, worlds, the terminal app's style sheet.

In: a name. Out: text or a path. In a checkout the folders stand beside the package; in a
wheel they are `worldengine.grammars`, `worldengine.worlds`, `worldengine.tui`. Both work
without an installation. Refused: names that would leave those folders.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def folder(name: str) -> Path:
    """The folder `grammars`, `worlds` or `tui`, wherever this installation keeps it."""
    package = Path(__file__).resolve().parent
    for candidate in (package / name, package.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"this installation of worldengine lacks its folder {name!r}")


def read(name: str, file: str) -> str:
    """The text of one shipped file, as in `read("grammars", "world.lark")`."""
    return (folder(name) / Path(file).name).read_text(encoding="utf-8")


def shipped_worlds() -> tuple[Path, ...]:
    """Every world that ships, by name. The verbs' library is not a world."""
    return tuple(sorted(folder("worlds").glob("*.world")))


def shipped_world(name: str) -> Path | None:
    """The shipped world called `name`, as in `tide_clock`, or None."""
    for path in shipped_worlds():
        if path.stem == name.removesuffix(".world"):
            return path
    return None
