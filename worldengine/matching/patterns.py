"""Forms as regular expressions, and as the finite list of phrases they stand for.

In: a Form, whose pattern pieces are RE2 source over normalised text. Out: compiled RE2
patterns in which group `pI` is parameter I: a strict one over the names a parameter answers
to, and a loose one that takes any words and only serves to explain a refusal. Refused with
MachineError: source that RE2 cannot run, with RE2's reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import re2

from worldengine.machine.errors import MachineError
from worldengine.machine.schema import Form, Parameter, Schema
from worldengine.matching.normal import ARTICLES
from worldengine.matching.vocabulary import Vocabulary

MEMORY = 64 * 1024 * 1024
"""What one compiled pattern may use, in bytes."""
NUMBER = "[+-]?[0-9]{1,40}"
MANY_PHRASES = 512
"""Phrases that one form may stand for before it counts as uncountable."""

_ARTICLE = f"(?:(?:{'|'.join(ARTICLES)}) )?"


def compiled(source: str, foldcase: bool = False) -> Any:
    """RE2 over the source: silent, bounded in memory; MachineError with RE2's reason."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY
    options.case_sensitive = not foldcase
    try:
        return re2.compile(source, options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise MachineError(f"RE2 cannot run the pattern {source[:80]!r}: {reason}") from None


def strict_pattern(form: Form, schema: Schema, vocabularies: Sequence[Vocabulary]) -> Any:
    """Matches exactly the commands whose words and names the form accepts."""
    if form.regex:
        return compiled(form.regex, foldcase=True)
    return compiled(
        "".join(
            f"(?P<p{piece}>{_names(schema.parameters[piece], vocabularies[piece])})"
            if isinstance(piece, int)
            else f"(?:{piece})"
            for piece in form.pattern
        )
    )


def loose_pattern(form: Form) -> Any:
    """Matches commands of the form's shape, whatever stands for the parameters."""
    if form.regex:
        return compiled(form.regex, foldcase=True)
    return compiled(
        "".join(
            f"(?P<p{piece}>.+?)" if isinstance(piece, int) else f"(?:{piece})"
            for piece in form.pattern
        )
    )


def whole_number(text: str) -> int | None:
    """The number a text says: one optional sign, then digits, leading zeros allowed. Beyond
    nine places it is only told that it is large, which no range of a script reaches."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0")
    size = int(digits or "0") if len(digits) <= 9 else 10**9
    return -size if text[0] == "-" else size


def splits(
    form: Form, schema: Schema, vocabularies: Sequence[Vocabulary], normal: str
) -> Iterator[tuple[str, ...]]:
    """Every way to read a text as the form: `put ring in box in box` has two. The regular
    expression finds one of them; which one is meant is for scope to say."""
    found: dict[int, str] = {}

    def walk(piece: int, at: int) -> Iterator[tuple[str, ...]]:
        if piece == len(form.pattern):
            if at == len(normal):
                yield tuple(found[index] for index in range(len(schema.parameters)))
            return
        part = form.pattern[piece]
        if isinstance(part, str):
            for option in expansions(part):
                if normal.startswith(option, at):
                    yield from walk(piece + 1, at + len(option))
            return
        for text in _texts_at(schema.parameters[part], vocabularies[part], normal, at):
            found[part] = text
            yield from walk(piece + 1, at + len(text))

    yield from walk(0, 0)


def _texts_at(parameter: Parameter, vocabulary: Vocabulary, normal: str, at: int) -> Iterator[str]:
    """What may stand for a parameter at a place of the text, the longest first."""
    if parameter.type == "number":
        end = at
        while end < len(normal) and normal[end] in "+-0123456789":
            end += 1
        if whole_number(normal[at:end]) is not None:
            yield normal[at:end]
        return
    article = next((word for word in ARTICLES if normal.startswith(f"{word} ", at)), "")
    skip = len(article) + 1 if article else 0
    for name in vocabulary.by_length():
        if normal.startswith(name, at):
            yield name
        elif skip and normal.startswith(name, at + skip):
            yield normal[at : at + skip] + name


def captures(form: Form, schema: Schema, match: Any) -> tuple[str, ...]:
    """What was typed for each parameter."""
    if form.regex:
        groups = match.groups(default="")[: len(schema.parameters)]
        texts = [" ".join(group.split()) for group in groups]
        return (*texts, *[""] * (len(schema.parameters) - len(texts)))
    return tuple(match.group(f"p{index}") for index in range(len(schema.parameters)))


def _names(parameter: Parameter, vocabulary: Vocabulary) -> str:
    if parameter.type == "number":
        return NUMBER
    names = "|".join(re2.escape(name) for name in vocabulary.by_length())
    return f"{_ARTICLE}(?:{names})" if names else "[^\\x00-\\x{10FFFF}]"


def phrases(form: Form) -> tuple[tuple[str | int, ...], ...]:
    """The form without alternatives: every phrase it stands for, as words and parameter
    indices. () where it is a regular expression of the author's or stands for too many."""
    if form.regex:
        return ()
    found: list[tuple[str | int, ...]] = [()]
    for piece in form.pattern:
        options = (piece,) if isinstance(piece, int) else expansions(piece)
        found = [(*phrase, option) for phrase in found for option in options]
        if not found or len(found) > MANY_PHRASES:
            return ()
    return tuple(found)


def expansions(source: str) -> tuple[str, ...]:
    """The strings that a pattern piece stands for, if it has only letters, escapes, groups,
    alternatives and `?`; () otherwise."""
    try:
        found, rest = _alternatives(source, 0)
    except (_Uncountable, RecursionError):
        return ()
    return tuple(dict.fromkeys(found)) if rest == len(source) else ()


class _Uncountable(Exception):
    """A piece uses more of RE2 than a finite list of strings can say."""


def _alternatives(source: str, at: int) -> tuple[list[str], int]:
    found: list[str] = []
    while True:
        strings, at = _sequence(source, at)
        found += strings
        if len(found) > MANY_PHRASES:
            raise _Uncountable
        if at >= len(source) or source[at] != "|":
            return found, at
        at += 1


def _sequence(source: str, at: int) -> tuple[list[str], int]:
    found = [""]
    while at < len(source) and source[at] not in "|)":
        options, at = _atom(source, at)
        if at < len(source) and source[at] == "?":
            options, at = [*options, ""], at + 1
        found = [before + option for before in found for option in options]
        if len(found) > MANY_PHRASES:
            raise _Uncountable
    return found, at


def _atom(source: str, at: int) -> tuple[list[str], int]:
    character = source[at]
    if character == "\\" and at + 1 < len(source) and not source[at + 1].isalnum():
        return [source[at + 1]], at + 2
    if source.startswith("(?:", at):
        options, at = _alternatives(source, at + 3)
        if at >= len(source):
            raise _Uncountable
        return options, at + 1
    if character in "\\()[]{}*+?.^$":
        raise _Uncountable
    return [character], at + 1
