"""What the reference says, asked once for every question of a machine and held against arrays.

In: turns of a batch that an engine has played. Out: nothing, or AssertionError where any row did
what the reference does not do. The reference is a function, so whoever asks the same again (state,
operator, number) must have got the same: that is compared for all rows at once. Questions are
found by a hash; the whole question is compared then, so that no row is judged by another's answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.batch.differences import compare
from worldengine.batch import Engine
from worldengine.batch.rows import Step
from worldengine.batch.tables.arrays import Integers

Whole = NDArray[np.int64]
FIRST = 1_024
"""Questions that there is room for at first; doubled when it is full."""


@dataclass(frozen=True)
class Turn:
    """One turn of a batch, as an engine has played it."""

    which: Integers  # (n,)
    operators: NDArray[np.int32]  # (n,)
    numbers: NDArray[np.int32]  # (n,)
    before: Integers  # (n, width)
    after: Integers  # (n, width)
    done: Step


def ask(engine: Engine, turn: Turn, row: int) -> None:
    """AssertionError unless a row did what the reference does when it is asked now."""
    index = int(turn.which[row])
    count = len(engine.tables.machines[index].variables)
    state = tuple(turn.before[row, :count].tolist())
    action = int(turn.operators[row]), int(turn.numbers[row])
    compare(engine, index, row, state, action, turn.after[row].tolist(), turn.done)


class Answers:
    """What the reference has said of one machine: a row of numbers a question."""

    def __init__(self, engine: Engine, index: int) -> None:
        self._engine = engine
        self._index = index
        self._variables = len(engine.tables.machines[index].variables)
        self._places: dict[int, int] = {}
        self._asked = np.zeros((FIRST, self._variables + 2), np.int64)
        self._said = np.zeros((FIRST, self._variables + 5), np.int64)
        chance = np.random.default_rng(index)
        self._mix = chance.integers(0, 2**64, self._variables + 2, np.uint64) | np.uint64(1)

    def __len__(self) -> int:
        return len(self._places)

    def judge(self, turn: Turn, rows: NDArray[np.int64]) -> None:
        """AssertionError unless every one of these rows, all of this machine, did what the
        reference does."""
        asked, said = self._question(turn, rows), self._answer(turn, rows)
        hashes = (asked.view(np.uint64) * self._mix).sum(1, dtype=np.uint64)
        found, first, same = np.unique(hashes, return_index=True, return_inverse=True)
        places = np.array([self._places.get(key, -1) for key in found.tolist()], np.int64)
        for at in np.flatnonzero(places < 0).tolist():
            ask(self._engine, turn, int(rows[first[at]]))
            places[at] = self._keep(int(found[at]), asked[first[at]], said[first[at]])
        place = places[same]
        other = (self._asked[place] != asked).any(1)
        for row in rows[other].tolist():  # another question with the same hash stands there
            ask(self._engine, turn, row)
        wrong = (self._said[place] != said).any(1) & ~other
        if wrong.any():
            question = asked[np.argmax(wrong)].tolist()
            name = self._engine.tables.machines[self._index].name
            action, state = question[:2], question[2:]
            raise AssertionError(f"{name}: {action} on {state} is not always the same")

    def _keep(self, key: int, asked: Whole, said: Whole) -> int:
        """Room for one more question, which was answered as it should be."""
        place = self._places[key] = len(self._places)
        if place == len(self._asked):
            self._asked = np.concatenate([self._asked, np.zeros_like(self._asked)])
            self._said = np.concatenate([self._said, np.zeros_like(self._said)])
        self._asked[place], self._said[place] = asked, said
        return place

    def _question(self, turn: Turn, rows: NDArray[np.int64]) -> Whole:
        state = turn.before[rows, : self._variables]
        return _beside(turn.operators[rows], turn.numbers[rows], state)

    def _answer(self, turn: Turn, rows: NDArray[np.int64]) -> Whole:
        done = turn.done
        progress = done.progress[rows].view(np.int64)  # bit by bit
        state = turn.after[rows, : self._variables]
        columns = (done.outcomes[rows], done.failed[rows], done.texts[rows], done.statuses[rows])
        return _beside(*columns, progress, state)


def _beside(*columns: Integers) -> Whole:
    """Columns, and a matrix, as one matrix."""
    parts = [column.reshape(len(column), -1).astype(np.int64) for column in columns]
    return np.ascontiguousarray(np.concatenate(parts, 1))
