"""Wordings whose brackets are choices, each spun out once for all.

In: wordings like `I (will|want to) {do}.`, a generator's bits. Out: a `Spun` with gaps to be
filled. Brackets are chosen inside out, from the left, also those that the choice of an outer one
then leaves out: so what is drawn is as many bits for a wording whatever is chosen, and every
outcome can be kept under what was drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import itemgetter
from random import Random
from typing import TypeAlias

from worldengine.players.thoughts.chance import Bits

_GAP = re.compile(r"\{([A-Za-z ]+)\}")
_BRACKET = re.compile(r"\(([^()]*)\)")


class Spun:
    """A text with gaps: `text` as it stands, and what fills it."""

    __slots__ = ("_count", "_gaps", "_mould", "text")

    def __init__(self, text: str) -> None:
        pieces = _GAP.split(text)
        self.text = text
        self._gaps: Callable[[Mapping[str, str]], object] = itemgetter(*(pieces[1::2] or [""]))
        self._count = len(pieces) // 2
        self._mould = "%s".join(piece.replace("%", "%%") for piece in pieces[::2])

    def filled(self, gaps: Mapping[str, str]) -> str:
        """Its words. All gaps at once: what fills one is a world's, and may look like one."""
        return self._mould % self._gaps(gaps) if self._count else self.text


class Wording:
    """A text with brackets."""

    __slots__ = ("_choices", "_found", "gaps", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.gaps = frozenset(_GAP.findall(text))
        self._choices = tuple((count, count.bit_length()) for count in _counts(text))
        self._found: dict[int, Spun] = {}

    def spun(self, bits: Bits) -> Spun:
        """With a choice in place of every bracket: the same draws as `Random.choice`."""
        drawn = 0
        for count, width in self._choices:
            at = bits(width)
            while at >= count:
                at = bits(width)
            drawn = drawn * count + at
        found = self._found.get(drawn)
        return self._made(drawn) if found is None else found

    def _made(self, drawn: int) -> Spun:
        """What comes of some draws, the last one in the lowest place."""
        chosen: list[int] = []
        left = drawn
        for count, _ in reversed(self._choices):
            left, at = divmod(left, count)
            chosen.append(at)
        text = self.text
        while match := _BRACKET.search(text):
            choice = match[1].split("|")[chosen.pop()]
            text = text[: match.start()] + choice + text[match.end() :]
        found = self._found[drawn] = Spun(" ".join(text.split()))
        return found


def _counts(text: str) -> list[int]:
    """How many choices each bracket has, in the order in which they are made."""
    counts: list[int] = []
    while match := _BRACKET.search(text):
        counts.append(match[1].count("|") + 1)
        text = text[: match.start()] + text[match.end() :]
    return counts


Fitting: TypeAlias = tuple[tuple[Wording, ...], int, int]


class Pool:
    """Wordings of which one is to be chosen, of those whose gaps can be filled."""

    __slots__ = ("_fitting", "_wordings")

    def __init__(self, *texts: str) -> None:
        self._wordings = tuple(map(Wording, texts))
        self._fitting: dict[tuple[str, ...], Fitting] = {}

    def fitting(self, gaps: Mapping[str, str]) -> Fitting:
        """The wordings that have no other gaps, how many they are, the bits of that number."""
        names = tuple(gaps)
        found = self._fitting.get(names)
        if found is None:
            fits = tuple(each for each in self._wordings if each.gaps <= gaps.keys())
            found = self._fitting[names] = fits, len(fits), len(fits).bit_length()
        return found


def spun(text: str, random: Random) -> str:
    """A text with every bracket `(a|b|c)` replaced by one of its choices, inside out."""
    return Wording(text).spun(random.getrandbits).text
