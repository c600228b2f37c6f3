"""Names from elsewhere → names of the language: one letter case, no hyphens, no word taken twice.

Objects, facts and derived values share one space here, though the language would let some of
them share names: a bare name in a script should mean one thing to its reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from worldengine.syntax.words import CLASSES, KEYWORDS, SCOPES

_FUNCTIONS: Final = {
    "any", "all", "count", "sum", "min", "max", "next", "prev", "prior", "changed", "inside",
    "passable", "in_light", "carried_count", "none", "nowhere", "turn", "look", "describe",
    "refusal",
}  # fmt: skip
TAKEN: Final = frozenset({*KEYWORDS, *SCOPES, *CLASSES, *_FUNCTIONS})
TAKEN_KINDS: Final = frozenset(
    {
        *TAKEN, "thing", "container", "surface", "door", "person", "device", "openable", "exit",
        "int", "integer", "number", "string", "str", "boolean", "enum",
    }
)  # fmt: skip
TAKEN_ACTIONS: Final = frozenset({*KEYWORDS, "look", "examine", "inventory", "wait"})


def identifier(text: str) -> str:
    """The nearest name the language takes."""
    made = re.sub(r"[^a-z0-9_]", "_", text.lower().lstrip("?"))
    return made if re.match(r"[a-z_]", made) else f"n{made}"


def words(name: str) -> str:
    """The name as words: `pick-up` is `pick up`, `shakerLevel` stays one."""
    return " ".join(re.split(r"[-_]+", name.strip("-_"))) or name


class Space:
    """Hands out names, each once. `marker` tells apart what would clash."""

    def __init__(self, taken: Iterable[str], marker: str) -> None:
        self.taken = set(taken)
        self.marker = marker

    def name(self, text: str) -> str:
        made = identifier(text)
        if made in self.taken:
            made = self.marker.format(made)
        first, number = made, 2
        while made in self.taken:
            made, number = f"{first}_{number}", number + 1
        self.taken.add(made)
        return made


def article(name: str) -> str:
    """`a_door`, `an_exit`: kinds whose name the language has given away already."""
    return f"{'an' if name[0] in 'aeiou' else 'a'}_{name}"
