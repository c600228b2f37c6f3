"""Commands as they are typed, answered by the interpreter and remembered.

In: a Machine, its ground commands. Out: the texts that may mean a command (every form, with
every name of its arguments), and what a text leads to in a state. Used where a text may mean
different things in different states; elsewhere ground commands do.

Other phrases of the forms, and articles before names, are asked where they are read in another
way than the plain texts: `take the cup` is not what an own form `take cup` answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from worldengine.machine.schema import Machine, Parameter, State
from worldengine.matching.forms import Entry
from worldengine.matching.normal import ARTICLES
from worldengine.matching.patterns import phrases
from worldengine.matching.vocabulary import object_names, symbol_names
from worldengine.modelcheck.relaxation.actions import Actions
from worldengine.runtime import runtime_of

ANY_ARTICLE = ("", *(f"{article} " for article in ARTICLES))
SPELLINGS = 400
"""Plain texts of one form with one command's arguments that are tried."""
PHRASES = 4000
"""Texts of one form that are looked at for other readings."""
Read = tuple[tuple[object, ...], ...]
"""What may be understood, in order, whatever the words were."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The state after a text and a number for what is read: equal numbers, equal words and
    endings."""

    state: State
    sign: int


class Typed:
    """See the module. `cut` where some command has more texts than were tried."""

    def __init__(self, machine: Machine, actions: Actions) -> None:
        self.machine = machine
        self.actions = actions
        self.texts: list[str] = []
        self._runtime = runtime_of(machine)
        self._numbers: dict[str, int] = {}
        self._spelled: dict[int, tuple[str, ...]] = {}
        self._answers: dict[tuple[State, str], Answer] = {}
        self._signs: dict[tuple[str, str], int] = {}
        self.cut = False
        self._entries: dict[int, list[Entry]] = {}
        for entry in self._runtime.matcher.forms.entries:
            self._entries.setdefault(entry.schema, []).append(entry)

    def number(self, text: str) -> int:
        """The number of a text; `texts` has them in order."""
        found = self._numbers.setdefault(text, len(self.texts))
        if found == len(self.texts):
            self.texts.append(text)
        return found

    def texts_of(self, actions: Iterable[int]) -> tuple[str, ...]:
        """All texts that may mean one of these commands, each once."""
        return tuple(dict.fromkeys(text for each in actions for text in self.spelled(each)))

    def spelled(self, action: int) -> tuple[str, ...]:
        """The texts that may mean a command, the plainest first."""
        found = self._spelled.get(action)
        if found is None:
            found = self._spelled[action] = tuple(dict.fromkeys(self._spell(action)))
        return found

    def answer(self, state: State, text: str) -> Answer:
        """What a text leads to in a running state."""
        found = self._answers.get((state, text))
        if found is None:
            turn = self._runtime.step(state, text)
            read = turn.observation, turn.status
            sign = self._signs.setdefault(read, len(self._signs))
            found = self._answers[state, text] = Answer(turn.state, sign)
        return found

    def _spell(self, action: int) -> Iterator[str]:
        read: set[Read] = set()
        for text in self._plain(action):
            read.add(self._read(text))
            yield text
        for text in self._phrased(action):
            reading = self._read(text)
            if reading not in read:
                read.add(reading)
                yield text

    def _read(self, text: str) -> Read:
        return tuple(
            (each.schema, each.choices, each.number, each.in_range, each.operator)
            for each in self._runtime.matcher.readings(text)
        )

    def _plain(self, action: int) -> Iterator[str]:
        """The forms as they are printed, without articles."""
        operator, number = self.actions.pair(action)
        ground = self.machine.operators[operator]
        schema = self.machine.schemas[ground.schema]
        names = [
            self._names(parameter, value, number)
            for parameter, value in zip(schema.parameters, ground.arguments, strict=True)
        ]
        self.cut = self.cut or prod(map(len, names)) > SPELLINGS
        for form in schema.forms:
            for chosen in islice(product(*names), SPELLINGS):
                yield _filled(form.template, chosen)

    def _phrased(self, action: int) -> Iterator[str]:
        """Every phrase of the forms, with every article before every name or none."""
        operator, number = self.actions.pair(action)
        ground = self.machine.operators[operator]
        for entry in self._entries.get(ground.schema, ()):
            schema, form = entry.source
            names: list[list[str]] = []
            for parameter, value, vocabulary in zip(
                schema.parameters, ground.arguments, entry.vocabularies, strict=True
            ):
                if parameter.type == "number":
                    names.append([str(number)])
                    continue
                bare = [name for name, bearers in vocabulary.bearers.items() if value in bearers]
                names.append([article + name for name in bare for article in ANY_ARTICLE])
            wordings = phrases(form) or (form.template,)
            self.cut = self.cut or prod(map(len, names)) * len(wordings) > PHRASES
            pairs = ((wording, chosen) for wording in wordings for chosen in product(*names))
            for wording, chosen in islice(pairs, PHRASES):
                yield _filled(wording, chosen)

    def _names(self, parameter: Parameter, value: int, number: int) -> tuple[str, ...]:
        if parameter.type == "number":
            return (str(number),)
        if parameter.type == "object":
            return object_names(self.machine.objects[value])
        return symbol_names(self.machine.symbols[value])


def _filled(phrase: Sequence[str | int], chosen: Sequence[str]) -> str:
    return "".join(chosen[piece] if isinstance(piece, int) else piece for piece in phrase)
