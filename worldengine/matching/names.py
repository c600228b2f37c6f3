"""How the name of an object is printed, and which of its words agree with it.

In: an Object and a style as in `worldengine.machine.schema.Insert`. Out: English text.
Articles follow the sound of the next word; a name that brings its own article keeps exactly
that one; proper and numbered names take none; `plural` objects take "some". Names are never
markup: brackets, emoji and scripts without case pass through as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from worldengine.machine.schema import Object
from worldengine.matching.normal import ARTICLES

_AN = ("hour", "honest", "honour", "honor", "heir")
"""A silent h."""
_A = ("eu", "ewe", "ufo", "ukulele", "unanim", "uni", "uran", "use", "usu", "uten", "util")
"""Vowel letters that sound like a consonant."""
_AN_AFTER_ALL = ("unid", "unim", "unin")
"""Words in `un-` before an i, which `uni` would catch."""
_PLAIN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W_]+)*['\u2019]?")
"""A word."""
_TECHNICAL = re.compile(r" [-./~\\]|[^\W_][._][^\W\d]|_")
"""A path, an option, a file name or an identifier behind the first word."""
_FIRST_WORD = re.compile(r"\w+")


def article_for(name: str) -> str:
    """`a` or `an`, by the sound of the first word."""
    found = _FIRST_WORD.search(name)
    if found is None:
        return "a"
    word = found.group()
    if word[0].isdigit():
        return "an" if re.match(r"8|11(?!\d)|18(?!\d)", word) else "a"
    if len(word) == 1 or (word.isupper() and len(word) <= 4 and not word.isdigit()):
        return "an" if word[0].upper() in "AEFHILMNORSX" else "a"
    lower = unicodedata.normalize("NFKD", word).lower()
    if lower.startswith(_AN):
        return "an"
    if lower in ("one", "once"):
        return "a"
    if lower.startswith(_A) and not lower.startswith(_AN_AFTER_ALL):
        return "a"
    return "an" if lower[0] in "aeiou" else "a"


def has_own_article(name: str) -> bool:
    """Whether a name begins with an article and goes on after it."""
    first, _, rest = name.partition(" ")
    return bool(rest) and first.casefold() in ARTICLES


def is_plain(name: str) -> bool:
    """Whether a name begins with a word whose first letter a sentence may raise, as `box VR/1`
    does; `backup.sh`, `/home`, `iPad` and `rm -rf` do not."""
    first, _, rest = name.partition(" ")
    first = first.rstrip(".,:;") if rest else first  # st. Anne's chapel
    return (
        _PLAIN.fullmatch(first) is not None
        and first[1:] == first[1:].lower()
        and _TECHNICAL.search(f" {rest}") is None
    )


def raise_first(text: str) -> str:
    """The text with its first letter raised, where that is one letter in upper case too."""
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == 1 else text


def with_article(subject: Object, style: str) -> str:
    """The name of an object in style "", the, a, The or A."""
    name = subject.name
    bare = style == "" or subject.proper or subject.numbered or has_own_article(name)
    if bare:
        printed = name
    elif style in ("the", "The"):
        printed = f"the {name}"
    else:
        printed = f"{'some' if subject.plural else article_for(name)} {name}"
    if style in ("The", "A") and (not bare or is_plain(name) or has_own_article(name)):
        return raise_first(printed)
    return printed


def agreeing(plural: bool, style: str) -> str:
    """The form of a word that agrees with an object: style is, has, it or s."""
    singular_form, plural_form = {
        "is": ("is", "are"),
        "has": ("has", "have"),
        "it": ("it", "them"),
        "s": ("s", ""),
    }[style]
    return plural_form if plural else singular_form


def joined(items: Sequence[str], word: str = "and") -> str:
    """Items with commas and a last `and`; nothing at all is "nothing"."""
    if not items:
        return "nothing"
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} {word} {items[-1]}"
