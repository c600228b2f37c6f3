"""Commands as they are typed, answered by the interpreter and remembered.

In: a Machine, its ground commands. Out: the texts that may mean a command (every form, with
every name of its arguments), and what a text leads to in a state. Used where a text may mean
different things in different states; elsewhere ground commands do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, product

from worldengine.machine.schema import Machine, Parameter, State
from worldengine.matching.vocabulary import object_names, symbol_names
from worldengine.modelcheck.relaxation.actions import Actions
from worldengine.runtime import runtime_of

SPELLINGS = 48
"""Texts of one form with one command's arguments that are tried."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The state after a text and a number for what is read: equal numbers, equal words and
    endings."""

    state: State
    sign: int


class Typed:
    """See the module."""

    def __init__(self, machine: Machine, actions: Actions) -> None:
        self.machine = machine
        self.actions = actions
        self.texts: list[str] = []
        self._runtime = runtime_of(machine)
        self._numbers: dict[str, int] = {}
        self._spelled: dict[int, tuple[str, ...]] = {}
        self._answers: dict[tuple[State, str], Answer] = {}
        self._signs: dict[tuple[str, str], int] = {}

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

    def _spell(self, action: int) -> Iterable[str]:
        operator, number = self.actions.pair(action)
        ground = self.machine.operators[operator]
        schema = self.machine.schemas[ground.schema]
        names = [
            self._names(parameter, value, number)
            for parameter, value in zip(schema.parameters, ground.arguments, strict=True)
        ]
        for form in schema.forms:
            for chosen in islice(product(*names), SPELLINGS):
                yield "".join(
                    chosen[piece] if isinstance(piece, int) else piece for piece in form.template
                )

    def _names(self, parameter: Parameter, value: int, number: int) -> tuple[str, ...]:
        if parameter.type == "number":
            return (str(number),)
        if parameter.type == "object":
            return object_names(self.machine.objects[value])
        return symbol_names(self.machine.symbols[value])
