"""What every command does and shows, for many states at once.

In: a Machine and rows of states. Out: `Seen`: for each row and each ground command the state
after it and a number for the text the player reads; equal numbers are equal texts. The batch
engine does the turns and names the texts; what is compared in the end is the text as it is
rendered, never its id, so that two ways of saying the same words tell nobody anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from worldengine.batch.engine import Engine
from worldengine.batch.tables.layout import SCOPE_FAILED
from worldengine.batch.tables.tables import tables_of
from worldengine.batch.texts.rendering import renderer
from worldengine.machine.schema import ACCEPTED, Machine, State
from worldengine.modelcheck.relaxation.actions import Actions

Array = npt.NDArray[Any]
ROWS = 20_000
"""Turns that are worked out at a time: it bounds the room they need."""
IN_SCOPE = 1
"""What `Seen.scopes` holds where every argument is in scope; below it, which one is not."""


@dataclass(frozen=True, slots=True)
class Seen:
    """n states, a commands, v variables.

    `after` (n, a, v) states after each command, the same state where it is refused; `texts`
    (n, a) int32 what is read, equal numbers for equal texts; `accepted` (n, a) bool;
    `scopes` (n, a) int32 IN_SCOPE or a number that says which argument is out of scope.
    """

    after: Array
    texts: Array
    accepted: Array
    scopes: Array


class Sights:
    """See the module. Remembers the texts it has met."""

    def __init__(self, machine: Machine, actions: Actions) -> None:
        self.machine = machine
        self.actions = actions
        self.tables = tables_of([machine])
        self._engine = Engine(self.tables)
        self._render = renderer(self.tables)
        self._numbers: dict[str, int] = {}
        self._known: dict[int, int] = {}
        self.words: list[str] = []

    @property
    def state_type(self) -> Any:
        return self.tables.state_type

    def chunk(self) -> int:
        """How many states are worth asking about at a time."""
        return max(1, ROWS // max(1, len(self.actions)))

    def room(self) -> int:
        """Bytes that `see` and who compares its answers need for a chunk, roughly."""
        row = 4 * int(self.tables.width) * int(np.dtype(self.state_type).itemsize) + 64
        return max(ROWS, len(self.actions)) * row

    def number(self, text: str) -> int:
        """The number of a text."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.words)
            self.words.append(text)
        return found

    def rows(self, states: Iterable[State]) -> Array:
        """States as rows."""
        return np.array(list(states), self.state_type)

    def see(self, states: Array) -> Seen:
        """Every command in every state; `states` is (n, v), of `state_type`."""
        count, width, size = len(states), self.tables.width, len(self.actions)
        rows = np.zeros((count * size, width), self.state_type)
        rows[:, : states.shape[1]] = np.repeat(states, size, axis=0)
        machines = np.zeros(count * size, np.int32)
        step = self._engine.step(
            machines,
            rows,
            np.tile(self.actions.operators, count),
            np.tile(self.actions.numbers, count),
        )
        scopes = np.where(step.failed <= SCOPE_FAILED, step.failed, IN_SCOPE)
        return Seen(
            rows[:, : states.shape[1]].reshape(count, size, -1),
            self._texts(step.texts).reshape(count, size),
            (step.outcomes == ACCEPTED).reshape(count, size),
            scopes.astype(np.int32).reshape(count, size),
        )

    def pieces(self, states: Array) -> Iterator[tuple[int, Seen]]:
        """`see` a few states at a time: (the first of them, what is seen)."""
        size = self.chunk()
        for begin in range(0, len(states), size):
            yield begin, self.see(states[begin : begin + size])

    def _texts(self, ids: Array) -> Array:
        unique, places = np.unique(ids, return_inverse=True)
        numbers = [self._number_of(int(value)) for value in unique]
        return np.array(numbers, np.int32)[places]

    def _number_of(self, value: int) -> int:
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self.number(self._engine.texts.text(value, self._render))
        return found
