"""What became of each lane in a turn: outcome, what failed, progress, and the id of its text."""

from __future__ import annotations

from worldengine.batch.compiling.jit import i64, inner, spliced, u
from worldengine.batch.lanes.bits import span, start_of
from worldengine.batch.lanes.columns import fill
from worldengine.batch.lanes.steps import Code, Work, wants
from worldengine.batch.lanes.vectors import (
    BLOCK,
    block,
    equal,
    every,
    lowest,
    put,
    sum_of,
)
from worldengine.batch.slots.naming import is_met, mixed, short_id
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ACCEPTED_TEXT,
    EXTRA,
    FINISHED,
    H_EXTRAS,
    H_IDENTITY,
    H_MILESTONE_COUNT,
    H_MILESTONES,
    H_OPERATOR_COUNT,
    H_STATUS,
    H_VARIABLES,
    NOT_REFUSED,
    OUT_OF_RANGE,
    REFUSED_TEXT,
    SAID_DONE,
    SAID_RANGE,
    SAID_SCOPE,
    SAID_UNKNOWN,
    SCOPE_FAILED,
    WAS_OVER,
)
from worldengine.machine.schema import PARAMETER, PLACE, RUNNING, WON


@inner
def count_one(rows: Integers, c: int, cols: Integers, m: int, b: int, e: int) -> None:
    """Count up where a slot is not 0."""
    counted, row = rows[u(c)], cols[u(m)]
    for lane in range(start_of(b), e, BLOCK):
        more = span(lane, b, e) & ~equal(block(row, lane), every(0))
        put(counted, lane, more, sum_of(block(counted, lane), every(1)))


@inner
def unusual(refused: Integers, cols: Integers, status: int, counted: Integers, c: int, lane: int,
            e: int) -> int:  # fmt: skip
    """The lanes of a block that were refused, are not running, or have counted anything."""
    usual = equal(block(refused, lane), every(NOT_REFUSED))
    usual &= equal(block(cols[u(status)], lane), every(RUNNING))
    usual &= equal(block(counted[u(c)], lane), every(0))
    return i64(~usual & span(lane, lane, e))


@inner
def name_lane(h: Integers, w: Work, lane: int, operator: int) -> int:
    """The id of the text that a lane is left with."""
    why, value = i64(w.refused[u(lane)]), w.said[u(lane)]
    if why == NOT_REFUSED:
        if value == mixed(i64(h[H_IDENTITY]), i64(ACCEPTED_TEXT + 1)):
            return short_id(h, i64(ACCEPTED_TEXT), i64(SAID_DONE), i64(0), i64(0))
    elif why == WAS_OVER:
        return i64(0)
    elif why == OUT_OF_RANGE:
        known = 0 <= operator < h[H_OPERATOR_COUNT]
        text, first = (i64(SAID_RANGE), operator) if known else (i64(SAID_UNKNOWN), i64(0))
        return short_id(h, i64(REFUSED_TEXT), text, first, i64(0))
    elif why < 0:
        return short_id(h, i64(REFUSED_TEXT), i64(SAID_SCOPE), operator, SCOPE_FAILED - why)
    return i64(1) if value == 0 else i64(value)


@inner
def save_states(h: Integers, w: Work, states: Integers, count: int) -> None:
    """Keep the states in the lanes as they are before the turn."""
    size = h[H_VARIABLES] * w.size
    for lane in range(count):
        state, saved = states[u(w.rows[u(lane)])], w.saved[u(lane)]
        for byte in range(size):
            saved[u(byte)] = state[u(byte)]


@inner
def name_texts(h: Integers, w: Work, operators: Integers, met: Integers, texts: Integers,
               strange: Integers, befores: Integers, place: int, count: int) -> None:  # fmt: skip
    """Write down what each lane said. Where that was not met before it is `strange`, and the
    state from before the turn goes into `befores`, whose row `place` is for the first lane."""
    size = h[H_VARIABLES] * w.size
    for lane in range(count):
        row = w.rows[u(lane)]
        value = name_lane(h, w, lane, i64(operators[u(row)]))
        texts[u(row)] = value
        if value != 0 and not is_met(met, value):
            strange[u(row)] = 1
            before, saved = befores[u(place + lane)], w.saved[u(lane)]
            for byte in range(size):
                before[u(byte)] = saved[u(byte)]


@inner
def report_lane(t: Code, h: Integers, w: Work, outcomes: Integers, failed: Integers,
                progress: Integers, statuses: Integers, lane: int) -> None:  # fmt: skip
    """Write down what became of one lane."""
    row, why = i64(w.rows[u(lane)]), i64(w.refused[u(lane)])
    status = w.cols[u(h[H_STATUS]), u(lane)]
    statuses[u(row)] = status
    if why == WAS_OVER:
        outcomes[u(row)] = FINISHED
        return
    if why >= 0:
        extra = h[H_EXTRAS] + EXTRA * why
        outcomes[u(row)] = t.code[u(extra + 4)]
        failed[u(row)] = t.code[u(extra + 5)]
    elif why == OUT_OF_RANGE:
        outcomes[u(row)] = PARAMETER
    elif why != NOT_REFUSED:
        outcomes[u(row)], failed[u(row)] = PLACE, why
    latched = w.held[0, u(lane)] / (h[H_MILESTONE_COUNT] + 1.0)
    progress[u(row)] = 1.0 if status == WON else latched


@spliced
def report(t: Code, h: Integers, w: Work, states: Integers, outcomes: Integers,
           failed: Integers, progress: Integers, statuses: Integers,
           count: int) -> None:  # fmt: skip
    """Write down what became of the lanes, where it is not what stands there from the start:
    accepted, nothing failed, no progress, running. What is fetched is as the states are."""
    zero, status = i64(0), h[H_STATUS]
    wants(h, w, states, status, zero, count)
    fill(w.held, zero, zero, zero, count)
    for at in range(h[H_MILESTONE_COUNT]):
        milestone = i64(t.code[u(h[H_MILESTONES] + at)])
        wants(h, w, states, milestone, zero, count)
        count_one(w.held, zero, w.cols, milestone, zero, count)
    for lane in range(0, count, BLOCK):
        left = unusual(w.refused, w.cols, status, w.held, zero, lane, count)
        while left != 0:
            each = lane + lowest(left)
            report_lane(t, h, w, outcomes, failed, progress, statuses, each)
            left &= left - 1
