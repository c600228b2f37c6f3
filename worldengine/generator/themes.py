"""Themes: word lists of our own, one TOML file each, from which a world takes all its words.

In: a name. Out: a `Theme` whose pools are drawn from without repetition. What a theme lacks
it does not offer: a part that finds its pool empty is not used.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from worldengine.generator.words import Names

FOLDER = Path(__file__).parent / "themes"


@dataclass(frozen=True)
class Theme:
    """`words` are the lists of the file by name."""

    name: str
    words: dict[str, Any]

    def pool(self, name: str) -> Pool:
        return Pool(list(self.words.get(name, [])))

    def one(self, name: str, random: Random) -> Any:
        return random.choice(self.words[name])


class Pool:
    """Entries of which each is drawn once. An entry is a name, or a list that begins with one."""

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries

    def left(self, names: Names) -> bool:
        return any(_free(entry, names) for entry in self.entries)

    def draw(self, random: Random, names: Names) -> Any:
        """An entry whose name the world does not have yet, or None."""
        free = [index for index, entry in enumerate(self.entries) if _free(entry, names)]
        if not free:
            return None
        return self.entries.pop(random.choice(free))


def _free(entry: Any, names: Names) -> bool:
    return names.is_free(entry if isinstance(entry, str) else str(entry[0]))


@cache
def theme_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def theme(name: str) -> Theme:
    """The theme called `name`; KeyError if there is none."""
    if name not in theme_names():
        raise KeyError(name)
    return Theme(name, tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))
