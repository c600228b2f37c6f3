"""Words on their way into a script: identifiers, quoting, lists, articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEYWORDS = """
world use kind place thing door container surface person device player fact derive start vary
action form require set say if else match each rule milestone win lose proof when once and or not
any all count sum min max next prev changed prior turn in is from among to through dark light open
locked key on exit describe read remove nowhere none visible held here reachable adjacent anywhere
logic parameter before after enum text bool carries with plural proper aka topic north south east
west up down worn portable content intro goal persona turns timeout push pull take drop put give
show talk ask wear look go leave enter wait examine inventory close unlock lock switch regex
"""
RESERVED = frozenset(_KEYWORDS.split())
"""Words that read oddly, or not at all, as identifiers."""


class Names:
    """Identifiers and display names, each given once."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.shown: set[str] = set()

    def ident(self, name: str) -> str:
        base = re.sub(r"\W+", "_", name.lower()).strip("_") or "item"
        if base in RESERVED or base[0].isdigit():
            base = f"the_{base}"
        made, number = base, 1
        while made in self.taken:
            number += 1
            made = f"{base}_no{number}"
        self.taken.add(made)
        return made

    def is_free(self, name: str) -> bool:
        return name.lower() not in self.shown

    def show(self, name: str) -> None:
        self.shown.add(name.lower())


def quoted(text: str) -> str:
    """A string of the language; braces that are meant as templates stay what they are."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def a(name: str) -> str:
    """With the indefinite article."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def the(name: str, proper: bool = False) -> str:
    return name if proper else f"the {name}"


def listed(names: Sequence[str], word: str = "and") -> str:
    """`a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
