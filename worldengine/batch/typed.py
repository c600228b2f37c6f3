"""Typed commands of a whole batch, down to those that only a state can decide.

In: texts, one a slot, and the states they are typed in. Out: operators and numbers, and for
what nobody understands the refusal and its words. Both engines read commands through this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.arrays import Integers
from worldengine.batch.commands import UNSURE, Commands
from worldengine.batch.deciding import Decisions, Holds
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
        self._decisions = Decisions(self._meaning)

    def read(self, worlds: Integers, commands: Sequence[str], states_of: StatesOf) -> Typed:
        """One command in every slot. States are asked for where they decide, and only there."""
        operators, numbers = self._commands.read(worlds, commands)
        typed = Typed(operators, numbers)
        unsure = np.flatnonzero(operators == UNSURE)
        for rows, answer in self._answers(worlds, commands, unsure.tolist(), states_of):
            if isinstance(answer, Misunderstood):
                operators[rows], numbers[rows] = -1, 0
                said = answer.refusal, answer.words
                typed.refused.update(dict.fromkeys(rows.tolist(), said))
            else:
                operators[rows], numbers[rows] = answer
        return typed

    def explain(
        self, worlds: Integers, commands: Sequence[str], rows: list[int], states_of: StatesOf
    ) -> dict[int, tuple[int, str]]:
        """The words for rows whose arguments were out of scope; their states have not changed."""
        found: dict[int, tuple[int, str]] = {}
        for part, answer in self._answers(worlds, commands, rows, states_of):
            if isinstance(answer, Misunderstood):
                found.update(dict.fromkeys(part.tolist(), (answer.refusal, answer.words)))
        return found

    def _answers(
        self, worlds: Integers, commands: Sequence[str], rows: list[int], states_of: StatesOf
    ) -> Iterator[tuple[Integers, Understood | Misunderstood]]:
        """What commands mean in states now, for rows that are alike at once."""
        if not rows:
            return
        states, groups = states_of(rows), dict[tuple[int, str], list[int]]()
        for at, (world, row) in enumerate(zip(worlds[rows].tolist(), rows, strict=True)):
            groups.setdefault((world, commands[row]), []).append(at)
        every = np.array(rows)
        for (world, command), places in groups.items():
            for part, answer in self._decided(world, command, states, np.array(places)):
                yield every[part], answer

    def _decided(
        self, machine: int, command: str, states: Integers, rows: Integers
    ) -> Iterator[tuple[Integers, Understood | Misunderstood]]:
        """What one command means in some states: scopes are looked at one after the other, in
        all states in which they are asked for, and what follows from them is remembered."""
        subject, decisions = (machine, command), self._decisions
        waiting = [(decisions.root(subject), rows)]
        while waiting:
            node, at = waiting.pop()
            if node.slot < 0:
                if node.found:
                    yield at, node.found[0]
                    continue
                for row in at.tolist():
                    yield np.array([row]), self._answer(machine, command, states, row)
                continue
            holds = self._engine.values(machine, states, at, node.slot) != 0
            for side, part in ((True, at[holds]), (False, at[~holds])):
                if len(part):
                    waiting.append((decisions.after(subject, node, side), part))

    def _answer(
        self, machine: int, command: str, states: Integers, row: int
    ) -> Understood | Misunderstood:
        """What a command means in a state now."""
        engine = self._engine
        return self._meaning(
            (machine, command), lambda slot: engine.value(machine, states, row, slot) != 0
        )

    def _meaning(self, subject: tuple[int, str], holds: Holds) -> Understood | Misunderstood:
        return self._commands.meaning(*subject, holds)
