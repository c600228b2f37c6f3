"""Words on their way into a script: identifiers, quoting, lists, articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from worldengine.matching.names import article_for

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
PLURAL = frozenset({
    "brambles", "broken goggles", "fallen slates", "fallen stones", "figurehead's arms",
    "frozen hinges", "ivory dice", "jammed crates", "knucklebones", "leather gloves",
    "mooring chains", "nailed boards", "signal flags", "soap suds", "thick webs",
})  # fmt: skip
"""Names of several things at once."""
MASS = frozenset({
    "aluminium foil", "apple juice", "blue jelly", "butter", "candle wax", "chalk", "chocolate",
    "coconut oil", "dough", "ethanol", "fizzing foam", "frog spawn", "gallium", "glycerine",
    "green paint", "grey paint", "grey powder", "lemonade", "milk", "oatmeal", "orange juice",
    "orange paint", "pink paint", "plaster paste", "salt water", "sky blue paint", "soap",
    "sugar syrup", "violet paint", "water",
})  # fmt: skip
"""Names of what is not counted."""
ON = frozenset({
    "aqueduct", "boat deck", "coal wharf", "crow's walk", "crypt stairs", "east terrace",
    "flooded stair", "gull rock", "observation deck", "rope bridge", "sand bar", "skiway",
    "swing bridge", "tilted deck", "tower stairs", "towpath",
})  # fmt: skip
AT = frozenset({
    "bottom basin", "feeder weir", "fuel depot", "mill race", "mouth of the cave", "orchard wall",
    "seal colony", "side pond", "top lock", "tunnel mouth", "weather mast", "winding hole",
})  # fmt: skip
"""Places that one is on, and those that one is at; one is in all the others."""

_LETTERED = re.compile(r" [A-Z]$")


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
    if _LETTERED.search(name):
        return name
    if name in PLURAL or name in MASS:
        return f"some {name}"
    return f"{article_for(name)} {name}"


def flag(name: str) -> str:
    """What the declaration of a thing of this name has to say about its number."""
    proper = name in MASS or _LETTERED.search(name) is not None
    return "plural" if name in PLURAL else "proper" if proper else ""


def plural(name: str) -> str:
    """Several of a countable thing: `boxes`, `loaves of bread`."""
    head, of, rest = name.partition(" of ")
    if head.endswith("y") and head[-2:-1] not in "aeiou":
        head = f"{head[:-1]}ies"
    elif head.endswith("knife"):
        head = f"{head[:-2]}ves"
    elif head.endswith("loaf"):
        head = f"{head[:-1]}ves"
    elif head.endswith(("s", "x", "ch", "sh", "tomato", "potato")):
        head += "es"
    else:
        head += "s"
    return f"{head}{of}{rest}"


def at(place: str) -> str:
    """Where somebody is: `in the galley`, `on the rope bridge`."""
    return f"{'on' if place in ON else 'at' if place in AT else 'in'} the {place}"


def the(name: str) -> str:
    """With the definite article, where the name takes one: `plate A` does not."""
    return name if _LETTERED.search(name) else f"the {name}"


def listed(names: Sequence[str], word: str = "and") -> str:
    """`a, b and c`; `a, b, then c`."""
    if len(names) < 2:
        return "".join(names)
    comma = "," if word == "then" else ""
    return f"{', '.join(names[:-1])}{comma} {word} {names[-1]}"


def titled(name: str) -> str:
    """Every word with a capital letter, but the small ones."""
    small = {"of", "the", "with", "and"}
    return " ".join(word if word in small else capital(word) for word in name.split(" "))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
