"""Typed commands in bulk: text to (operator, number), one a slot.

In: texts. Out: arrays, and for the texts that cannot be decided without a state the answer of
`matching` for that state. What a text means on its own is kept in one dictionary a machine,
so a text met before costs one look-up. The answer is always that of `Matcher.answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.deciding import Holds
from worldengine.batch.tables.tables import Tables
from worldengine.matching import Matcher, Misunderstood, Reading, Understood

UNSURE = -2
"""The operator of a text that means different actions in different states, or none."""
MEMORY = 200_000
"""Texts remembered a machine before all are forgotten."""
_UNSURE_PACKED = UNSURE << 32
_SHIFT = 2**31

InScope = Callable[[str, int], bool]
_Pick = Callable[[Sequence[str]], Iterable[str]]
_Part = tuple[dict[str, int], Integers, _Pick]
"""What is remembered of a machine, its slots, and what picks their texts out of all."""


class Commands:
    """Reads commands of the machines of some tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._canonical: dict[int, str] = {}
        self._matchers: dict[int, Matcher] = {}
        self._scopes: dict[int, dict[tuple[str, int], tuple[int, int]]] = {}
        self._memory: list[dict[str, int]] = [{} for _ in tables.machines]
        self._slots: tuple[Integers, list[_Part]] = np.zeros(0, np.int32), []

    def read(
        self, machines: Integers, texts: Sequence[str]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Operators and numbers, (n,) each; the operator is UNSURE where a state decides."""
        try:
            both = self._known(machines, texts)
        except KeyError:
            pairs = zip(machines.tolist(), texts, strict=True)
            both = np.array([self._learn(machine, text) for machine, text in pairs], np.int64)
        return (both >> 32).astype(np.int32), ((both & 0xFFFFFFFF) - _SHIFT).astype(np.int32)

    def _known(self, machines: Integers, texts: Sequence[str]) -> NDArray[np.int64]:
        """What texts mean, machine by machine; KeyError where one was not met before."""
        if len(self._memory) == 1:
            return np.fromiter(map(self._memory[0].__getitem__, texts), np.int64, len(texts))
        known, parts = self._slots
        if known is not machines and not np.array_equal(known, machines):
            parts = [
                (self._memory[machine], rows, _picked(rows.tolist()))
                for machine in range(len(self._memory))
                if len(rows := np.flatnonzero(machines == machine))
            ]
            self._slots = machines.copy(), parts
        both = np.empty(len(texts), np.int64)
        for memory, rows, pick in parts:
            both[rows] = np.fromiter(map(memory.__getitem__, pick(texts)), np.int64, len(rows))
        return both

    def one(self, text: str) -> tuple[int, int]:
        """As `read`, for one text of the first machine."""
        packed = self._memory[0].get(text)
        if packed is None:
            packed = self._learn(0, text)
        return packed >> 32, (packed & 0xFFFFFFFF) - _SHIFT

    def canonical(self, operator: int) -> str:
        """The command that means an operator of the first machine, with its lowest number."""
        found = self._canonical.get(operator)
        if found is None:
            machine = self._tables.machines[0]
            parameters = machine.schemas[machine.operators[operator].schema].parameters
            number = next((item.low for item in parameters if item.type == "number"), 0)
            found = self._canonical[operator] = self.matcher(0).canonical(operator, number)
        return found

    def meaning(self, machine: int, text: str, holds: Holds) -> Understood | Misunderstood:
        """What a text means in a state, told by which slots hold there."""
        return self.matcher(machine).answer(text, self.in_scope(machine, holds))

    def in_scope(self, machine: int, holds: Holds) -> InScope:
        """Which objects are within which scope words, told by which slots hold."""

        def inside(word: str, item: int) -> bool:
            if word in ("", "anywhere"):
                return True
            slot, constant = self.scope(machine, word, item)
            return constant != 0 if slot < 0 else holds(slot)

        return inside

    def scope(self, machine: int, word: str, item: int) -> tuple[int, int]:
        """Where a machine tells whether an object is in a scope: a slot, or -1 and a
        constant."""
        rows = self._scopes.get(machine)
        if rows is None:
            rows = self._scopes[machine] = {
                (scope.word, row.object): (row.slot, row.constant)
                for scope in self._tables.machines[machine].scopes
                for row in scope.rows
            }
        return rows.get((word, item), (-1, 0))

    def matcher(self, machine: int) -> Matcher:
        """The matcher of a machine, made when it is first needed."""
        if machine not in self._matchers:
            self._matchers[machine] = Matcher(self._tables.machines[machine])
        return self._matchers[machine]

    def _learn(self, machine: int, text: str) -> int:
        memory = self._memory[machine]
        found = memory.get(text)
        if found is not None:
            return found
        if not isinstance(text, str):
            raise TypeError(f"commands are texts, not {type(text).__name__}")
        readings: tuple[Reading, ...] = ()
        if len(text) <= 1_000:
            readings = tuple(r for r in self.matcher(machine).readings(text) if r.in_range)
        packed = _UNSURE_PACKED
        if readings and readings[0].operator >= 0:
            first = readings[0]
            always = not self._tables.scope_objects[machine][first.operator]
            if always or len(readings) == 1:  # no state lets another reading answer
                packed = (first.operator << 32) | (first.number + _SHIFT)
        if len(memory) >= MEMORY:
            memory.clear()
        memory[text] = packed
        return packed


def _picked(rows: list[int]) -> _Pick:
    """What picks some of many texts, at least one."""
    if len(rows) == 1:
        return lambda texts: (texts[rows[0]],)
    return itemgetter(*rows)
