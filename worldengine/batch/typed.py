"""Typed commands of a whole batch, down to those that only a state can decide.

In: texts, one a slot, and the states they are typed in. Out: operators and numbers, and for
what nobody understands the refusal and its words. Both engines read commands through this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.arrays import Integers
from worldengine.batch.commands import UNSURE, Commands
from worldengine.batch.engine import Engine
from worldengine.batch.tables import Tables
from worldengine.matching import Misunderstood, Understood

StatesOf = Callable[[list[int]], Integers]
"""Rows of the batch to their states on the host, (rows, width)."""


@dataclass(frozen=True)
class Typed:
    """What a step is asked for. `refused` has the rows that nobody understood: the class of
    the refusal and its words; their operator is -1."""

    operators: NDArray[np.int32]  # (n,)
    numbers: NDArray[np.int32]  # (n,)
    refused: dict[int, tuple[int, str]] = field(default_factory=dict)


class Typing:
    """Reads commands for the machines of some tables."""

    def __init__(self, tables: Tables, engine: Engine) -> None:
        self._commands = Commands(tables)
        self._engine = engine

    def read(self, worlds: Integers, commands: Sequence[str], states_of: StatesOf) -> Typed:
        """One command in every slot. States are asked for where they decide, and only there."""
        operators, numbers = self._commands.read(worlds, commands)
        typed = Typed(operators, numbers)
        unsure = np.flatnonzero(operators == UNSURE).tolist()
        states = states_of(unsure) if unsure else operators
        for at, row in enumerate(unsure):
            found = self._answer(int(worlds[row]), commands[row], states, at)
            if isinstance(found, Misunderstood):
                typed.refused[row] = found.refusal, found.words
                operators[row], numbers[row] = -1, 0
            else:
                operators[row], numbers[row] = found
        return typed

    def explain(
        self, worlds: Integers, commands: Sequence[str], rows: list[int], states_of: StatesOf
    ) -> dict[int, tuple[int, str]]:
        """The words for rows whose arguments were out of scope; their states have not changed."""
        found: dict[int, tuple[int, str]] = {}
        states = states_of(rows) if rows else np.zeros((0, 0), np.int32)
        for at, row in enumerate(rows):
            answer = self._answer(int(worlds[row]), commands[row], states, at)
            if isinstance(answer, Misunderstood):
                found[row] = answer.refusal, answer.words
        return found

    def _answer(
        self, machine: int, command: str, states: Integers, row: int
    ) -> Understood | Misunderstood:
        """What a command means in a state now."""

        def in_scope(word: str, item: int) -> bool:
            if word in ("", "anywhere"):
                return True
            slot, constant = self._commands.scope(machine, word, item)
            if slot < 0:
                return constant != 0
            return self._engine.value(machine, states, row, slot) != 0

        return self._commands.answer(machine, command, in_scope)
