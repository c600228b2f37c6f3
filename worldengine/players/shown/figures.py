"""Numbers in what was read: which were told, and which follow from a rule that was read.

In: texts, views, commands. Out: numbers nobody told, and sentences that they follow from. A
number counts as told where it stands in figures or in words; the ranges of command forms tell
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from worldengine.players.shown.wording import sentences, whole

if TYPE_CHECKING:
    from worldengine.players.view import View

SPELT_OUT = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "first": 1, "second": 2,
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip
FIGURES = re.compile(r"\d{1,18}")
SPELT = re.compile(r"[a-z]+")
BOUND = re.compile(
    r"\b(?:(at least|no less than|over|above|at most|no more than|under|below) (\d{1,9})"
    r"|(\d{1,9}) or (more|over|higher|above|less|under|lower|below))\b",
    re.IGNORECASE,
)
UPWARD = frozenset({"at least", "no less than", "over", "above", "more", "higher"})
STRICT = frozenset({"over", "above", "under", "below"})
BETWEEN = re.compile(r"\b(?:between|from) (\d{1,9}) (?:and|to) (\d{1,9})\b", re.IGNORECASE)
TERM = r"(?:the |its |that of the )?[a-z]+"
RULE = re.compile(
    rf"\b(\d{{1,9}}) (less|minus|plus) ({TERM})(?: (less|minus|plus) ({TERM}))?", re.IGNORECASE
)
HERE = frozenset({"room", "air", "here"})
"""Words for where one is: `It is 20 degrees in here.`"""
JOINTS = frozenset({"to", "of", "with", "in", "on", "into", "from", "for", "at", "the", "as", "by"})
MOST_COUNTED = 12
"""Up to here numbers may count things; they differ from one another by chance."""
LATEST = 12
"""Numbers, the latest, among which the terms of a rule are looked for."""


@lru_cache(maxsize=16_384)
def numbers(text: str) -> frozenset[int]:
    """The numbers of a text, in figures (`41`, `41st`) or words (`forty-one`, `two hundred`)."""
    found = {int(each) for each in FIGURES.findall(text)}
    found |= set(_spelt(SPELT.findall(text.lower())))
    return frozenset(found)


def _spelt(words: list[str]) -> Iterator[int]:
    for at, word in enumerate(words):
        value = SPELT_OUT.get(word)
        if value is None:
            if word == "hundred":
                yield from _hundreds(words, at)
            continue
        yield value
        after = SPELT_OUT.get(words[at + 1], 0) if at + 1 < len(words) else 0
        if value >= 20 and 0 < after < 10:
            yield value + after


def _hundreds(words: list[str], at: int) -> Iterator[int]:
    times = SPELT_OUT.get(words[at - 1], 1) if at else 1
    yield 100 * times
    rest = [word for word in words[at + 1 : at + 4] if word != "and"][:2]
    values = [SPELT_OUT.get(word, 0) for word in rest]
    if values and values[0]:
        yield 100 * times + values[0]
        if values[0] >= 20 and values[1:] and 0 < values[1] < 10:
            yield 100 * times + sum(values)


@lru_cache(maxsize=16_384)
def figures(command: str) -> tuple[str, ...]:
    """The numbers of a command that stand in figures."""
    return tuple(FIGURES.findall(command))


def untold(view: View, command: str) -> str:
    """The first number of a command that nothing read so far has told, "" if there is none."""
    for figure in figures(command):
        if int(figure) not in view.trail.of(view).numbers:
            return figure
    return ""


def worked_out(view: View, command: str, number: str) -> str:
    """How a number follows from others by itself, "" if it does not: `656 less 614 is 42`, where
    the same command was answered with both; `3 comes after 2`, where things are counted."""
    found = differences(view).get(int(number), "")
    if found or int(number) > MOST_COUNTED:
        return found
    verb, before = command.partition(" ")[0], str(int(number) - 1)
    for turn in reversed(view.turns):
        said = turn.reply.command
        if not turn.refused and said.partition(" ")[0] == verb:
            return f"{number} comes after {before}" if FIGURES.findall(said) == [before] else ""
    return ""


def differences(view: View) -> dict[int, str]:
    """By how much two numbers differ with which one command was answered at different times."""
    answers: dict[str, list[int]] = {}
    for turn in view.turns:
        told = [int(each) for each in FIGURES.findall(turn.observation)]
        if not turn.refused and len(told) == 1:
            answers.setdefault(turn.reply.command.lower(), []).extend(told)
    found: dict[int, str] = {}
    for given in answers.values():
        one, other = max(given[-2:]), min(given[-2:])
        if one - other > MOST_COUNTED:
            found[one - other] = f"{one} less {other} is {one - other}"
    return found


def follows(view: View, command: str, number: str) -> tuple[str, str]:
    """A sentence that was read, about what a command is about, and how a number follows from
    it: `75 less 14 less 20 is 41`; ("", "") where none is known."""
    about = set(SPELT.findall(command.lower())[1:]) - JOINTS
    read = [view.goal, view.opening, *(turn.observation for turn in view.turns)]
    for text in reversed(read):
        for sentence in sentences(text):
            if not about & set(SPELT.findall(sentence.lower())):
                if text is view.goal and (why := _between(sentence, int(number))):
                    return "", why  # what is to be reached is not always named as what is done
                continue
            why = _within(sentence, int(number)) or _reckoned(sentence, int(number), view)
            if why:
                return sentence if whole(sentence) else "", why
    return "", ""


def _within(sentence: str, number: int) -> str:
    if why := _between(sentence, number):
        return why
    for before, first, second, behind in BOUND.findall(sentence):
        words, bound = (before or behind).lower(), int(first or second)
        if number == bound and before and words in STRICT:
            continue
        if (number >= bound) if words in UPWARD else (number <= bound):
            return f"{number} is {'enough' if words in UPWARD else 'not too much'}"
    return ""


def _between(sentence: str, number: int) -> str:
    for low, high in BETWEEN.findall(sentence):
        if int(low) <= number <= int(high):
            return f"{number} is between {low} and {high}"
    return ""


def _reckoned(sentence: str, number: int, view: View) -> str:
    """A sum over one or two things, each of which was read to be a number."""
    for base, sign, one, other_sign, other in RULE.findall(sentence):
        signs = [sign, other_sign] if other else [sign]
        terms = [_values(term, sentence, view) for term in ([one, other] if other else [one])]
        for chosen in _chosen(terms):
            total = int(base)
            for each, value in zip(signs, chosen, strict=True):
                total += value if each.lower() == "plus" else -value
            if total == number:
                sums = " ".join(f"{s.lower()} {v}" for s, v in zip(signs, chosen, strict=True))
                return f"{base} {sums} is {number}"
    return ""


def _chosen(terms: list[list[int]]) -> Iterator[tuple[int, ...]]:
    if len(terms) == 1:
        yield from ((value,) for value in terms[0])
        return
    for one in terms[0]:
        yield from ((one, other) for other in terms[1])


def _values(term: str, rule: str, view: View) -> list[int]:
    """The numbers that were read of a term, the latest first: where one asked for it, or in a
    sentence that names it."""
    noun = term.lower().split()[-1]
    names = HERE if noun in HERE else frozenset({noun})
    named: list[int] = []
    read = [("", view.opening), *((each.reply.command, each.observation) for each in view.turns)]
    for command, text in read:
        asked = bool(names & set(command.lower().split()))
        for sentence in sentences(text):
            if sentence != rule and (asked or names & set(SPELT.findall(sentence.lower()))):
                named += sorted(numbers(sentence))
    return list(dict.fromkeys(reversed(named)))[:LATEST]
