"""The ways to say an action: which of them stand in the prompt, which a refusal shows.

In: a Schema. Out: its spellings: forms with their alternatives chosen, words and parameter
indices, the canonical print of each form first. The prompt lists every form, and one spelling
for every other word that a command may begin with. A refusal shows the spelling that is
nearest to what was typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worldengine.machine.schema import Form, Schema
from worldengine.matching.normal import ARTICLES, normalise
from worldengine.matching.patterns import phrases

Pieces = tuple[str | int, ...]
Nearness = tuple[bool, int, int]
FAR: Nearness = (False, -(2**31), 0)

MOST = 6
"""Further first words of an action that the prompt lists."""


class Spelling(NamedTuple):
    """One way to say an action: its fixed words, those of them that are no articles, and the
    word it begins with, "" if that may be a parameter's."""

    pieces: Pieces
    words: tuple[str, ...]
    telling: frozenset[str]
    begins: str


def spellings(schema: Schema) -> tuple[Spelling, ...]:
    """All spellings in the order of the forms, those without a word left out."""
    found: dict[Pieces, Spelling] = {}
    for form in schema.forms:
        for spelling in _of_form(form):
            if spelling.words:
                found.setdefault(spelling.pieces, spelling)
    return tuple(found.values())


def nearest(among: Iterable[Spelling], typed: Sequence[str]) -> tuple[Nearness, Spelling | None]:
    """The spelling nearest to the words typed, and how near it is; None if no word of any
    was typed. The first word counts most, then how many words were typed rather than not;
    articles only ever count against it. Of equals the first, which is the canonical one."""
    best: Spelling | None = None
    nearness = FAR
    first, words = typed[0] if typed else "", frozenset(typed)
    for spelling in among:
        common = len(spelling.telling & words)
        if common:
            begins = spelling.begins == first
            near = begins, 2 * common - len(spelling.telling), -len(spelling.words)
            if near > nearness:
                best, nearness = spelling, near
    return nearness, best


def listed(schema: Schema) -> tuple[Pieces, ...]:
    """The spellings that the prompt shows: all forms, then one for each of at most `MOST`
    further words with which a command may begin."""
    shown: dict[Pieces, None] = dict.fromkeys(form.template for form in schema.forms)
    ways = {form: _of_form(form) for form in schema.forms}
    begun = {ways[form][0].begins for form in schema.forms} | {""}
    others: dict[str, Spelling] = {}
    for form in schema.forms:
        every = {spelling.pieces for spelling in ways[form]}
        for spelling in ways[form]:
            if spelling.begins in begun or _headless(spelling) in every:
                continue
            known = others.setdefault(spelling.begins, spelling)
            if len(spelling.words) < len(known.words):
                others[spelling.begins] = spelling
    further = [spelling.pieces for spelling in others.values()]
    return (*shown, *further[:MOST])


def written(schema: Schema, pieces: Pieces) -> str:
    """A spelling with the nouns of its parameters, as in `water PLANT`."""
    return "".join(
        schema.parameters[piece].noun if isinstance(piece, int) else piece for piece in pieces
    )


def _of_form(form: Form) -> list[Spelling]:
    """The spellings of one form, its canonical print first, in the author's letters."""
    canonical = _spelling(form.template)
    found = [canonical]
    for phrase in phrases(form):
        spelling = _spelling(_merged(phrase))
        if (spelling.words, _order(spelling.pieces)) != (canonical.words, _order(form.template)):
            found.append(spelling)
    return found


def _spelling(pieces: Pieces) -> Spelling:
    words = [word for piece in pieces if isinstance(piece, str) for word in _words(piece)]
    begins = ""
    if pieces and isinstance(pieces[0], str):
        begins, space, _ = normalise(pieces[0] + "|").partition(" ")
        begins = begins.removesuffix("|") if space or len(pieces) == 1 else ""
    return Spelling(pieces, tuple(words), frozenset(words).difference(ARTICLES), begins)


def _words(piece: str) -> list[str]:
    return [word for word in normalise(piece).split() if any(map(str.isalnum, word))]


def _order(pieces: Pieces) -> tuple[str | int, ...]:
    """Pieces as they are compared: letters and spaces do not matter."""
    return tuple(normalise(piece) if isinstance(piece, str) else piece for piece in pieces)


def _merged(phrase: Pieces) -> Pieces:
    """A phrase with its neighbouring words put together."""
    pieces: list[str | int] = []
    for piece in phrase:
        if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += piece
        elif piece != "":
            pieces.append(piece)
    return tuple(pieces)


def _headless(spelling: Spelling) -> Pieces:
    """A spelling without its first word: `[please] take X` has no second verb."""
    first, *rest = spelling.pieces
    assert isinstance(first, str)
    return (first.partition(" ")[2], *rest)
