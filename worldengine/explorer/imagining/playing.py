"""Many turns of a few rows in one go.

In: an engine, states, the steps of every row. Out: what came of every step. It is what as many
calls of `Engine.step` would give; for a handful of rows those calls cost twenty times what
the turns do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from worldengine.batch import Engine
from worldengine.batch.compiling.jit import compiled, i64
from worldengine.batch.rows import Step, fits
from worldengine.batch.slots.turns import step_rows
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import FINISHED
from worldengine.explorer.ways import Action
from worldengine.machine.schema import PARAMETER, RUNNING

Way = tuple[Action, ...]
FEW = 48
"""Rows up to which it pays; more of them, doing the same, are faster side by side."""


@compiled
def play_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
              fresh: Integers, marks: Integers, stack: Integers, said: Integers, met: Integers,
              news: Integers, order: Integers, machines: Integers, states: Integers,
              operators: Integers, numbers: Integers, outcomes: Integers, failed: Integers,
              texts: Integers, progress: Integers, status: int, ends: Integers,
              passed: Integers, begin: int) -> int:  # fmt: skip
    """`step_rows` for every row of `operators` (steps, n), from step and row `begin` on, counted
    row by row. `ends` and `passed` (steps, n, width) take the status and the state after each
    step; `passed` may be empty. Gives back how far it came."""
    length, count = i64(operators.shape[0]), i64(operators.shape[1])
    at = i64(begin)
    while at < length * count:
        step = at // count
        came = step_rows(
            head, code, wide, bits, slots, fresh, marks, stack, said, met, news, order, machines,
            states, operators[step], numbers[step], outcomes[step], failed, texts[step],
            progress, at % count, count,
        )  # fmt: skip
        at = step * count + came
        if came < count:
            return at
        running = False
        for row in range(count):
            ends[step, row] = states[row, status]
            running |= states[row, status] == RUNNING
        if len(passed) > 0:
            for row in range(count):
                for variable in range(states.shape[1]):
                    passed[step, row, variable] = states[row, variable]
        elif not running:
            return length * count
    return at


@dataclass(frozen=True, slots=True)
class Gone:
    """All (steps, n): outcomes, FINISHED where a row was over before; the status after every
    step; ids of texts, (steps, 0) where nobody asked for them."""

    outcomes: npt.NDArray[np.int8]
    ends: npt.NDArray[np.int8]
    texts: npt.NDArray[np.int64]


def gone(
    engine: Engine, states: Integers, operators: Integers, numbers: Integers, status: int,
    texts: bool, passed: Integers | None = None,
) -> Gone:  # fmt: skip
    """What comes of `operators` and `numbers` (steps, n), int32, -1 for nothing. `states` (n,
    width) change in place; `passed` (steps, n, width) takes what they were after every step."""
    length, count = operators.shape
    went = Gone(
        np.full((length, count), FINISHED, np.int8),
        np.zeros((length, count), np.int8),
        np.zeros((length, count if texts else 0), np.int64),
    )
    if count > FEW and passed is None:
        _side_by_side(engine, states, operators, numbers, status, went)
    elif count:
        blank = np.zeros((0, count, states.shape[1]), states.dtype)
        kept = blank if passed is None else passed
        _row_by_row(engine, states, operators, numbers, status, went, kept)
    return went


def _row_by_row(
    engine: Engine, states: Integers, operators: Integers, numbers: Integers, status: int,
    went: Gone, passed: Integers,
) -> None:  # fmt: skip
    length, count = operators.shape
    worlds, order = np.zeros(count, np.int32), np.arange(count, dtype=np.int32)
    failed, progress = np.zeros(count, np.int32), np.zeros(count, np.float64)
    tables, scratch = engine.tables, engine.room()
    at = 0
    while at < length * count:
        at = play_rows(
            tables.head, tables.code, tables.wide, tables.bits, scratch.slots, scratch.fresh,
            scratch.marks, scratch.stack, scratch.said, scratch.met, scratch.news, order, worlds,
            states, operators, numbers, went.outcomes, failed, went.texts, progress, status,
            went.ends, passed, at,
        )  # fmt: skip
        if at < length * count:
            engine.make_room(scratch, int(went.outcomes[at // count, at % count]))
    if scratch.news[0]:
        engine.texts.collect(scratch.news)
    fits(tables, went.outcomes.reshape(-1), np.zeros(length * count, np.int32))


def _side_by_side(
    engine: Engine, states: Integers, operators: Integers, numbers: Integers, status: int,
    went: Gone,
) -> None:  # fmt: skip
    """Rows with the most steps come first, so that those that have no more are left alone."""
    length, count = operators.shape
    own = _lengths(operators)
    order = np.argsort(-own, kind="stable")
    left = np.searchsorted(-own[order], -np.arange(length)).tolist()
    rows, steps, values = states[order], operators.take(order, 1), numbers.take(order, 1)
    worlds, failed = np.zeros(count, np.int32), np.full(count, -1, np.int32)
    outcomes, ends = np.zeros((length, count), np.int8), np.zeros((length, count), np.int8)
    texts, progress = np.zeros_like(went.texts), np.zeros(count, np.float64)
    now = rows[:, status]
    for at, some in enumerate(left):
        if now[:some].all():  # all that would do something are over, if any would
            outcomes[at:] = np.where(now == RUNNING, PARAMETER, FINISHED)
            break
        done = Step(
            outcomes[at, :some], failed[:some], texts[at, :some], progress[:some], ends[at, :some]
        )
        engine.step_into(worlds[:some], rows[:some], steps[at, :some], values[at, :some], done)
        outcomes[at, some:] = np.where(now[some:] == RUNNING, PARAMETER, FINISHED)
        ends[at, some:] = now[some:]
    states[order] = rows
    went.outcomes[:, order], went.ends[:, order] = outcomes, ends
    if texts.size:
        went.texts[:, order] = texts


def _lengths(operators: Integers) -> Integers:
    """Of columns of steps (steps, n): how many there are up to the last that is one."""
    steps = operators >= 0
    found: Integers = len(operators) - np.argmax(steps[::-1], axis=0)
    found[~steps.any(axis=0)] = 0
    return found


def keys_of(states: Integers, relevant: Integers) -> list[bytes]:
    """What tells states apart, a key each."""
    kept = np.ascontiguousarray(states[:, relevant])
    size, flat = kept.shape[1] * kept.itemsize, kept.tobytes()
    return [flat[at : at + size] for at in range(0, len(flat), size)]


def padded(ways: list[Way], longest: int) -> npt.NDArray[np.int32]:
    """(step, way, 2): the steps of some ways side by side, -1 after their ends."""
    steps = np.full((longest, len(ways), 2), -1, np.int32)
    for row, way in enumerate(ways):
        if way:
            steps[: len(way), row] = way
    return steps
