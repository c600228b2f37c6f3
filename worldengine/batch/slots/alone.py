"""One state of one machine at a time, with as little as can be handed over from Python.

What `turns`, `masks` and `starts` do for many rows, for one: a turn, the opening, a slot's
value, what is offered. Of what was offered last only those operators are asked again whose scopes
or requirements read a variable that has changed since. All that is needed stands in three arrays,
because each array that is handed to a compiled function costs as much as a hundred steps: `code` of
the tables, integers of 64 bits (`words`) and of 32 (`cells`), of which `words` begins by saying
where each part is. `room` makes them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from worldengine.batch.compiling.apart import attach
from worldengine.batch.compiling.jit import compiled, i64, inner, spliced, u
from worldengine.batch.slots.kernel import run
from worldengine.batch.slots.masks import accepts
from worldengine.batch.slots.naming import text_id
from worldengine.batch.slots.turns import load, read, turn, unload
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.facts import read_by_operators
from worldengine.batch.tables.layout import (
    ACCEPTED_TEXT,
    ENDED,
    FULL,
    H_MASK_WORDS,
    H_MILESTONE_COUNT,
    H_MILESTONES,
    H_OPENING,
    H_OPERATOR_COUNT,
    H_OPERATORS,
    H_RANGES,
    H_REGISTER_BASE,
    H_SCOPES,
    H_VARIABLES,
    LEFT_DOMAIN,
    OPENING_TEXT,
    OPERATOR,
    REFUSED_TEXT,
    RETURN,
    UNSETTLED,
)
from worldengine.batch.tables.tables import Tables
from worldengine.machine.schema import ACCEPTED, Machine

TURN, OPENING, VALUE, OFFERS = range(4)
"""What is asked for."""

OUTCOME, FAILED, TEXT, LATCHED, HELD, BEGUN = range(6)
"""Where `words` says what came of a turn; a text's id and its outcome for an opening; which of the
slots that were asked for with an offer hold, as bits; whether anything was offered yet."""
RESULTS = 6
HEAD_ROW, BITS, FRESH, STALE, KEPT, BEFORE, HANGS = range(7)
WIDE, SLOTS, MARKS, STACK, SAID = range(7, 12)
PARTS = 12
ASKED = 64
"""Slots that can be asked for with an offer."""
"""Parts of `words`, then of `cells`: where each begins stands at RESULTS + its number."""
FIRST = RESULTS + PARTS + 2
"""The first word behind what says where things are (two rows of begins, one longer each)."""
NO_NUMBER = 2**31 - 1
"""Stands in an offer in place of the numbers of an operator that takes none."""
OFFER = 3
"""operator, lowest number, highest number."""


class Room(NamedTuple):
    """What `alone` needs of one machine; one caller at a time."""

    code: Integers
    words: Integers  # int64
    cells: Integers  # int32
    state: Integers  # (1, variables) of the tables' state type
    said: Integers  # the part of `cells` with what was said


def room(tables: Tables, saying: int) -> Room:
    """Room for the only machine of some tables, and for `saying` integers of texts a turn."""
    attach(run, tables.head, tables.code.dtype.type)
    masks = int(tables.head[0, H_MASK_WORDS])
    words = [tables.head[0], tables.bits, _zeros(tables.derived // 64 + 1), _zeros(masks),
             _zeros(masks), _zeros(tables.width), hangs(tables.machines[0], masks)]  # fmt: skip
    cells = [tables.wide, _zeros(tables.slots), _zeros(2 * tables.derived),
             _zeros(tables.stack + 16), _zeros(saying)]  # fmt: skip
    begins = np.cumsum([FIRST, *map(len, words)])
    second = np.cumsum([0, *map(len, cells)])
    directory = [np.zeros(RESULTS, np.int64), begins, second]
    laid = np.concatenate(cells).astype(np.int32)
    return Room(
        tables.code,
        np.concatenate([*directory, *words]).astype(np.int64),
        laid,
        np.zeros((1, tables.width), tables.state_type),
        laid[second[SAID - WIDE] :],
    )


def hangs(machine: Machine, masks: int) -> Integers:
    """For every variable a set of operators, `masks` words long: those that hang on it."""
    found = np.zeros((len(machine.variables), 64 * masks), np.uint8)
    for operator, variables in enumerate(read_by_operators(machine)):
        for variable in range(len(machine.variables)):
            found[variable, operator] = variables >> variable & 1
    return np.packbits(found, axis=1, bitorder="little").view(np.int64).reshape(-1)


def _zeros(count: int) -> Integers:
    return np.zeros(count, np.int64)


@spliced
def word_part(words: Integers, part: int) -> Integers:
    """One of HEAD_ROW to DEAD."""
    return words[words[u(RESULTS + part)] : words[u(RESULTS + part + 1)]]


@spliced
def cell_part(words: Integers, cells: Integers, part: int) -> Integers:
    """One of WIDE to SAID."""
    return cells[words[u(RESULTS + part + 1)] : words[u(RESULTS + part + 2)]]


@inner
def opening(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
            fresh: Integers, marks: Integers, stack: Integers, said: Integers) -> int:  # fmt: skip
    """Say what a player reads first: ENDED if all went well."""
    said[0] = 1
    if h[H_OPENING] == RETURN:
        return i64(ENDED)
    step = i64(h[H_OPENING])
    return run(code, wide, bits, h, slots, fresh, marks, stack, said, step, i64(-1))


@inner
def taken(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
          fresh: Integers, marks: Integers, stack: Integers, said: Integers, operator: int,
          number: int) -> bool:  # fmt: skip
    """Whether no requirement refuses, whatever was asked before."""
    place = h[H_OPERATORS] + OPERATOR * operator
    for register in range(code[u(place + 8)]):
        slots[u(h[H_REGISTER_BASE] + register)] = 0
    return accepts(code, wide, bits, h, slots, fresh, marks, stack, said, operator, number)


@inner
def offer(offers: Integers, count: int, operator: int, low: int, high: int) -> int:
    """One more offer, if there is room for it; gives back their number."""
    place = OFFER * count
    if place + OFFER <= len(offers):
        offers[place], offers[place + 1], offers[place + 2] = operator, low, high
    return count + 1


@inner
def within(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
           fresh: Integers, marks: Integers, stack: Integers, said: Integers,
           operator: int) -> bool:  # fmt: skip
    """Whether all arguments of an operator are within their scopes."""
    place = h[H_OPERATORS] + OPERATOR * operator
    for at in range(code[u(place + 2)], code[u(place + 3)]):
        slot = i64(code[u(h[H_SCOPES] + at)])
        if slot >= 0 and read(code, wide, bits, h, slots, fresh, marks, stack, said, slot) == 0:
            return False
    return True


@inner
def find_stale(h: Integers, words: Integers, state: Integers) -> None:
    """Note which operators hang on a variable that has another value than when anything was
    offered last: all of them, the first time."""
    stale, before = word_part(words, i64(STALE)), word_part(words, i64(BEFORE))
    row, masks = word_part(words, i64(HANGS)), i64(h[H_MASK_WORDS])
    for word in range(masks):
        stale[u(word)] = 0 if words[BEGUN] else -1
    words[BEGUN] = 1
    for variable in range(h[H_VARIABLES]):
        value = i64(state[0, u(variable)])
        if value != before[u(variable)]:
            before[u(variable)] = value
            for word in range(masks):
                stale[u(word)] |= row[u(masks * variable + word)]


@inner
def offered(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
            fresh: Integers, marks: Integers, stack: Integers, said: Integers, words: Integers,
            offers: Integers) -> int:  # fmt: skip
    """The applicable operators, each with the numbers it takes as closed intervals, ascending;
    how many offers there are, which may be more than there was room for. Those that weigh their
    number are asked each time, if they are within their scopes."""
    stale, kept, count = word_part(words, i64(STALE)), word_part(words, i64(KEPT)), i64(0)
    for operator in range(h[H_OPERATOR_COUNT]):
        word, bit = operator >> 6, i64(1) << (operator & 63)
        again = stale[u(word)] & bit != 0
        if not again and kept[u(word)] & bit == 0:
            continue
        place = h[H_OPERATORS] + OPERATOR * operator
        ranged, low, high = i64(code[u(place + 4)]), i64(0), i64(0)
        if ranged >= 0:
            bounds = h[H_RANGES] + 2 * ranged
            low, high = i64(wide[u(bounds)]), i64(wide[u(bounds + 1)])
        weighs = ranged >= 0 and code[u(place + 5)] != 0
        if again:
            holds = within(code, wide, bits, h, slots, fresh, marks, stack, said, operator)
            if holds and not weighs:
                holds = taken(code, wide, bits, h, slots, fresh, marks, stack, said, operator, low)
            kept[u(word)] = kept[u(word)] | bit if holds else kept[u(word)] & ~bit
            if not holds:
                continue
        if not weighs:
            low = i64(NO_NUMBER) if ranged < 0 else low
            count = offer(offers, count, operator, low, high)
            continue
        begin = low
        for number in range(low, high + 1):
            if not taken(code, wide, bits, h, slots, fresh, marks, stack, said, operator, number):
                if begin < number:
                    count = offer(offers, count, operator, begin, number - 1)
                begin = number + 1
        if begin <= high:
            count = offer(offers, count, operator, begin, high)
    return count


@compiled
def alone(code: Integers, words: Integers, cells: Integers, state: Integers, what: int,
          operator: int, number: int, offers: Integers) -> int:  # fmt: skip
    """TURN: a turn in place; gives back ACCEPTED or another outcome, FULL or UNSETTLED (nothing
    was done) among them; what came of it stands in `words`. OPENING: as a turn that cannot be
    refused and changes nothing. VALUE: that of slot `operator`. OFFERS: see `offered`; which of the
    last `number` numbers in `offers`, slots, hold stands in `words`, as bits."""
    h, bits = word_part(words, i64(HEAD_ROW)), word_part(words, i64(BITS))
    fresh = word_part(words, i64(FRESH))
    wide, slots = cell_part(words, cells, i64(WIDE)), cell_part(words, cells, i64(SLOTS))
    marks, stack = cell_part(words, cells, i64(MARKS)), cell_part(words, cells, i64(STACK))
    said = cell_part(words, cells, i64(SAID))
    load(state, i64(0), h, slots, fresh)
    if what == VALUE:
        said[0] = 0
        return read(code, wide, bits, h, slots, fresh, marks, stack, said, i64(operator))
    if what == OFFERS:
        said[0], held, room_left = 0, i64(0), len(offers) - number
        for at in range(number):
            slot = i64(offers[u(room_left + at)])
            if read(code, wide, bits, h, slots, fresh, marks, stack, said, slot) != 0:
                held |= i64(1) << at
        words[HELD] = held
        find_stale(h, words, state)
        return offered(
            code, wide, bits, h, slots, fresh, marks, stack, said, words, offers[:room_left]
        )
    kind, failed = i64(OPENING_TEXT), i64(0)
    if what == OPENING:
        outcome = opening(code, wide, bits, h, slots, fresh, marks, stack, said)
        outcome = i64(ACCEPTED) if outcome == ENDED else outcome
    else:
        outcome, failed = turn(
            code, wide, bits, h, slots, fresh, marks, stack, said, i64(operator), i64(number)
        )
        kind = i64(ACCEPTED_TEXT if outcome == ACCEPTED else REFUSED_TEXT)
    if outcome in (FULL, UNSETTLED):
        return outcome
    words[OUTCOME], words[FAILED] = outcome, failed
    words[TEXT] = text_id(h, kind, said)
    if what == TURN and outcome == ACCEPTED and not unload(state, i64(0), h, slots):
        return i64(LEFT_DOMAIN)
    latched = i64(0)
    for at in range(h[H_MILESTONE_COUNT]):
        latched += state[0, code[u(h[H_MILESTONES] + at)]] != 0
    words[LATCHED] = latched
    return outcome
