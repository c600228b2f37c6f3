"""How slots begin: start states of variants, and the text a player reads first."""

from __future__ import annotations

from worldengine.batch.compiling.jit import compiled, i64, u
from worldengine.batch.slots.kernel import run
from worldengine.batch.slots.naming import note, text_id
from worldengine.batch.slots.turns import load
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ENDED,
    H_OPENING,
    H_STARTS,
    H_VARIABLES,
    H_VARIANT_COUNT,
    H_VARIANTS,
    OPENING_TEXT,
    RETURN,
)

FIRST, SECOND = -4658895280553007687, -7723592293110705685  # of splitmix64, signed


@compiled
def drawn(seed: int, episode: int, count: int) -> int:
    """A number below `count` that depends on nothing but the seed and the episode."""
    value = seed * -7046029254386353131 + episode * SECOND
    value = (value ^ ((value >> 30) & 0x3FFFFFFFF)) * FIRST
    value = (value ^ ((value >> 27) & 0x1FFFFFFFFF)) * SECOND
    value = (value ^ (value >> 31)) & 0x7FFFFFFFFFFFFFFF
    return i64(value % count)


@compiled
def start_rows(head: Integers, wide: Integers, machines: Integers, wanted: Integers,
               fixed: Integers, seeds: Integers, episodes: Integers, variants: Integers,
               states: Integers) -> None:  # fmt: skip
    """Put the rows that are `wanted` at their start. The variant of a row is `fixed`, or,
    where that is negative, drawn from its seed and episode; it is noted in `variants`."""
    for row in range(len(machines)):
        if not wanted[row]:
            continue
        h = head[machines[row]]
        variant = i64(fixed[row])
        if variant < 0:
            variant = drawn(seeds[row], episodes[row], h[H_VARIANT_COUNT])
        variants[row] = variant
        variables, starts = h[H_VARIABLES], h[H_STARTS]
        states[row, :] = 0
        for variable in range(variables):
            states[row, variable] = wide[u(starts + variable)]
        begin, end = wide[u(h[H_VARIANTS] + variant)], wide[u(h[H_VARIANTS] + variant + 1)]
        pairs = starts + variables
        for at in range(begin, end, 2):
            states[row, wide[u(pairs + at)]] = wide[u(pairs + at + 1)]


@compiled
def opening_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
                 fresh: Integers, marks: Integers, stack: Integers, said: Integers,
                 met: Integers, news: Integers, machines: Integers, states: Integers,
                 wanted: Integers, outcomes: Integers, texts: Integers, begin: int,
                 end: int) -> int:  # fmt: skip
    """Name the opening text of the rows that are `wanted`; room as in `turns.step_rows`."""
    for row in range(begin, end):
        if not wanted[row]:
            continue
        machine = i64(machines[row])
        h = head[machine]
        load(states, i64(row), h, slots, fresh)
        said[0] = 1
        if h[H_OPENING] != RETURN:
            step = i64(h[H_OPENING])
            ended = run(code, wide, bits, h, slots, fresh, marks, stack, said, step, i64(-1))
            if ended != ENDED:
                outcomes[row] = ended
                return row
        value = text_id(h, i64(OPENING_TEXT), said)
        if not note(met, news, machine, i64(OPENING_TEXT), said, value):
            outcomes[row] = 0
            return row
        texts[row] = value
    return end
