"""Between operators and what a player types: commands of operators, numbers that operators take.

In: operators, one a slot, by their index in their machine. Out: commands that mean them, and which
numbers each would be accepted with, for all slots at once. Both engines share what is told here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from worldengine.batch.engine import Engine
from worldengine.batch.episodes import column_of, slots_of
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.deciding import Decisions, Holds
from worldengine.batch.tables.layout import H_OPERATOR_COUNT, H_OPERATORS, H_RANGES, OPERATOR
from worldengine.batch.tables.tables import Tables
from worldengine.batch.texts.commands import Commands
from worldengine.matching.offers import Offers

PAIRS = 65_536
"""Slots with a number each that are tried at a time."""
Subject = tuple[int, int, int]
"""A machine, an operator and a number."""
Accepted = Callable[[NDArray[np.int64], Integers, Integers], NDArray[np.bool_]]
"""Rows of the batch, and an operator and a number for each: which would be accepted."""

State = Callable[[], Integers]


class Asking:
    """See the module. For all machines of some tables."""

    def __init__(self, engine: Engine, commands: Commands) -> None:
        self._tables, self._commands, self._engine = engine.tables, commands, engine
        self._offers: dict[int, Offers] = {}
        self._worded: Decisions[Subject, str] = Decisions(self._wording)
        self._certain: dict[Subject, str] = {}
        self.counts = self._tables.head[:, H_OPERATOR_COUNT]
        self.ranges, self.weighs = _ranges(self._tables)
        self.ranges.flags.writeable = False
        self.widest = int((self.ranges[:, :, 1] - self.ranges[:, :, 0]).max(initial=-1)) + 1

    def check(self, worlds: Integers, operators: Integers) -> None:
        """ValueError unless each slot's machine has the operator given for it."""
        beyond = (operators < 0) | (operators >= self.counts[worlds])
        if beyond.any():
            slot = int(np.argmax(beyond))
            self._no_such(slot, int(worlds[slot]), int(operators[slot]))

    def _no_such(self, slot: int, world: int, operator: int) -> NoReturn:
        machine = self._tables.machines[world]
        raise ValueError(
            f"slot {slot} plays {machine.name}, which has operators"
            f" 0..{len(machine.operators) - 1}, not {operator}"
        )

    def command(
        self,
        slot: int,
        world: int,
        operator: int,
        number: int | None,
        state: Callable[[], Integers],
    ) -> str:
        """A command that means an operator in a state, (1, width), asked for where it decides."""
        if not 0 <= operator < self.counts[world]:
            self._no_such(slot, world, operator)
        low, high = self.ranges[world, operator].tolist()
        if high < low:
            number = 0
        elif number is None or not low <= number <= high:
            given = "none was given" if number is None else f"not {number}"
            name = self._tables.machines[world].name
            raise ValueError(f"operator {operator} of {name} takes a number {low}..{high}, {given}")
        subject = world, operator, number
        known = self._certain.get(subject)
        if known is None:
            known = self._offers_of(world).certain(operator)
            if known is None:
                return self._worded.of(subject, self._holds(world, state()))
            self._certain[subject] = known
        return known

    def _holds(self, world: int, state: Integers) -> Holds:
        return lambda at: self._engine.value(world, state, 0, at) != 0

    def _wording(self, subject: Subject, holds: Holds) -> str:
        world, operator, number = subject
        scope = self._commands.in_scope(world, holds)
        takes = self.ranges[world, operator, 0] <= self.ranges[world, operator, 1]
        numbers = ((number, number),) if takes else None
        worded = self._offers_of(world).texts([(operator, numbers)], scope)
        return worded[0] if worded else self._commands.matcher(world).canonical(operator, number)

    def _offers_of(self, world: int) -> Offers:
        if world not in self._offers:
            self._offers[world] = Offers(self._commands.matcher(world))
        return self._offers[world]

    def numbers(
        self, worlds: Integers, operators: Integers, running: NDArray[np.bool_], accepted: Accepted
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """See `BatchEnv.number_mask`; `accepted` says what would be."""
        self.check(worlds, operators)
        lows, highs = self.ranges[worlds, operators].T
        takes = lows <= highs
        sizes = np.where(takes, highs - lows + 1, 1)
        fits = np.zeros((len(worlds), int(sizes.max(initial=1))), np.uint8)
        fits[:, 0] = ~takes
        weighs = self.weighs[worlds, operators]
        rows = np.flatnonzero(takes & running)
        tried = np.where(weighs, sizes, 1)[rows]
        ends = np.cumsum(tried)
        for begin in range(0, int(ends[-1]) if len(ends) else 0, PAIRS):
            pairs = np.arange(begin, min(begin + PAIRS, int(ends[-1])))
            owner = np.searchsorted(ends, pairs, side="right")
            row, place = rows[owner], pairs - (ends - tried)[owner]
            fits[row, place] = accepted(row, operators[row], (lows[row] + place).astype(np.int32))
        whole = rows[~weighs[rows]]  # one number stands for all
        fits[whole] = fits[whole, :1] & (np.arange(fits.shape[1]) < sizes[whole, None])
        return np.where(takes, lows, 0).astype(np.int32), fits


class Commanding(ABC):
    """What batches on either engine tell of operators as commands."""

    size: int
    _asking: Asking

    @property
    def number_ranges(self) -> NDArray[np.int64]:
        """(machines, operators, 2) the lowest and the highest number that each operator takes; 0
        and -1 where it takes none. On the host; not to be written to."""
        return self._asking.ranges

    def command(self, slot: int, operator: int, number: int | None = None) -> str:
        """A command that means an operator of the machine in a slot, as `step_texts` reads it
        there now. An operator that takes a number needs one; others ignore it. What is out of
        scope may be given in words that mean something else. ValueError for an operator or a
        number that there is not."""
        (row,) = slots_of([slot], self.size).tolist()
        return self._command(row, int(self._worlds_now()[row]), operator, number)

    def commands(self, operators: ArrayLike, numbers: ArrayLike | None = None) -> list[str]:
        """The same for all slots, one operator each: what `step` is asked for, typed."""
        ops = column_of(self._on_host(operators), self.size).tolist()
        given: list[int] | list[None] = [None] * self.size
        if numbers is not None:
            given = column_of(self._on_host(numbers), self.size).tolist()
        slots = zip(self._worlds_now().tolist(), ops, given, strict=True)
        return [self._command(row, *each) for row, each in enumerate(slots)]

    def _command(self, row: int, world: int, operator: int, number: int | None) -> str:
        return self._asking.command(row, world, operator, number, lambda: self._states_of([row]))

    @abstractmethod
    def _worlds_now(self) -> Integers:
        """(n,) the machine of each slot, on the host."""

    @abstractmethod
    def _states_of(self, rows: list[int]) -> Integers:
        """States of some slots, on the host."""

    @abstractmethod
    def _on_host(self, column: ArrayLike) -> ArrayLike:
        """A column of either engine, on the host."""


def _ranges(tables: Tables) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(machines, operators, 2) the lowest and the highest number an operator takes, 0 and -1 where
    it takes none or there is no such operator; and whether requirements ask for the number."""
    ranges = np.zeros((len(tables.machines), tables.operators, 2), np.int64)
    ranges[:, :, 1] = -1
    weighs = np.zeros(ranges.shape[:2], np.bool_)
    for index, head in enumerate(tables.head):
        count, begin = int(head[H_OPERATOR_COUNT]), int(head[H_OPERATORS])
        rows = tables.code[begin : begin + OPERATOR * count].reshape(count, OPERATOR)
        takers = np.flatnonzero(rows[:, 4] >= 0)
        bounds = int(head[H_RANGES]) + 2 * rows[takers, 4].astype(np.int64)
        ranges[index, takers, 0] = tables.wide[bounds]
        ranges[index, takers, 1] = tables.wide[bounds + 1]
        weighs[index, :count] = rows[:, 5] != 0
    return ranges, weighs
