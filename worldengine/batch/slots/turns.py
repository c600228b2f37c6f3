"""One turn of one slot, and many turns of many.

`turn` is the whole of a turn over a slot vector that `load` has filled. Everything else here
walks over rows of states. A row that cannot be done for want of room is left as it was, and
its index given back, so that the caller makes room and goes on from there.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import compiled, i64, inner, u
from worldengine.batch.slots.kernel import run
from worldengine.batch.slots.naming import note, text_id
from worldengine.batch.slots.reading import nothing_fresh, stale, store
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import (
    ACCEPTED_TEXT,
    ENDED,
    EXTRA,
    FINISHED,
    FULL,
    H_BOUNDS,
    H_DERIVED_BASE,
    H_EXTRAS,
    H_MILESTONE_COUNT,
    H_MILESTONES,
    H_OPERATOR_COUNT,
    H_OPERATORS,
    H_PRIOR,
    H_RANGES,
    H_REGISTER_BASE,
    H_SCOPES,
    H_STATUS,
    H_TURN,
    H_VARIABLES,
    H_ZERO,
    LEFT_DOMAIN,
    NO_REQUIREMENT,
    OPERATOR,
    REFUSED_TEXT,
    RETURN,
    SAID_DONE,
    SAID_RANGE,
    SAID_SCOPE,
    SAID_UNKNOWN,
    SCOPE_FAILED,
    UNSETTLED,
)
from worldengine.machine.schema import ACCEPTED, PARAMETER, PLACE, REGISTERS, RUNNING, WON


@inner
def load(states: Integers, row: int, h: Integers, slots: Integers, fresh: Integers) -> None:
    """Begin a turn: variables, their prior values, number and registers 0, nothing derived."""
    variables = h[H_VARIABLES]
    source = states[row]
    for variable in range(variables):
        slots[variable] = source[variable]
    if h[H_PRIOR]:
        for variable in range(variables):
            slots[u(variables + variable)] = slots[u(variable)]
    for slot in range(2 * variables, h[H_REGISTER_BASE] + REGISTERS):
        slots[u(slot)] = 0
    slots[u(h[H_ZERO])] = 0
    nothing_fresh(h, fresh)


@inner
def unload(states: Integers, row: int, h: Integers, slots: Integers) -> bool:
    """Keep the variables; False if a value does not fit the type of states."""
    target = states[row]
    for variable in range(h[H_VARIABLES]):
        target[variable] = slots[variable]
    lost = 0
    for variable in range(h[H_VARIABLES]):
        lost |= slots[variable] ^ target[variable]
    return lost == 0


@inner
def read(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
         fresh: Integers, marks: Integers, stack: Integers, said: Integers,
         slot: int) -> int:  # fmt: skip
    """The value of a slot, worked out first if it is derived."""
    base = h[H_DERIVED_BASE]
    if stale(slot, base, fresh, marks, stack):
        run(code, wide, bits, h, slots, fresh, marks, stack, said, i64(0), i64(slot - base))
    return i64(slots[u(slot)])


@inner
def emit(said: Integers, text: int, first: int, second: int) -> None:
    """Say one of the texts that no Machine has."""
    said[1], said[2], said[3], said[4] = text, 2, first, second
    said[0] = 5


@inner
def understood(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
               fresh: Integers, marks: Integers, stack: Integers, said: Integers,
               operator: int, number: int) -> tuple[int, int]:  # fmt: skip
    """Steps 2 and 3 of a turn for an action given by number: does it exist, are its arguments
    within their scopes, is its number within range. Gives back (outcome, what failed)."""
    if operator < 0 or operator >= h[H_OPERATOR_COUNT]:
        emit(said, i64(SAID_UNKNOWN), i64(0), i64(0))
        return PARAMETER, NO_REQUIREMENT
    place = h[H_OPERATORS] + OPERATOR * operator
    begin = code[u(place + 2)]
    for at in range(begin, code[u(place + 3)]):
        slot = i64(code[u(h[H_SCOPES] + at)])
        if slot >= 0 and not read(code, wide, bits, h, slots, fresh, marks, stack, said, slot):
            emit(said, i64(SAID_SCOPE), i64(operator), i64(at - begin))
            return PLACE, SCOPE_FAILED - (at - begin)
    if code[u(place + 4)] >= 0:
        bounds = h[H_RANGES] + 2 * code[u(place + 4)]
        if number < wide[u(bounds)] or number > wide[u(bounds + 1)]:
            emit(said, i64(SAID_RANGE), i64(operator), i64(0))
            return PARAMETER, NO_REQUIREMENT
    return ACCEPTED, NO_REQUIREMENT


@inner
def turn(code: Integers, wide: Integers, bits: Integers, h: Integers, slots: Integers,
         fresh: Integers, marks: Integers, stack: Integers, said: Integers,
         operator: int, number: int) -> tuple[int, int]:  # fmt: skip
    """A whole turn. Gives back (outcome, what failed); the outcome may be FULL or UNSETTLED.
    The slots are worth keeping only if it is ACCEPTED."""
    said[0] = 1
    outcome, failed = understood(
        code, wide, bits, h, slots, fresh, marks, stack, said, operator, number
    )
    if outcome != ACCEPTED:
        return outcome, failed
    place = h[H_OPERATORS] + OPERATOR * operator
    variables = h[H_VARIABLES]
    if code[u(place + 4)] >= 0:
        store(h, bits, slots, fresh, variables, 2 * variables, i64(number))
    step = i64(code[u(place)])
    if step != RETURN:
        ended = run(code, wide, bits, h, slots, fresh, marks, stack, said, step, i64(-1))
        if ended >= 0:
            extra = h[H_EXTRAS] + EXTRA * ended
            return i64(code[u(extra + 4)]), i64(code[u(extra + 5)])
        if ended != ENDED:
            return ended, NO_REQUIREMENT
    said[0] = 1
    clock = h[H_TURN]
    if clock >= 0 and slots[u(clock)] < wide[u(h[H_BOUNDS] + 2 * clock + 1)]:
        store(h, bits, slots, fresh, clock, clock, i64(slots[u(clock)]) + 1)
    ended = run(
        code, wide, bits, h, slots, fresh, marks, stack, said, i64(code[u(place + 1)]), i64(-1)
    )
    if ended != ENDED:
        return ended, NO_REQUIREMENT
    if said[0] == 1:
        emit(said, i64(SAID_DONE), i64(0), i64(0))
    return ACCEPTED, NO_REQUIREMENT


@inner
def progress_of(code: Integers, h: Integers, states: Integers, row: int) -> float:
    """Latched milestones / (their number + 1); 1 when won."""
    if states[row, h[H_STATUS]] == WON:
        return 1.0
    latched = 0
    for at in range(h[H_MILESTONE_COUNT]):
        if states[row, code[u(h[H_MILESTONES] + at)]] != 0:
            latched += 1
    return float(latched / (h[H_MILESTONE_COUNT] + 1.0))


@compiled
def step_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
              fresh: Integers, marks: Integers, stack: Integers, said: Integers, met: Integers,
              news: Integers, order: Integers, machines: Integers, states: Integers,
              operators: Integers, numbers: Integers, outcomes: Integers, failed: Integers,
              texts: Integers, progress: Integers, begin: int, end: int) -> int:  # fmt: skip
    """Step the rows `order[begin:end]` in place. Gives back `end`, or how far it came: that
    row has not been done, and its outcome says why. The order changes nothing but the time.
    Texts are neither named nor noted where `texts` is empty."""
    wanted = len(texts) > 0
    for turn_at in range(begin, end):
        row = i64(order[turn_at])
        machine = i64(machines[row])
        h = head[machine]
        if states[row, h[H_STATUS]] != RUNNING:
            outcomes[row], failed[row] = FINISHED, NO_REQUIREMENT
            continue
        load(states, row, h, slots, fresh)
        outcome, requirement = turn(
            code,
            wide,
            bits,
            h,
            slots,
            fresh,
            marks,
            stack,
            said,
            i64(operators[row]),
            i64(numbers[row]),
        )
        if outcome in (FULL, UNSETTLED):
            outcomes[row] = outcome
            return turn_at
        if wanted:
            kind = i64(ACCEPTED_TEXT if outcome == ACCEPTED else REFUSED_TEXT)
            value = text_id(h, kind, said)
            if not note(met, news, machine, kind, said, value):
                outcomes[row] = ACCEPTED
                return turn_at
            texts[row] = value
        if outcome == ACCEPTED and not unload(states, row, h, slots):
            outcome = LEFT_DOMAIN
        outcomes[row], failed[row] = outcome, requirement
        progress[row] = progress_of(code, h, states, row)
    return end


@compiled
def read_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
              fresh: Integers, marks: Integers, stack: Integers, said: Integers, machine: int,
              states: Integers, rows: Integers, slot: int, values: Integers) -> None:  # fmt: skip
    """The values of one slot in some rows of one machine."""
    h = head[machine]
    said[0] = 0
    for at in range(len(rows)):
        load(states, i64(rows[at]), h, slots, fresh)
        values[at] = read(code, wide, bits, h, slots, fresh, marks, stack, said, slot)
