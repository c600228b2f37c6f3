"""Whole turns and masks for many states at once.

States of one machine are put side by side in lanes, those of one operator next to one another.
An operator's program runs over its own lanes, the rules over all. Only what a program touches
is fetched from the states and only what has changed is put back, so the cost of a turn is that
of its steps and not that of the state's width.

What limits it: a step costs about the same for one lane as for thirty, so a batch should hold
some dozens of rows an operator.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import compiled, i64, inner, spliced, u
from worldengine.batch.lanes.bits import copy_mask, holds_lane, join, nobody, some, word_at
from worldengine.batch.lanes.columns import (
    fill,
    hush,
    keep_accepted,
    put_sum,
    refuse,
    running,
    scope_test,
)
from worldengine.batch.lanes.fetching import gather, scatter
from worldengine.batch.lanes.ordering import fill_lanes
from worldengine.batch.lanes.reports import name_texts, report, save_states
from worldengine.batch.lanes.steps import (
    Code,
    Work,
    is_fresh,
    set_fresh,
    stale_lanes,
    wants,
)
from worldengine.batch.lanes.sweep import sweep
from worldengine.batch.lanes.vectors import BLOCK, lowest
from worldengine.batch.slots.naming import mixed
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ACCEPTED_TEXT,
    ENDED,
    H_BOUNDS,
    H_IDENTITY,
    H_OPERATORS,
    H_PRIOR_COUNT,
    H_PRIORS,
    H_RANGES,
    H_REGISTER_BASE,
    H_REGISTERS,
    H_RULES,
    H_RULES_END,
    H_SCOPES,
    H_SHARED,
    H_SHARED_COUNT,
    H_STATUS,
    H_TURN,
    H_VARIABLES,
    H_WORDS,
    H_ZERO,
    LEFT_DOMAIN,
    OPERATOR,
    OUT_OF_RANGE,
    REFUSED_TEXT,
    SCOPE_FAILED,
    UNSETTLED,
)
from worldengine.machine.schema import COPY


@spliced
def begin(t: Code, h: Integers, w: Work, source: Integers, count: int) -> None:
    """Put `count` new states into the lanes: nothing is fetched but what `prior` reads."""
    variables = h[H_VARIABLES]
    for at in range(h[H_PRIOR_COUNT]):
        slot = i64(t.code[u(h[H_PRIORS] + at)])
        gather(w.cols, slot, source, w.rows, slot - variables, w.size, i64(0), count)
    only_prior(t, h, w)
    for word in range(len(w.clean)):
        w.clean[word] = w.fresh[word]
    fill(w.cols, 2 * variables, i64(0), i64(0), count)
    fill(w.cols, h[H_ZERO], i64(0), i64(0), count)
    for register in range(h[H_REGISTERS]):
        fill(w.cols, h[H_REGISTER_BASE] + register, i64(0), i64(0), count)


@spliced
def work_out_shared(t: Code, h: Integers, w: Work, source: Integers, count: int) -> bool:
    """Work out for all lanes what many operators read before they act; what any of them does
    changes it in its own lanes only. False if a group never settles."""
    for at in range(h[H_SHARED_COUNT]):
        index = i64(t.code[u(h[H_SHARED] + at)])
        if is_fresh(w, index):
            continue
        if sweep(t, h, w, source, i64(0), i64(0), index, i64(0), count) != ENDED:
            return False
    for word in range(len(w.clean)):
        w.clean[word] = w.fresh[word]
    return True


@spliced
def only_prior(t: Code, h: Integers, w: Work) -> None:
    """Nothing is fetched but the state as the turn began, and nothing has changed."""
    for word in range(len(w.clean)):
        w.fresh[word] = 0
        w.dirty[word] = 0
    for at in range(h[H_PRIOR_COUNT]):
        set_fresh(w, (h[H_WORDS] << 6) + i64(t.code[u(h[H_PRIORS] + at)]))


@spliced
def afresh(w: Work) -> None:
    """Nothing is fetched and nothing has changed since the states were put in place."""
    for word in range(len(w.clean)):
        w.fresh[word] = w.clean[word]
        w.dirty[word] = 0


@inner
def in_scope(t: Code, h: Integers, w: Work, source: Integers, operator: int, b: int,
             e: int) -> bool:  # fmt: skip
    """Lanes leave mask 0 that have an argument out of scope. False if a group never settles."""
    place = h[H_OPERATORS] + OPERATOR * operator
    first = i64(t.code[u(place + 2)])
    for at in range(first, t.code[u(place + 3)]):
        slot = i64(t.code[u(h[H_SCOPES] + at)])
        if slot < 0:
            continue
        need = wants(h, w, source, slot, b, e)
        if need >= 0 and sweep(t, h, w, source, i64(0), i64(0), need, b, e) != ENDED:
            return False
        scope_test(w.masks, i64(0), w.cols, slot, w.refused, SCOPE_FAILED - (at - first), b, e)
        if not some(w.masks, i64(0), b, e):
            return True
    return True


@spliced
def required(t: Code, h: Integers, w: Work, source: Integers, operator: int, b: int,
             e: int) -> bool:  # fmt: skip
    """Lanes leave mask 0 that a requirement refuses. False if a group never settles."""
    place = h[H_OPERATORS] + OPERATOR * operator
    first, end = i64(t.code[u(place)]), i64(t.code[u(place + 6)])
    if first == end or not some(w.masks, i64(0), b, e):
        return True
    if sweep(t, h, w, source, first, end, i64(-1), b, e) != ENDED:
        return False
    keep_accepted(w.masks, i64(0), w.refused, b, e)
    return True


@spliced
def number_lanes(t: Code, h: Integers, w: Work, number: int, b: int, e: int) -> None:
    """Give the same number to all lanes."""
    fill(w.cols, 2 * h[H_VARIABLES], number, b, e)
    stale_lanes(t, h, w, h[H_VARIABLES])


@spliced
def own_numbers(t: Code, h: Integers, w: Work, operator: int, numbers: Integers, b: int,
                e: int) -> None:  # fmt: skip
    """Give each lane its row's number; lanes leave whose number is out of range."""
    place = i64(t.code[u(h[H_OPERATORS] + OPERATOR * operator + 4)])
    if place < 0:
        return
    low, high = t.wide[u(h[H_RANGES] + 2 * place)], t.wide[u(h[H_RANGES] + 2 * place + 1)]
    row, keep = w.cols[u(2 * h[H_VARIABLES])], w.masks[0]
    for lane in range(b, e):
        number = numbers[w.rows[u(lane)]]
        row[u(lane)] = number
        if (number < low or number > high) and holds_lane(w.masks, i64(0), lane):
            keep[u(word_at(lane))] &= ~(i64(1) << (lane & (BLOCK - 1)))
            w.refused[u(lane)] = OUT_OF_RANGE
    stale_lanes(t, h, w, h[H_VARIABLES])


@spliced
def act(t: Code, h: Integers, w: Work, source: Integers, operator: int, b: int, e: int) -> bool:
    """What an operator does in the lanes of mask 0. False if a group never settles."""
    clock = h[H_TURN]
    if clock >= 0:
        wants(h, w, source, clock, b, e)
        bound = h[H_BOUNDS] + 2 * clock
        if put_sum(w.cols, clock, i64(COPY), clock, clock, i64(1), i64(t.wide[u(bound)]),
                   i64(t.wide[u(bound + 1)]), i64(0), w.masks, i64(0), b, e):  # fmt: skip
            stale_lanes(t, h, w, clock)
            w.dirty[u(clock >> 6)] |= i64(1) << (clock & 63)
    place = h[H_OPERATORS] + OPERATOR * operator
    first, end = i64(t.code[u(place + 1)]), i64(t.code[u(place + 7)])
    return sweep(t, h, w, source, first, end, i64(-1), b, e) == ENDED


@spliced
def put_back(h: Integers, w: Work, target: Integers, b: int, e: int) -> bool:
    """Put what has changed back into the states; False if a value does not fit their type."""
    fits = True
    for word in range((h[H_VARIABLES] >> 6) + 1):
        left = w.dirty[u(word)]
        while left != 0:
            variable = i64((word << 6) + lowest(left))
            fits &= scatter(w.cols, variable, target, w.rows, variable, w.size, b, e)
            left &= left - 1
    return fits


@spliced
def turn_lanes(t: Code, h: Integers, w: Work, states: Integers, numbers: Integers, count: int,
               parts: int) -> int:  # fmt: skip
    """A whole turn of the first `count` lanes. Afterwards mask 0 holds the accepted ones and
    `w.refused` says why the others were not. Gives back ENDED, UNSETTLED or LEFT_DOMAIN."""
    begin(t, h, w, states, count)
    fits = True
    wants(h, w, states, h[H_STATUS], i64(0), count)
    if not work_out_shared(t, h, w, states, count):
        return UNSETTLED
    nobody(w.kept, i64(0), i64(0), count)
    for word in range(len(w.clean)):
        w.agreed[word] = w.clean[word]
    for part in range(parts):
        b, e, operator = w.parts[u(part), 0], w.parts[u(part + 1), 0], w.parts[u(part), 1]
        afresh(w)
        running(w.masks, i64(0), w.cols, h[H_STATUS], w.refused, b, e)
        if len(w.said) > 0:
            hush(w.said, mixed(i64(h[H_IDENTITY]), i64(REFUSED_TEXT + 1)), w.masks, i64(0), b, e)
        if operator < 0:
            refuse(w.masks, i64(0), w.refused, i64(OUT_OF_RANGE), b, e)
            continue
        if not in_scope(t, h, w, states, operator, b, e):
            return UNSETTLED
        own_numbers(t, h, w, operator, numbers, b, e)
        if not required(t, h, w, states, operator, b, e):
            return UNSETTLED
        if some(w.masks, i64(0), b, e):
            if len(w.said) > 0:
                value = mixed(i64(h[H_IDENTITY]), i64(ACCEPTED_TEXT + 1))
                hush(w.said, value, w.masks, i64(0), b, e)
            if not act(t, h, w, states, operator, b, e):
                return UNSETTLED
            fits &= put_back(h, w, states, b, e)
            join(w.kept, i64(0), w.masks, i64(0), b, e)
        for word in range(len(w.fresh)):
            w.agreed[word] &= w.fresh[word]
    copy_mask(w.masks, i64(0), w.kept, i64(0), i64(0), count)
    for word in range(len(w.fresh)):
        w.fresh[word] = w.agreed[word]
        w.dirty[word] = 0
    if h[H_RULES] != h[H_RULES_END] and some(w.masks, i64(0), i64(0), count):
        rules = sweep(t, h, w, states, h[H_RULES], h[H_RULES_END], i64(-1), i64(0), count)
        if rules != ENDED:
            return UNSETTLED
        fits &= put_back(h, w, states, i64(0), count)
    return ENDED if fits else LEFT_DOMAIN


@compiled
def step_lanes(t: Code, w: Work, order: Integers, groups: Integers, states: Integers,
               operators: Integers, numbers: Integers, outcomes: Integers, failed: Integers,
               progress: Integers, statuses: Integers, met: Integers, texts: Integers,
               strange: Integers, befores: Integers, start: int, end: int) -> int:  # fmt: skip
    """Step the rows `order[start:end]` in place; they stand by machine and by operator, as
    `groups` (see `ordering`) says. What is written into holds 0 before, `failed` NO_REQUIREMENT.
    Gives back `end`, or how far it came: the outcome of that row says why. If anybody listens,
    texts are named, and those are `strange` (n,) that are not among `met`: the states that they
    come from are put into `befores` (end - start, bytes)."""
    at, group = i64(start), i64(0)
    while groups[u(group + 1), 0] <= at:
        group += 1
    while at < end:
        h, first = t.head[groups[u(group), 1]], at
        group, at, count, parts = fill_lanes(w, order, groups, group, at, i64(end))
        if len(w.said) > 0:
            save_states(h, w, states, count)
        came = turn_lanes(t, h, w, states, numbers, count, parts)
        if came == UNSETTLED:
            outcomes[order[first]] = UNSETTLED
            return first
        report(t, h, w, states, outcomes, failed, progress, statuses, count)
        if len(w.said) > 0:
            name_texts(h, w, operators, met, texts, strange, befores, first - start, count)
        if came == LEFT_DOMAIN:
            outcomes[w.rows[0]] = LEFT_DOMAIN
    return at
