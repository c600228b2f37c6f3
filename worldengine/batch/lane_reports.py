"""What became of each lane in a turn: outcome, what failed, progress, and the id of its text."""

from __future__ import annotations

from worldengine.batch.arrays import Integers
from worldengine.batch.columns import value_of
from worldengine.batch.jit import i64, inner, spliced, u
from worldengine.batch.lane_steps import Code, Work
from worldengine.batch.layout import (
    ACCEPTED_TEXT,
    EXTRA,
    H_EXTRAS,
    H_IDENTITY,
    H_MILESTONE_COUNT,
    H_MILESTONES,
    H_OPERATOR_COUNT,
    H_STATUS,
    NO_REQUIREMENT,
    NOT_REFUSED,
    OUT_OF_RANGE,
    REFUSED_TEXT,
    SAID_DONE,
    SAID_RANGE,
    SAID_SCOPE,
    SAID_UNKNOWN,
    SCOPE_FAILED,
)
from worldengine.batch.naming import is_met, mixed, short_id
from worldengine.machine.schema import ACCEPTED, PARAMETER, PLACE, WON


@spliced
def progress_in(t: Code, h: Integers, w: Work, states: Integers, row: int) -> float:
    """Latched milestones / (their number + 1); 1 when won."""
    if value_of(states, w.size, row, h[H_STATUS]) == WON:
        return 1.0
    latched = 0
    for at in range(h[H_MILESTONE_COUNT]):
        milestone = i64(t.code[u(h[H_MILESTONES] + at)])
        latched += value_of(states, w.size, row, milestone) != 0
    return float(latched / (h[H_MILESTONE_COUNT] + 1.0))


@inner
def name_lane(h: Integers, w: Work, lane: int, operator: int) -> int:
    """The id of the text that a lane is left with."""
    why, value = i64(w.refused[u(lane)]), w.said[u(lane)]
    if why == NOT_REFUSED:
        if value == mixed(i64(h[H_IDENTITY]), i64(ACCEPTED_TEXT + 1)):
            return short_id(h, i64(ACCEPTED_TEXT), i64(SAID_DONE), i64(0), i64(0))
    elif why == OUT_OF_RANGE:
        known = 0 <= operator < h[H_OPERATOR_COUNT]
        text, first = (i64(SAID_RANGE), operator) if known else (i64(SAID_UNKNOWN), i64(0))
        return short_id(h, i64(REFUSED_TEXT), text, first, i64(0))
    elif why < 0:
        return short_id(h, i64(REFUSED_TEXT), i64(SAID_SCOPE), operator, SCOPE_FAILED - why)
    return i64(1) if value == 0 else i64(value)


@inner
def name_texts(h: Integers, w: Work, operators: Integers, met: Integers, texts: Integers,
               strange: Integers, count: int) -> None:  # fmt: skip
    """Write down what each lane said, and whether it was met before."""
    for lane in range(count):
        row = w.rows[u(lane)]
        value = name_lane(h, w, lane, i64(operators[u(row)]))
        texts[u(row)] = value
        strange[u(row)] = not is_met(met, value)


@spliced
def report(t: Code, h: Integers, w: Work, states: Integers, outcomes: Integers,
           failed: Integers, progress: Integers, count: int) -> None:  # fmt: skip
    """Write down what became of each lane."""
    for lane in range(count):
        row, why = w.rows[lane], i64(w.refused[lane])
        outcome, requirement = i64(ACCEPTED), i64(NO_REQUIREMENT)
        if why >= 0:
            extra = h[H_EXTRAS] + EXTRA * why
            outcome, requirement = i64(t.code[u(extra + 4)]), i64(t.code[u(extra + 5)])
        elif why == OUT_OF_RANGE:
            outcome = i64(PARAMETER)
        elif why != NOT_REFUSED:
            outcome, requirement = i64(PLACE), why
        outcomes[row], failed[row] = outcome, requirement
        progress[row] = progress_in(t, h, w, states, i64(row))
