"""The player's own words, as a refusal may repeat them.

In: a command as typed and as normalised. Out: any part of the normalised text in the letters
in which it was typed, clipped and cleaned. What is repeated depends on what was typed alone,
so that it can say nothing of what exists.
"""

from __future__ import annotations

from worldengine.matching.normal import ARTICLES, clean, normalise, spelt

SHOWN = 60
"""Characters of the player's own words that a refusal repeats."""

DETERMINERS = frozenset({*ARTICLES, "your", "his", "her", "its", "our", "their"})
"""Words in front of a name which "You see no … here" cannot take over."""


class Echo:
    """One command, kept for repeating it."""

    __slots__ = ("_normal", "_typed")

    def __init__(self, text: str, normal: str) -> None:
        typed = text if text.isascii() and text.lower() == normal else spelt(text)
        # A letter whose folding is longer (ß) would shift all that follows: better no capitals.
        fits = len(typed) == len(normal) and (typed.lower() == normal or normalise(typed) == normal)
        self._normal, self._typed = normal, typed if fits else normal

    def words(self, part: str) -> str:
        """A part of the normalised text as it was typed. The last place where it stands
        counts: what is wrong is a name more often than the verb before it."""
        at = self._normal.rfind(part)
        return shown(self._typed[at : at + len(part)] if at >= 0 else part)

    def name(self, part: str) -> str:
        """The same without the article or possessive in front."""
        return undetermined(self.words(part))


def undetermined(name: str) -> str:
    """A name in any letters without the article or possessive it begins with."""
    first, _, rest = name.partition(" ")
    return rest if rest and first.casefold() in DETERMINERS else name


def shown(words: str) -> str:
    """Words clipped and cleaned."""
    cleaned = clean(words)
    return cleaned if len(cleaned) <= SHOWN else cleaned[: SHOWN - 1].rstrip() + "…"
