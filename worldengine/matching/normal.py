"""One spelling for what people type: the text that every form and name is compared in.

In: any string at all, lone surrogates and control characters included. Out: text in Unicode
form NFKC, case folded, straight quotes, single spaces, nothing invisible. `normalise` is
idempotent, so names and commands can be normalised apart and compared. Never raises.
"""

from __future__ import annotations

import unicodedata

ARTICLES = ("the", "a", "an", "some", "my")
"""Ignored at the front of a name, unless the name itself begins so."""

_STRAIGHT = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\u0060\u00b4"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-"),
}


def clean(text: str) -> str:
    """The text without control, format and unassigned-half characters; spaces collapsed.

    Lone surrogates, which no file and no regular expression can carry, become U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    for character in text:
        category = unicodedata.category(character)
        if category == "Cs":
            kept.append("\ufffd")
        elif character.isspace() or category not in ("Cc", "Cf"):
            kept.append(character)
    return " ".join("".join(kept).split())


def normalise(text: str) -> str:
    """The text as forms and names see it; see the module."""
    if text.isascii():
        return clean(text.translate(_STRAIGHT)).lower()
    for _ in range(4):  # each pass may bring forth what the next one folds; two settle it
        folded = clean(unicodedata.normalize("NFKC", clean(text)).casefold())
        folded = unicodedata.normalize("NFKC", folded).translate(_STRAIGHT)
        folded = " ".join(folded.split())
        if folded == text:
            break
        text = folded
    return text


def spelt(text: str) -> str:
    """The text as `normalise` gives it, but in the letters it was typed in."""
    if text.isascii():
        return clean(text.translate(_STRAIGHT))
    folded = unicodedata.normalize("NFKC", clean(text)).translate(_STRAIGHT)
    return clean(folded)


def without_article(name: str) -> str:
    """A normalised name without the article it begins with, if any and if more follows."""
    first, _, rest = name.partition(" ")
    return rest if rest and first in ARTICLES else name
