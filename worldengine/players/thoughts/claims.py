"""What a thought may claim: numbers that were told or follow, things and ways that were seen.

In: a view, a command. Out: what has to be said with it, from the words that were read alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from worldengine.players.shown.figures import (
    JOINTS,
    MOST_COUNTED,
    SPELT,
    figures,
    follows,
    numbers,
    untold,
    worked_out,
)
from worldengine.players.shown.wording import doing, echoes, mentions, quoted, sentences, whole
from worldengine.players.thoughts import pools
from worldengine.players.thoughts.gaps import thing_of
from worldengine.players.thoughts.recall import LISTS, shown, spoken_of
from worldengine.players.thoughts.spinning import Pool
from worldengine.players.view import Phrase, View


def number_claim(view: View, command: str) -> tuple[Pool, Mapping[str, str]] | None:
    """How a number that was not read is spoken of: as following from what was read, else as a
    guess. None where every number of the command was read."""
    number = untold(view, command)
    if not number:
        return None
    rule, why = follows(view, command, number)
    if rule:
        return pools.FOLLOWS, {"quote": quoted(rule), "sum": why}
    if why:
        return pools.RECKONED, {"sum": why}
    why = worked_out(view, command, number)
    if why:
        return pools.WORKED_OUT, {"sum": why}
    return pools.GUESS_NUMBER, {"number": number}


def reasoned(view: View, command: str) -> bool:
    """Whether every number of a command was read or follows from what was."""
    number = untold(view, command)
    return not number or bool(
        follows(view, command, number)[1] or worked_out(view, command, number)
    )


def evidence(view: View, clue: str, quoted_now: bool) -> tuple[Pool, Mapping[str, str]]:
    """How a sentence that was read is given as what decides, with what brought it."""
    turn = next((each for each in reversed(view.turns) if clue in each.observation), None)
    if quoted_now or turn is None:
        return pools.SETTLED, {}
    did = doing(view.phrase(turn.reply.command).do)
    return pools.EVIDENCE, {"quote": quoted(clue), "deed": did}


def figure_read(view: View, command: str) -> tuple[Pool, Mapping[str, str]] | None:
    """Where the number of a command was read last, but for answers to commands of its own kind;
    None where it has none or nobody told it."""
    said = figures(command)
    if not said:
        return None
    wanted = frozenset(map(int, said))
    verb = command.partition(" ")[0]
    for turn in reversed(view.turns):
        same = turn.reply.command.partition(" ")[0] == verb
        if same or turn.refused or not wanted & numbers(turn.observation):
            continue
        for each in sentences(turn.observation):
            if echoes(each, turn.reply.command) or not _about(each, command, wanted):
                continue
            if whole(each) and not each.startswith(LISTS):
                did = view.phrase(turn.reply.command).do
                return pools.SAID, {"quote": quoted(each), "did": did, "deed": doing(did)}
    return None


def _about(sentence: str, command: str, wanted: frozenset[int]) -> bool:
    """Whether a sentence has a number of a command, and is about the same: small numbers count
    all sorts of things."""
    found = wanted & numbers(sentence)
    if not found:
        return False
    words = set(SPELT.findall(command.lower())) - JOINTS
    return max(found) > MOST_COUNTED or bool(words & set(SPELT.findall(sentence.lower())))


def unseen(view: View, phrase: Phrase, now: Phrase) -> bool:
    """Whether a command for later is about something not seen yet, or about a way from where
    `now` leads."""
    return (phrase.travel and now.travel) or not all(shown(view, each) for each in phrase.things)


def hope(view: View, thing: str, holder: str) -> tuple[Pool, Mapping[str, str]]:
    """How it is said that a thing may be somewhere: by the words that tell it, else as a hope."""
    gaps = {"holder": view.noun(holder) or holder, **thing_of(view, thing)}
    told = telling(view, thing, holder)
    if told:
        return pools.TELLS, {"quote": quoted(told), **gaps}
    return (pools.HOPE if spoken_of(view, thing, holder) else pools.UNTOLD), gaps


def telling(view: View, thing: str, holder: str) -> str:
    """A sentence that was read and names both a thing and where it may be; "" if none did."""
    texts = [
        view.goal,
        view.opening,
        *(each.observation for each in view.turns if not each.refused),
    ]
    for text in reversed(texts):
        for each in sentences(text):
            named = mentions(each, thing) and mentions(each, holder)
            if named and whole(each) and not each.startswith(LISTS):
                return each
    return ""
