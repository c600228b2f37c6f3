"""The numba engine: whole arrays of states in, whole arrays of transitions out.

In: `Tables`, and arrays with one row a slot. Out: a `Step`, states changed in place. The
rows are shared out over threads in unbroken ranges; no result depends on how. Refused with
ValueError: arrays of the wrong length or type. Refused with MachineError: a Machine that
stores outside its domains or whose recursive derived variables never settle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.lanes.masks import mask_lanes
from worldengine.batch.lanes.ordering import Ordering
from worldengine.batch.lanes.scratch import Scratch
from worldengine.batch.lanes.steps import Code
from worldengine.batch.lanes.turns import step_lanes
from worldengine.batch.rows import Step, blank_step, check_rows, fits
from worldengine.batch.sharing import Threads
from worldengine.batch.slots.masks import mask_rows, number_rows
from worldengine.batch.slots.starts import opening_rows
from worldengine.batch.slots.turns import read_rows, step_rows
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    FULL,
    H_OPERATOR_COUNT,
    H_OPERATORS,
    H_RANGES,
    H_STATUS,
    H_VARIABLES,
    OPERATOR,
    UNSETTLED,
)
from worldengine.batch.tables.tables import Tables
from worldengine.batch.texts.texts import TextStore
from worldengine.machine.errors import MachineError

WORTH_A_THREAD = 512
"""Rows below which a thread costs more than it saves."""
WORTH_LANES = 4
"""Rows of one operator (for masks, of one machine) from which on they are stepped side by side."""
AT_A_TIME = 65_536
"""Rows whose states are kept while they step, so that texts not met before can be worked out."""


class Engine:
    """See the module. One caller at a time; it may use several threads itself."""

    def __init__(self, tables: Tables, threads: int = 1, store: TextStore | None = None) -> None:
        if not isinstance(threads, int) or threads < 1:
            raise ValueError(f"an engine needs at least one thread, not {threads!r}")
        self.tables = tables
        self.texts = TextStore() if store is None else store
        self.threads = threads
        self._sorter = Ordering(tables)
        self._code = Code(tables.head, tables.code, tables.wide, tables.bits)
        self._status = tables.head[:, H_STATUS]
        self._ordered: tuple[Integers, Integers] = np.zeros(0), np.zeros(0, np.int32)
        self._scratch = [Scratch(tables) for _ in range(threads)]
        self._pool = Threads(threads)

    def step(
        self, machines: Integers, states: Integers, operators: Integers, numbers: Integers,
        texts: bool = True,
    ) -> Step:  # fmt: skip
        """One turn of every row, in place. `machines` (n,) and `operators`, `numbers` (n,)
        are int32, `states` (n, width) is of the tables' state type. Rows that are over are
        left alone and marked FINISHED. An operator that does not exist is refused."""
        check_rows(self.tables, states, machines, operators, numbers)
        done = blank_step(len(states), texts)
        self.step_into(machines, states, operators, numbers, done)
        return done

    def step_into(
        self, machines: Integers, states: Integers, operators: Integers, numbers: Integers,
        done: Step,
    ) -> None:  # fmt: skip
        """The same for callers who step again and again: nothing is checked, and `done` is as
        `blank_step` makes it."""
        if self._step_lanes(machines, states, operators, numbers, done):
            return
        self._step_rows(machines, states, operators, numbers, done, self._order(machines))
        done.statuses[:] = states[np.arange(len(states)), self._status[machines]]

    def _step_rows(
        self, machines: Integers, states: Integers, operators: Integers, numbers: Integers,
        done: Step, order: Integers, threads: int | None = None,
    ) -> None:  # fmt: skip
        """Step rows one by one."""

        def work(scratch: Scratch, begin: int, end: int) -> int:
            tables = self.tables
            return step_rows(
                tables.head, tables.code, tables.wide, tables.bits, scratch.slots,
                scratch.fresh, scratch.marks, scratch.stack, scratch.said, scratch.met,
                scratch.news, order, machines, states, operators, numbers, done.outcomes,
                done.failed, done.texts, done.progress, begin, end,
            )  # fmt: skip

        self.share(len(states), work, done.outcomes, order, threads)
        fits(self.tables, done.outcomes, machines)

    def _step_lanes(
        self, machines: Integers, states: Integers, operators: Integers, numbers: Integers,
        done: Step,
    ) -> bool:  # fmt: skip
        """Step rows side by side; False (and nothing done) where too few share an operator."""
        count = len(states)
        if count < WORTH_LANES or not states.flags.c_contiguous:
            return False
        order, groups = self._sorter.sort(machines, operators)
        if count < WORTH_LANES * groups:
            return False
        heard = len(done.texts) > 0
        strange = np.zeros(len(done.texts), np.uint8)
        most = AT_A_TIME if heard else count
        for begin in range(0, count, most):
            part = order[begin : begin + most]
            before = np.empty((len(part) * heard, states.shape[1]), states.dtype)
            self._side_by_side(
                order, begin, len(part), states, operators, numbers, done, strange, before
            )
            if heard:
                met_first = np.flatnonzero(strange[part])
                self._meet(part[met_first], machines, before[met_first], operators, numbers,
                           done.texts)  # fmt: skip
        fits(self.tables, done.outcomes, machines)
        return True

    def _side_by_side(
        self, order: Integers, first: int, count: int, states: Integers, operators: Integers,
        numbers: Integers, done: Step, strange: Integers, before: Integers,
    ) -> None:  # fmt: skip
        """Step `count` rows of `order` from the place `first` on; they stand by machine and
        operator. `strange` (n,) is set where a text is not known yet, and the state that it
        comes from stands in `before` (count, width)."""
        met, heard, groups = self._scratch[0].met, len(done.texts) > 0, self._sorter.groups
        flat, befores = states.view(np.uint8), before.view(np.uint8)

        def work(scratch: Scratch, begin: int, end: int) -> int:
            return step_lanes(
                self._code, scratch.lanes(heard), order, groups, flat, operators, numbers,
                done.outcomes, done.failed, done.progress, done.statuses, met, done.texts,
                strange, befores[begin:end], first + begin, first + end,
            ) - first  # fmt: skip

        self.share(count, work, done.outcomes, order[first:])

    def _meet(
        self, rows: Integers, machines: Integers, states: Integers, operators: Integers,
        numbers: Integers, texts: Integers,
    ) -> None:  # fmt: skip
        """Find out what the texts of `rows` (k,) stand for, by a turn one state at a time from
        where they were, `states` (k, width). One row a text."""
        _, first = np.unique(texts[rows], return_index=True)
        if len(first) == 0:
            return
        first.sort()
        rows = rows[first]
        named, order = blank_step(len(rows), True), np.arange(len(rows), dtype=np.int32)
        self._step_rows(
            machines[rows], states[first], operators[rows], numbers[rows], named, order, 1
        )
        assert (named.texts == texts[rows]).all()

    def mask(
        self, machines: Integers, states: Integers, required: bool = True
    ) -> NDArray[np.uint8]:
        """(n, operators): 1 where an operator is applicable (or, unless `required`, only
        scoped). Columns beyond a machine's own operators are 0."""
        check_rows(self.tables, states, machines)
        count, tables = len(states), self.tables
        mask = np.zeros((count, tables.operators), np.uint8)
        if count >= WORTH_LANES * len(tables.machines) and states.flags.c_contiguous:
            order, flat = self._order(machines), states.view(np.uint8)

            def side_by_side(scratch: Scratch, begin: int, end: int) -> int:
                return mask_lanes(
                    self._code, scratch.lanes(), order, machines, flat, required, mask, begin, end
                )

            self.share(count, side_by_side, np.full(count, UNSETTLED, np.int8), order)
            return mask

        def work(scratch: Scratch, begin: int, end: int) -> int:
            return mask_rows(
                tables.head, tables.code, tables.wide, tables.bits, scratch.slots,
                scratch.fresh, scratch.marks, scratch.stack, scratch.said, scratch.dead,
                machines, states, required, mask, begin, end,
            )  # fmt: skip

        self.share(count, work, np.zeros(0, np.int8))
        return mask

    def openings(self, machines: Integers, states: Integers, wanted: Integers) -> Integers:
        """Ids of what a player reads first in the rows that are `wanted` (n,) bool; else 0."""
        check_rows(self.tables, states, machines)
        tables, count = self.tables, len(states)
        outcomes, texts = np.zeros(count, np.int8), np.zeros(count, np.int64)

        def work(scratch: Scratch, begin: int, end: int) -> int:
            return opening_rows(
                tables.head, tables.code, tables.wide, tables.bits, scratch.slots,
                scratch.fresh, scratch.marks, scratch.stack, scratch.said, scratch.met,
                scratch.news, machines, states, wanted, outcomes, texts, begin, end,
            )  # fmt: skip

        self.share(count, work, outcomes)
        return texts

    def value(self, machine: int, states: Integers, row: int, slot: int) -> int:
        """The value of any slot of a machine in one row, derived variables among them."""
        tables, scratch = self.tables, self._scratch[0]
        if slot < tables.head[machine, H_VARIABLES]:
            return int(states[row, slot])
        values = np.zeros(1, np.int32)
        read_rows(
            tables.head, tables.code, tables.wide, tables.bits, scratch.slots, scratch.fresh,
            scratch.marks, scratch.stack, scratch.said, machine, states, np.array([row]), slot,
            values,
        )  # fmt: skip
        return int(values[0])

    def numbers(
        self, machine: int, states: Integers, row: int, operator: int
    ) -> tuple[tuple[int, int], ...]:
        """The numbers with which an operator that is in scope in a row would be accepted, as
        closed intervals, ascending. ValueError if there is none such that takes a number."""
        tables, scratch = self.tables, self._scratch[0]
        head = tables.head[machine]
        known = 0 <= operator < head[H_OPERATOR_COUNT]
        place = int(tables.code[head[H_OPERATORS] + OPERATOR * operator + 4]) if known else -1
        if place < 0:
            raise ValueError(f"there is no operator {operator} that takes a number")
        bounds = int(head[H_RANGES]) + 2 * place
        low, high = int(tables.wide[bounds]), int(tables.wide[bounds + 1])
        taken = np.zeros(high - low + 1, np.uint8)
        number_rows(
            tables.head, tables.code, tables.wide, tables.bits, scratch.slots, scratch.fresh,
            scratch.marks, scratch.stack, scratch.said, machine, states, row, operator, low,
            taken,
        )  # fmt: skip
        edges = np.flatnonzero(np.diff(taken.astype(np.int8), prepend=0, append=0)).tolist()
        return tuple(
            (low + begin, low + end - 1) for begin, end in zip(edges[::2], edges[1::2], strict=True)
        )

    def _order(self, machines: Integers) -> Integers:
        """Rows of one machine behind one another: its tables are then near at hand."""
        known, order = self._ordered
        if known is not machines and not np.array_equal(known, machines):
            order = np.argsort(machines, kind="stable").astype(np.int32)
            self._ordered = machines.copy(), order
        return order

    def share(
        self,
        count: int,
        work: Callable[[Scratch, int, int], int],
        outcomes: Integers,
        order: Integers | None = None,
        threads: int | None = None,
    ) -> None:
        """Share rows out over threads and see each range through to its end."""
        parts = min(threads or self.threads, max(1, count // WORTH_A_THREAD))

        def through(part: int) -> None:
            scratch, end = self._scratch[part], count * (part + 1) // parts
            at = work(scratch, count * part // parts, end)
            while at < end:
                row = at if order is None else order[at]
                self.make_room(scratch, int(outcomes[row]))
                at = work(scratch, at, end)

        self._pool.share(through, parts)
        for scratch in self._scratch:
            if scratch.news[0]:
                self.texts.collect(scratch.news)

    def room(self) -> Scratch:
        """The first thread's room, for callers that step without `step`."""
        return self._scratch[0]

    def make_room(self, scratch: Scratch, reason: int) -> None:
        """Do what a kernel that stopped with this outcome needs before it can go on."""
        if reason == UNSETTLED:
            scratch.marks[:] = 0
            scratch.drop_lanes()
            raise MachineError("a recursive derived variable never settles")
        if reason == FULL:
            scratch.grow_said()
            return
        self.texts.collect(scratch.news)
        if 2 * int(scratch.news[1]) > len(scratch.met):
            scratch.grow_met()
