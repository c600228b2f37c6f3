"""What a player knows of a world by what it was shown, and which commands follow from it.

In: a Machine, texts as they were shown, a state. Out: what is known (`Known`), and commands as
`Choice`s. Rooms are described again and again: what a text adds is worked out once, and all of
it is remembered for a bounded number of texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.memo import by_machine
from worldengine.players.view import Choice, Shown
from worldengine.rollout.turns import Turn
from worldengine.runtime import Knowledge, Transition, begin, known, runtime_of

_RANGE = re.compile(r"(?<!\S)(-?[0-9]+)\.\.(-?[0-9]+)(?!\S)")


MOST_TEXTS = 1_000
"""Texts that one `Known` remembers, and `Known`s that a world does."""
LOOKABLE = frozenset({"thing", "person", "door", "place"})


Others: TypeAlias = "dict[frozenset[tuple[int, str]], Known]"
"""All that was known in a world at some time, by the names that were shown."""


class Known:
    """What has been shown, and what follows from it. `after` leads on, text by text."""

    __slots__ = (
        "_after", "_all", "_choices", "_looks", "_machine", "_names", "_said", "knowledge",
    )  # fmt: skip

    def __init__(self, machine: Machine, knowledge: Knowledge, others: Others) -> None:
        self.knowledge = knowledge
        self._machine = machine
        self._all = others
        self._after: dict[str, Known] = {}
        self._names: dict[int, str | None] = {}
        self._choices: tuple[Choice, ...] | None = None
        self._looks: tuple[str, ...] | None = None
        self._said: tuple[str, ...] | None = None

    def after(self, text: str) -> Known:
        """What is known when a text was read, too."""
        found = self._after.get(text)
        if found is None:
            if len(self._after) >= MOST_TEXTS:
                self._after.clear()
            found = self._after[text] = self._grown(self.knowledge.seen(text))
        return found

    def turned(self, transition: Transition) -> Known:
        """What is known after a turn. A command that was not understood is answered in the
        player's own words; an echo shows nothing."""
        return self if transition.operator < 0 else self.after(transition.observation)

    def retold(self, turns: Sequence[Shown]) -> tuple[Choice, ...]:
        """The commands that are known to somebody who was shown these turns instead."""
        found = self
        for shown in turns:
            if shown.outcome != "parameter":
                found = found.after(shown.observation)
        return found.choices

    def _grown(self, knowledge: Knowledge) -> Known:
        if knowledge is self.knowledge:
            return self
        found = self._all.get(knowledge.names)
        if found is None:
            if len(self._all) >= MOST_TEXTS:
                self.forget()
            found = Known(self._machine, knowledge, self._all)
            self._all[knowledge.names] = found
        return found

    def name(self, index: int) -> str | None:
        """The name under which an object has been shown, None if it has not."""
        if index not in self._names:
            self._names[index] = self.knowledge.name(self._machine, index)
        return self._names[index]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The known commands."""
        if self._choices is None:
            self._choices = tuple(map(choice, known(self._machine, self.knowledge)))
        return self._choices

    @property
    def looks(self) -> tuple[str, ...]:
        """Ways to learn something, by what has been shown."""
        if self._looks is None:
            names = (
                self.name(index)
                for index, item in enumerate(self._machine.objects)
                if item.role in LOOKABLE
            )
            asked = (f"examine {name}" for name in names if name is not None)
            self._looks = "look", "inventory", *asked
        return self._looks

    @property
    def said(self) -> tuple[str, ...]:
        """The names of what can be looked at, in every form in which they were read, sorted."""
        if self._said is None:
            objects = self._machine.objects
            self._said = tuple(
                sorted(name for at, name in self.knowledge.names if objects[at].role in LOOKABLE)
            )
        return self._said

    def forget(self) -> None:
        """It and all others are known no more; what follows from them is worked out anew."""
        for other in self._all.values():
            other._after.clear()
        self._after.clear()
        self._all.clear()


def at_first(machine: Machine) -> Known:
    """What is known from the prompt alone."""
    return Known(machine, begin(machine), {})


def first_knowledge(machine: Machine, opening: str) -> Knowledge:
    """What has been shown before the first turn, for those who keep it themselves."""
    return begin(machine).seen(opening)


def learnt(machine: Machine, knowledge: Knowledge, transition: Transition) -> Knowledge:
    """What has been shown after a turn; as `Known.turned`."""
    del machine
    return knowledge if transition.operator < 0 else knowledge.seen(transition.observation)


class Offer:
    """The commands of an episode's command set, made when they are asked for."""

    __slots__ = ("_command_set", "_known", "_machine", "_read", "_turns", "at_first", "now")

    def __init__(
        self, machine: Machine, command_set: str, known: Known, turns: Sequence[Turn]
    ) -> None:
        self._machine = machine
        self._command_set = command_set
        self._known = self.at_first = known
        self._turns, self._read = turns, 0
        self.now: State = ()
        """The state in which they are asked for; `turns` are those that led there."""

    def choices(self) -> tuple[Choice, ...]:
        if self._command_set != "known":
            return choices_in(self._machine, self.now, self._command_set)
        for turn in self._turns[self._read :]:
            self._known = self._known.turned(turn.transition)
        self._read = len(self._turns)
        return self._known.choices


@by_machine(2048)
def choices_in(machine: Machine, state: State, command_set: str) -> tuple[Choice, ...]:
    runtime = runtime_of(machine)
    texts = runtime.scoped_texts if command_set == "scoped" else runtime.applicable_texts
    return tuple(map(choice, texts(state)))


@lru_cache(maxsize=16_384)
def choice(text: str) -> Choice:
    """A command as the runtime lists it; `dial 1..9` has a gap for a number."""
    action = text.partition(" ")[0]
    match = _RANGE.search(text)
    if match is None:
        return Choice(text, action)
    gap = f"{text[: match.start()]}{{}}{text[match.end() :]}"
    return Choice(gap, action, int(match[1]), int(match[2]))
