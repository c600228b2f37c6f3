"""What a player knows of a world by what it was shown, and which commands follow from it.

In: a Machine, texts as they were shown, a state. Out: knowledge, and commands as `Choice`s.
Rooms are described again and again: all of it is remembered for a bounded number of texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.memo import by_machine
from worldengine.players.view import Choice, Shown
from worldengine.runtime import Knowledge, Transition, begin, known, runtime_of

_RANGE = re.compile(r"(?<!\S)(-?[0-9]+)\.\.(-?[0-9]+)(?!\S)")


@by_machine(256)
def _known_at_first(machine: Machine) -> Knowledge:
    return begin(machine)


@by_machine(20_000)
def _seen(machine: Machine, knowledge: Knowledge, text: str) -> Knowledge:
    """Rooms are described again and again; what a text shows is worked out once."""
    del machine
    return knowledge.seen(text)


def learnt(machine: Machine, knowledge: Knowledge, transition: Transition) -> Knowledge:
    """What has been shown after a turn. A command that was not understood is answered in
    the player's own words; an echo shows nothing."""
    if transition.operator < 0:
        return knowledge
    return _seen(machine, knowledge, transition.observation)


def first_knowledge(machine: Machine, opening: str) -> Knowledge:
    """What has been shown before the first turn."""
    return _seen(machine, _known_at_first(machine), opening)


@by_machine(2048)
def known_choices(machine: Machine, knowledge: Knowledge) -> tuple[Choice, ...]:
    return tuple(map(choice, known(machine, knowledge)))


@by_machine(2048)
def choices_in(machine: Machine, state: State, command_set: str) -> tuple[Choice, ...]:
    runtime = runtime_of(machine)
    texts = runtime.scoped_texts if command_set == "scoped" else runtime.applicable_texts
    return tuple(map(choice, texts(state)))


def choices_after(machine: Machine, opening: str, turns: Sequence[Shown]) -> tuple[Choice, ...]:
    """The commands that are known to somebody who was shown these turns. What answers a
    command that was not understood may only echo it, and shows nothing."""
    knowledge = first_knowledge(machine, opening)
    for shown in turns:
        if shown.outcome != "parameter":
            knowledge = _seen(machine, knowledge, shown.observation)
    return known_choices(machine, knowledge)


@lru_cache(maxsize=65_536)
def choice(text: str) -> Choice:
    """A command as the runtime lists it; `dial 1..9` has a gap for a number."""
    action = text.partition(" ")[0]
    match = _RANGE.search(text)
    if match is None:
        return Choice(text, action)
    gap = f"{text[: match.start()]}{{}}{text[match.end() :]}"
    return Choice(gap, action, int(match[1]), int(match[2]))
