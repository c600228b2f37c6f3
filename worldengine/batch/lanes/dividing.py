"""Lanes divided at a step: those in which its tests hold go one way, the others another.

`m` is the mask of the lanes that have come to the step; it is empty afterwards. Those in which the
tests hold become mask `act`, the others join mask `into`. Given back is whether there are any of
the first. Rows and lanes are named as in `columns`.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import inner, u
from worldengine.batch.lanes.columns import NO
from worldengine.batch.lanes.vectors import (
    BLOCK,
    before,
    block,
    both,
    chosen,
    compared,
    either,
    equal,
    every,
    put,
    united,
)
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import LESS, MORE, SAME
from worldengine.machine.schema import UNDEFINED


@inner
def divide(masks: Integers, m: int, act: int, into: int, b: int, e: int) -> bool:
    """Where mask `act` holds the lanes already."""
    here, goes, others, found = masks[u(m)], masks[u(act)], masks[u(into)], every(0)
    for lane in range(b, e, BLOCK):
        holds = block(goes, lane)
        rest = chosen(holds, every(0), block(here, lane))
        put(others, lane, e, either(block(others, lane), rest))
        put(here, lane, e, every(0))
        found = either(found, both(holds, before(lane, e)))
    return bool(united(found) != NO)


@inner
def divide_by_number(masks: Integers, m: int, act: int, into: int, cols: Integers, c: int,
                     mask: int, offset: int, b: int, e: int) -> bool:  # fmt: skip
    """Where the only test compares a slot with a number that is no UNDEFINED."""
    here, goes, others, found = masks[u(m)], masks[u(act)], masks[u(into)], every(0)
    row, against, level = cols[u(c)], every(offset), every(-((mask & SAME) >> 1))
    under, over = every(-(mask & LESS)), every(-((mask & MORE) >> 2))
    for lane in range(b, e, BLOCK):
        value, came = block(row, lane), both(block(here, lane), before(lane, e))
        holds = compared(value, against, under, level, over)
        holds = both(came, chosen(equal(value, every(UNDEFINED)), every(0), holds))
        put(goes, lane, e, holds)
        put(others, lane, e, either(block(others, lane), chosen(holds, every(0), came)))
        put(here, lane, e, every(0))
        found = either(found, holds)
    return bool(united(found) != NO)
