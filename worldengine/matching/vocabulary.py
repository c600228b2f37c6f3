"""The names that each parameter of an action answers to.

In: a Machine. Out: for a parameter a `Vocabulary`: normalised names → the objects or symbols
that bear them, in the order of declaration. A thing answers to its printed name and its
aliases, each also without the article it begins with; a numbered one also to its name without
the number; an exit in one of the usual directions
also to its abbreviation; an enum value to its id, its id in words and its display text. A name
with signs in its words also answers without them ("Mrs Adeyemi" for "Mrs. Adeyemi", "backupsh"
for "backup.sh") unless that is another's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from worldengine.machine.schema import Machine, Object, Parameter, Symbol
from worldengine.matching.normal import normalise, without_article

_NUMBER = re.compile(r" [0-9]+$")
_SIGNS = re.compile(r"(?<=\w)[.,'!?:;](?![0-9])|(?<=[^\W0-9])[.,'!?:;](?=[0-9])")
"""Signs at the end of a word or within it; not between digits (3.5 bar is not 35)."""

DIRECTIONS: Mapping[str, str] = {
    "north": "n",
    "south": "s",
    "east": "e",
    "west": "w",
    "northeast": "ne",
    "northwest": "nw",
    "southeast": "se",
    "southwest": "sw",
    "up": "u",
    "down": "d",
    "in": "",
    "out": "",
}
"""The usual directions and their abbreviations: words everybody knows, exits or not."""
ABBREVIATIONS = frozenset(DIRECTIONS.values()) - {""}
_WAYS = (
    "aboard across aft ashore back backward backwards downstairs fore forward forwards inside"
    " left outside right upstairs"
)
WAYS = frozenset(_WAYS.split())
"""Other words that say a way in any world. They too may be answered as a way that is not
here: who types them learns nothing. An exit word of the author's own is no such word."""
DIRECTION_WORDS = frozenset(DIRECTIONS) | ABBREVIATIONS | WAYS


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`bearers[name]` bear the name in some way; `primary[name]` are printed so."""

    bearers: Mapping[str, tuple[int, ...]]
    primary: Mapping[str, tuple[int, ...]]

    def find(self, text: str) -> tuple[int, ...]:
        """Who is meant by normalised text, which may begin with an article."""
        found = self.bearers.get(text)
        return found if found is not None else self.bearers.get(without_article(text), ())

    def preferred(self, text: str, among: tuple[int, ...]) -> tuple[int, ...]:
        """Of several that bear a name, those that are printed so, if there are any: a thing
        named "key" stays within reach beside a "brass key" that is also called "key"."""
        primary = self.primary.get(text) or self.primary.get(without_article(text), ())
        return tuple(value for value in among if value in primary) or among

    def by_length(self) -> tuple[str, ...]:
        """All names, longest first, so that an alternation prefers the whole name."""
        return tuple(sorted(self.bearers, key=lambda name: (-len(name), name)))


def object_names(subject: Object) -> tuple[str, ...]:
    """The normalised names of an object, the printed one first."""
    names = [normalise(subject.name), *map(normalise, subject.aka)]
    if subject.numbered:  # "jar" is any jar
        names.append(_NUMBER.sub("", names[0]))
    if subject.role == "exit" and DIRECTIONS.get(names[0]):
        names.append(DIRECTIONS[names[0]])
    return _distinct([*names, *map(without_article, names)])


def symbol_names(symbol: Symbol) -> tuple[str, ...]:
    """The normalised names of an enum value, its display text first."""
    spaced = normalise(symbol.id.replace("_", " "))
    return _distinct([normalise(symbol.display), spaced, normalise(symbol.id)])


def vocabulary(machine: Machine, parameter: Parameter) -> Vocabulary:
    """The names a parameter answers to; a number's vocabulary is empty."""
    bearers: dict[str, list[int]] = {}
    primary: dict[str, list[int]] = {}
    for value in parameter.candidates:
        if parameter.type == "symbol":
            names = symbol_names(machine.symbols[value])
            first = names[:1]
        else:
            names = object_names(machine.objects[value])
            first = _distinct([names[0], without_article(names[0])]) if names else ()
        for name in names:
            bearers.setdefault(name, []).append(value)
        for name in first:
            primary.setdefault(name, []).append(value)
    add_unsigned(bearers)
    return Vocabulary(_frozen(bearers), _frozen(primary))


def add_unsigned(bearers: dict[str, list[int]]) -> None:
    """Let all bearers also answer to their names without signs, where nobody is named so."""
    found: dict[str, list[int]] = {}
    for name, values in bearers.items():
        unsigned = _SIGNS.sub("", name)
        if unsigned != name and unsigned and unsigned not in bearers:
            found.setdefault(unsigned, []).extend(values)
    bearers.update(found)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Names once each, in order, without the empty one."""
    return tuple(name for name in dict.fromkeys(names) if name)


def _frozen(names: Mapping[str, list[int]]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(dict.fromkeys(values)) for name, values in names.items()}
