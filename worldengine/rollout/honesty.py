"""Whether words name only what was shown: for thoughts that somebody else puts into words.

In: a Machine, the texts that were shown, words. Out: what is wrong with the words, "" if
nothing is. A name of anything in the world must have stood in the texts as such; so must any
word of a name or of the commands, for a part of a name gives it away as well; so must any
number, in digits or letters; and two things that are named in one sentence must have been
named in one sentence before, since who says where something lies may be making it up. This
is about what is named, not about what is said of it: that, nobody can check by words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.players.reply import Rewrite
from worldengine.players.shown.wording import sentences
from worldengine.runtime import Lexicon, lexicon, named

_WORD = re.compile(r"[^\W_]+")
_COUNTED = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
_NUMBERS = {word: number for number, word in enumerate(_COUNTED)} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "thousand": 1000, "twice": 2, "dozen": 12, "third": 3,
    "fourth": 4, "fifth": 5,
}  # fmt: skip
_ONE_OF = frozenset(
    {"the", "this", "that", "another", "which", "only", "right", "wrong", "next", "no", "some",
     "any", "each", "every", "first", "last", "other", "new", "same", "thing", "step"}
)  # fmt: skip
"""Words around a `one` that is no number, as in `this one` and `one thing`."""
PLAIN = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "but", "by", "do", "for", "from", "go", "had",
     "has", "have", "he", "her", "here", "his", "i", "if", "in", "into", "is", "it", "its",
     "just", "look", "me", "my", "no", "not", "now", "of", "off", "on", "or", "out", "over",
     "she", "so", "take", "that", "the", "their", "them", "then", "there", "they", "this", "to",
     "try", "up", "down", "use", "was", "way", "we", "what", "who", "with", "you", "your"}
)  # fmt: skip
"""Words that give nothing away, though they may stand in a name or a command."""

Names = frozenset[tuple[str, ...]]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Read:
    """What stands in one text: its words, its numbers, names, and pairs of names that one
    sentence holds."""

    words: frozenset[str]
    numbers: frozenset[int]
    names: Names
    pairs: frozenset[tuple[tuple[str, ...], tuple[str, ...]]]


def unshown(machine: Machine, texts: Sequence[str], words: str) -> Rewrite:
    """See the module: "name", "word", "number", "apart" or ""."""
    shown = [_read(machine, text) for text in texts]
    said = _read(machine, words)
    if said.names - _all(each.names for each in shown):
        return "name"
    if (said.words & _telling(machine)) - _all(each.words for each in shown):
        return "word"
    if said.numbers - _all(each.numbers for each in shown):
        return "number"
    return "apart" if said.pairs - _all(each.pairs for each in shown) else ""


def _all(sets: Iterable[frozenset[Item]]) -> frozenset[Item]:
    nothing: frozenset[Item] = frozenset()
    return nothing.union(*sets)


@by_machine(8)
def _lexicon(machine: Machine) -> Lexicon:
    return lexicon(machine)


@by_machine(8)
def _telling(machine: Machine) -> frozenset[str]:
    """The words of names and of commands."""
    found = {word for name in _lexicon(machine).names for word in name}
    for schema in machine.schemas:
        for form in schema.forms:
            for piece in form.template:
                if isinstance(piece, str):
                    found.update(_WORD.findall(piece.casefold()))
    return frozenset(map(_stem, found - PLAIN))


@by_machine(4_000)
def _read(machine: Machine, text: str) -> Read:
    pairs: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    names: set[tuple[str, ...]] = set()
    for sentence in sentences(text):
        here = sorted(set(named(sentence, _lexicon(machine))))
        names.update(here)
        pairs.update(combinations(here, 2))
    words = _WORD.findall(text.casefold())
    return Read(
        frozenset(map(_stem, words)),
        frozenset(_numbers(words)),
        frozenset(names),
        frozenset(pairs),
    )


def _stem(word: str) -> str:
    """A word without its plural's or its verb's `s`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


def _numbers(words: Sequence[str]) -> Iterable[int]:
    for at, word in enumerate(words):
        if word.isdecimal() and len(word) < 19:
            yield int(word)
        elif word == "one":
            around = {*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]}
            if not around & (_ONE_OF | {"of"}):
                yield 1
        elif word in _NUMBERS:
            yield _NUMBERS[word]
