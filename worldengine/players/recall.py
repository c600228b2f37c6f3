"""What a player remembers: where something was mentioned, and what it did with it.

In: a view and names. Out: memories, each the words of one earlier observation. A memory is
always of something shown before the present turn, so no reason built on it looks ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldengine.players.view import View
from worldengine.players.wording import first_person, mentions, sentences, told, whole

LISTS = ("You see ", "Also here:", "In ", "On ", "Exits:")
TAKING = frozenset({"take", "get", "pick", "grab"})
LETTING_GO = frozenset({"drop", "put", "give", "place", "throw", "insert", "file", "load", "hand"})


@dataclass(frozen=True, slots=True)
class Memory:
    """`kind`: refusal (a command failed over it), said (a sentence about it), seen (it was
    listed). `turn` is -1 for the opening. `sentence` is what may be repeated, "" if seen."""

    kind: str
    turn: int
    thing: str
    sentence: str


def memories(view: View, things: tuple[str, ...]) -> Iterator[Memory]:
    """Newest first, one a turn and thing."""
    for turn in range(len(view.turns) - 1, -2, -1):
        text = view.turns[turn].observation if turn >= 0 else view.opening
        for thing in things:
            if mentions(text, thing):
                memory = _of(view, turn, text, thing)
                if memory is not None:
                    yield memory


def _of(view: View, turn: int, text: str, thing: str) -> Memory | None:
    if turn >= 0 and view.turns[turn].refused:
        words = told(text)
        if words and mentions(words, thing) and view.turns[turn].outcome != "parameter":
            return Memory("refusal", turn, thing, words)
        return None
    for sentence in sentences(text):
        if not mentions(sentence, thing):
            continue
        if sentence.startswith(LISTS):
            return Memory("seen", turn, thing, "")
        if whole(sentence) and not _own_doing(sentence):
            return Memory("said", turn, thing, sentence)
    return None


def _own_doing(sentence: str) -> bool:
    """`You take the lamp.` tells nothing that the player did not mean to happen."""
    return sentence.lower().startswith(("you ", "your ")) or (
        " you " in sentence and not first_person(sentence) and '"' not in sentence
    )


def place(view: View, turn: int) -> str:
    """Where the player was shown to be at the end of a turn, with an article; "" if no
    heading says so."""
    for at in range(turn, -2, -1):
        if at >= 0 and view.turns[at].refused:
            continue
        for line in (view.turns[at].observation if at >= 0 else view.opening).split("\n")[:5]:
            if line and line[-1] not in ".!?:\"'”" and len(line) < 40:
                found = view.noun(line)
                if found:
                    return found
    return ""


def took(view: View, thing: str) -> bool:
    """Whether the player took a thing and has not let go of it since."""
    for shown in reversed(view.turns):
        if not shown.refused:
            phrase = view.phrase(shown.reply.command)
            if thing in phrase.things:
                verb = phrase.do.partition(" ")[0]
                if verb in TAKING:
                    return True
                if verb in LETTING_GO:
                    return False
    return False


def went_before(view: View, command: str) -> bool:
    """Whether the player has gone this way from here, as far as headings tell."""
    way, here = view.phrase(command).do, place(view, len(view.turns) - 1)
    return any(
        not shown.refused
        and view.phrase(shown.reply.command).do == way
        and place(view, turn - 1) == here
        for turn, shown in enumerate(view.turns)
    )
