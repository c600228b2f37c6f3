"""What a player remembers: where something was mentioned, and what it did with it.

In: a view and names. Out: memories, each the words of one earlier observation. A memory is
always of something shown before the present turn, so no reason built on it looks ahead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from worldengine.players.shown.trail import TAKING as TAKING
from worldengine.players.shown.wording import first_person, mentions, sentences, told, whole
from worldengine.players.view import Phrase, View

DROPPING = frozenset({"drop", "leave"})
LISTS = ("You see ", "Also here:", "In ", "On ", "Exits:")
ASKING = frozenset({
    "look", "examine", "read", "search", "listen", "ask", "talk", "inspect", "check", "run",
    "study", "show", "watch", "monitor", "count", "measure", "weigh", "smell", "taste", "feel",
})  # fmt: skip
"""Verbs whose answers are what was wanted of them: news, no echo of a deed."""
STANDING = frozenset({"read", "ask", "talk", "study"})
"""Verbs whose answers stay as they are whatever is done."""
OF_THE_MOMENT = re.compile(r"\b(now|still|already|yet)\b", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def _of_the_moment(sentence: str) -> bool:
    return OF_THE_MOMENT.search(sentence) is not None


class Memory(NamedTuple):
    """`kind`: refusal (a command failed over it), said (a sentence about it), seen (it was
    listed). `turn` is -1 for the opening. `sentence` is what may be repeated, "" if seen."""

    kind: str
    turn: int
    thing: str
    sentence: str


def memories(view: View, things: tuple[str, ...]) -> Iterator[Memory]:
    """Newest first, one a turn and thing."""
    trail = view.trail.of(view)
    found = [trail.remembered(thing, view, _of) for thing in things]
    if len(found) == 1:
        recalled: Iterable[Memory] = reversed(found[0])
    else:
        order = {thing: at for at, thing in enumerate(things)}
        both = [memory for several in found for memory in several]
        recalled = sorted(both, key=lambda memory: (-memory.turn, order[memory.thing]))
    for memory in recalled:
        if memory.kind != "refusal" or not settled(view, memory.turn, memory.thing):
            yield memory


def _of(view: View, turn: int, thing: str) -> Memory | None:
    """What a turn that mentions a thing is remembered for, None if for nothing."""
    text = view.turns[turn].observation if turn >= 0 else view.opening
    if turn >= 0 and view.turns[turn].refused:
        words = told(text)
        if view.turns[turn].outcome == "parameter" or not words or not mentions(words, thing):
            return None
        return Memory("refusal", turn, thing, words)
    kind, sentence = _telling(text, thing)
    return Memory(kind, turn, thing, sentence) if kind else None


@lru_cache(maxsize=8_192)
def _telling(text: str, thing: str) -> tuple[str, str]:
    """Whether a text lists a thing or says something of it, and what; "" if neither."""
    for sentence in sentences(text):
        if not mentions(sentence, thing):
            continue
        if sentence.startswith(LISTS):
            return "seen", ""
        if whole(sentence) and not _own_doing(sentence):
            return "said", sentence
    return "", ""


def shown(view: View, thing: str) -> bool:
    """Whether a thing was listed in what was read, or taken: so one knows where it is or was."""
    return took(view, thing) or any(each.kind == "seen" for each in memories(view, (thing,)))


def spoken_of(view: View, thing: str, holder: str) -> bool:
    """Whether something was read that may say where a thing is."""
    told = any(each.kind == "said" for each in memories(view, (thing,)))
    return told or any(
        mentions(each, thing) and mentions(each, holder) for each in sentences(view.prompt)
    )


def lasting(view: View, memory: Memory) -> bool:
    """Whether what was said of a thing may be repeated as if it held: it was read in writing
    or told in answer, or else speaks of no moment that has passed, nothing newer was said of
    the thing, and nothing has been done with it since."""
    now, thing = len(view.turns), memory.thing
    phrases = view.trail.of(view).phrases
    if memory.kind != "said" or memory.turn == now - 1:
        return True
    if _of_the_moment(memory.sentence):
        return False
    if memory.turn >= 0 and _verb(phrases[memory.turn]) in STANDING:
        return True
    for each in reversed(view.trail.of(view).remembered(thing, view, _of)):
        if each.turn <= memory.turn:
            break
        if each.kind == "said":
            return False
    for at in range(memory.turn + 1, now):
        phrase = phrases[at]
        done = thing in phrase.things and not phrase.travel and not view.turns[at].refused
        if done and _verb(phrase) not in ASKING:
            return False
    return True


def _verb(phrase: Phrase) -> str:
    return phrase.do.partition(" ")[0]


def _own_doing(sentence: str) -> bool:
    """`You take the lamp.` tells nothing that the player did not mean to happen."""
    return sentence.lower().startswith(("you ", "your ")) or (
        " you " in sentence and not first_person(sentence) and '"' not in sentence
    )


def first_shown(view: View, words: str) -> int:
    """The turn that first showed these words, -1 for the opening or the goal, the number of
    turns if none did."""
    return view.trail.of(view).first_shown(words)


def place(view: View, turn: int) -> str:
    """Where the player was shown to be at the end of a turn, with an article; "" if no
    heading says so."""
    return view.trail.of(view).place(turn)


def places(view: View) -> tuple[str, str]:
    """The same at the end of the last turn and of the one before."""
    return view.trail.of(view).places()


def took(view: View, thing: str) -> bool:
    """Whether the player took a thing and has not let go of it since."""
    return view.trail.of(view).took(thing)


def settled(view: View, turn: int, thing: str) -> bool:
    """Whether a refusal about a thing no longer stands, as far as has been shown: the same
    was done since, or what was not at hand has been seen or used since."""
    failed = view.turns[turn]
    away = failed.outcome == "place"
    phrases = view.trail.of(view).phrases
    meant = phrases[turn]
    for at in range(turn + 1, len(phrases)):
        shown, phrase = view.turns[at], phrases[at]
        if shown.refused:
            continue
        if phrase.do == meant.do or (away and thing in phrase.things):
            return True
        if away and mentions(shown.observation, thing):
            return True
    return False
