"""What every function of the fused kernel needs: reading, storing, going to a step.

A lane is one row of the batch. The room of a lane stands column by column beside that of its
neighbours, so that lanes that look at one slot read one line of memory. The meaning is that of
`worldengine.batch.slots.reading`; names are the same. A mask says which lanes are meant: the
others read 0 and write nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import triton
import triton.language as tl

from worldengine.batch.tables import layout as at
from worldengine.machine import schema as op

jit: Any = triton.jit


class Code(NamedTuple):
    """Arrays of `tables.Tables`, and the largest of what its machines have."""

    code: Any  # int16 or int32
    wide: Any  # int32
    bits: Any  # int64
    derived: Any
    words: Any  # words of a set of derived variables
    registers: Any  # registers put aside for a derived variable
    arguments: Any  # values of a text
    saying: Any  # room for what a turn says


class Head(NamedTuple):
    """The machine of every lane: a pointer to its row of `head`, and what is often asked."""

    row: Any
    steps: Any
    tests: Any
    assigns: Any
    extras: Any
    variables: Any
    low: Any  # the first register
    base: Any  # the first derived variable
    zero: Any
    words: Any


class Room(NamedTuple):
    """Where lanes run: pointers to the first column of each, and how far columns are apart."""

    slots: Any  # int32
    fresh: Any  # int64
    marks: Any  # int32; behind the marks, the links of the members of a group
    stack: Any  # int32
    said: Any  # int32, one row a lane
    by: Any


@jit
def some(m):
    """Whether any lane is meant."""
    return tl.max(m.to(tl.int32), 0) > 0


@jit
def column(h, index):
    """A column of `head`."""
    return tl.load(h.row + index).to(tl.int32)


@jit
def coded(t, place, m):
    return tl.load(t.code + place, mask=m, other=0).to(tl.int32)


@jit
def slot(room, index, m):
    return tl.load(room.slots + index * room.by, mask=m, other=0)


@jit
def put(room, index, value, m):
    tl.store(room.slots + index * room.by, value.to(tl.int32), mask=m)


@jit
def mark(room, index, value, m):
    tl.store(room.marks + index * room.by, value, mask=m)


@jit
def marked(room, index, m):
    return tl.load(room.marks + index * room.by, mask=m, other=-1)


@jit
def is_fresh(room, index, m):
    word = tl.load(room.fresh + (index >> 6) * room.by, mask=m, other=0)
    return m & (((word >> (index & 63).to(tl.int64)) & 1) != 0)


@jit
def freshen(room, index, m):
    place = room.fresh + (index >> 6) * room.by
    one = tl.full(index.shape, 1, tl.int64)
    tl.store(place, tl.load(place, mask=m, other=0) | (one << (index & 63).to(tl.int64)), mask=m)


@jit
def stale(h, room, index, tangled, m):
    """Which lanes have a derived variable in a slot that must be worked out first; and whether
    lanes met one that is being worked out."""
    derived = index - h.base
    m = m & (derived >= 0)
    unknown = m & ~is_fresh(room, derived, m)
    found = marked(room, derived, unknown)
    tangled = tl.where(unknown & (found == at.RUNNING_MARK), 1, tangled)
    return unknown & (found == at.STALE), tangled


@jit
def store(t, h, room, line, index, value, m):
    """Store into a variable or the number; what depends on it (`line`) is fresh no longer."""
    changed = m & (slot(room, index, m) != value)
    if some(changed):
        put(room, index, value, changed)
        begin = column(h, at.H_DEPENDENTS) + line * h.words
        for word in range(t.words):
            here = changed & (word < h.words)
            lost = tl.load(t.bits + begin + word, mask=here, other=0)
            place = room.fresh + word * room.by
            tl.store(place, tl.load(place, mask=here, other=0) & ~lost, mask=here)


@jit
def keep(t, h, room, target, value, m):
    """Store a value, stopping at the ends of the target's range."""
    local = m & (target >= h.low) & (target < h.base)
    gone = value == op.UNDEFINED
    bounded = m & ~local & ~gone
    line = tl.where(target < h.variables, target, h.variables + target - h.base)
    bound = column(h, at.H_BOUNDS) + 2 * line
    low = tl.load(t.wide + bound, mask=bounded, other=-op.SATURATION).to(tl.int64)
    high = tl.load(t.wide + bound + 1, mask=bounded, other=op.SATURATION).to(tl.int64)
    value = tl.where(gone, value, tl.minimum(tl.maximum(value, low), high))
    variable = bounded & (target < h.variables)
    if some(variable):
        store(t, h, room, target, target, value, variable)
    put(room, target, value, local | (bounded & ~variable))


@jit
def mixed(value, more):
    """A hash with one more number in it; see `naming`."""
    value = (value ^ more) * -7046029254386353131
    return value ^ ((value >> 32) & 0xFFFFFFFF)


@jit
def utter(t, room, value, name, used, m):
    """Append one integer to what was said and to its name."""
    name = tl.where(m, mixed(name, value.to(tl.int64)), name)
    place = tl.minimum(used + 1, t.saying - 1)
    tl.store(room.said + place, value.to(tl.int32), mask=m)
    return name, tl.where(m, used + 1, used)


@jit
def first_test(t, h, step, m):
    """Where a step's tests begin."""
    return coded(t, h.steps + at.STEP * step, m)
