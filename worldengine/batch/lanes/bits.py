"""Sets of lanes: a mask is a row of int64, a word a block of lanes, a bit a lane, lowest first.

Masks are named by their row, lanes are `b` to `e`. A mask holds no lanes outside `b` to `e`, as far
as its words for them reach: whole words are joined, divided and looked at, whatever lanes are
meant. Who looks at other lanes in the same words puts the mask aside first (see `turns`).
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import i64, inlined, inner, u
from worldengine.batch.lanes.vectors import BLOCK
from worldengine.batch.tables.arrays import Integers

_SHIFT = BLOCK.bit_length() - 1


@inlined
def word_at(lane: int) -> int:
    """The word of a mask that a lane's bit is in."""
    return lane >> _SHIFT


@inlined
def words_to(e: int) -> int:
    """Where the words end that hold the lanes before one."""
    return (e + BLOCK - 1) >> _SHIFT


@inlined
def start_of(b: int) -> int:
    """The first lane of the block that a lane is in."""
    return b & -BLOCK


@inlined
def span(lane: int, b: int, e: int) -> int:
    """Bits of the lanes `b` to `e` in the block that begins at a lane; there are some."""
    bits = i64(-1) << (b - lane if b > lane else i64(0))
    past = e - lane
    return bits if past >= BLOCK else bits & ~(i64(-1) << past)


@inner
def holds_lane(masks: Integers, m: int, lane: int) -> bool:
    """Whether one lane takes part."""
    return bool((masks[u(m), u(word_at(lane))] >> (lane & (BLOCK - 1))) & 1)


@inner
def some(masks: Integers, m: int, b: int, e: int) -> bool:
    """Whether any lane takes part."""
    row, found = masks[u(m)], i64(0)
    for word in range(word_at(b), words_to(e)):
        found |= row[u(word)]
    return found != 0


@inner
def everybody(masks: Integers, m: int, b: int, e: int) -> None:
    """A mask becomes the lanes `b` to `e`."""
    row = masks[u(m)]
    for lane in range(start_of(b), e, BLOCK):
        row[u(word_at(lane))] = span(lane, b, e)


@inner
def nobody(masks: Integers, m: int, b: int, e: int) -> None:
    """A mask becomes empty."""
    row = masks[u(m)]
    for word in range(word_at(b), words_to(e)):
        row[u(word)] = 0


@inner
def copy_mask(masks: Integers, into: int, others: Integers, m: int, b: int, e: int) -> None:
    """One mask becomes as another."""
    target, source = masks[u(into)], others[u(m)]
    for word in range(word_at(b), words_to(e)):
        target[u(word)] = source[u(word)]


@inner
def join(masks: Integers, into: int, others: Integers, m: int, b: int, e: int) -> None:
    """Lanes of one mask join another."""
    target, source = masks[u(into)], others[u(m)]
    for word in range(word_at(b), words_to(e)):
        target[u(word)] |= source[u(word)]


@inner
def leave(masks: Integers, m: int, others: Integers, without: int, b: int,
          e: int) -> None:  # fmt: skip
    """Lanes of another mask leave this one."""
    target, source = masks[u(m)], others[u(without)]
    for word in range(word_at(b), words_to(e)):
        target[u(word)] &= ~source[u(word)]


@inner
def divide(masks: Integers, m: int, act: int, into: int, b: int, e: int) -> None:
    """Divide the lanes of mask `m` that have come to a step: those in which its tests hold are mask
    `act` already, the others join mask `into`. Mask `m` is empty afterwards."""
    here, goes, others = masks[u(m)], masks[u(act)], masks[u(into)]
    for word in range(word_at(b), words_to(e)):
        others[u(word)] |= here[u(word)] & ~goes[u(word)]
        here[u(word)] = 0
