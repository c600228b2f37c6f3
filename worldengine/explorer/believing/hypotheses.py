"""Worlds that a player may be in: what nothing it has read has ruled out.

In: a world, its start, actions. Out: frozen `Hypotheses`. A hypothesis is another of the
world's starts, or the world with one variable otherwise that no start sets. All of them take
every turn that the world takes, and those whose words differ from the words that were read
are out. Only this module looks at the true world; beliefs are made of what all that are left
agree on. Equal ones are one object, so that whatever led there shares the work.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from worldengine.explorer.knowing.insight import Insight, insight_of
from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.memo import by_machine
from worldengine.runtime import Transition

States = npt.NDArray[np.signedinteger]
Ints = npt.NDArray[np.int32]
WORLDS = 4
"""Worlds whose hypotheses are kept at a time: plays go through worlds one after the other."""
Bools = npt.NDArray[np.bool_]
SAVED = 12
"""Hypotheses of one turn that are tried with one more thing otherwise."""
Values = tuple[tuple[int, tuple[int, ...]], ...]
"""Unknown variables with the values that each may have, both in ascending order."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What is known: `starts` that still fit with their states now, whichever is the world's
    own, `state` now, both with 0 for what is unknown and no start sets; `known` by variable,
    as bytes; the `values` of what is unknown."""

    starts: tuple[tuple[int, State], ...]
    state: State
    known: bytes
    values: Values


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """`rows[i]` is a hypothesis's state now; hypothesis i differs in variable `changed[i]`, or
    is the start -1 - `changed[i]` where that is negative; in one thing more where a turn would
    have ended it otherwise. `start` is the world's own, one of
    those that it cannot be told from; `state` is the truth. `sampled` are the variables whose
    true value was one that may be thought of."""

    machine: Machine
    start: int
    state: State
    rows: States
    changed: Ints
    sampled: Bools
    fit: Fit
    following: dict[tuple[int, int], Hypotheses] = field(default_factory=dict)

    def after(self, action: tuple[int, int], transition: Transition) -> Hypotheses:
        """After an action that was understood, or meant, and what came of it."""
        found = self.following.get(action)
        if found is None:
            found = self.following[action] = _after(self, action, transition)
        return found


def first(machine: Machine, variant: int) -> Hypotheses:
    """What fits the opening of a start."""
    insight = insight_of(machine)
    state = machine.start(variant)
    rows: list[State] = []
    changed: list[int] = []
    own = variant
    for other, begun in insight.starts:
        if begun == state:
            own = other
            continue
        rows.append(begun)
        changed.append(-1 - other)
    sampled = np.zeros(len(state), np.bool_)
    for variable, values in enumerate(insight.samples):
        role = machine.variables[variable].role
        if role == "location" and state[variable] == machine.player:
            continue  # what one carries one knows
        sampled[variable] = state[variable] in values
        for value in values:
            if value != state[variable]:
                rows.append((*state[:variable], value, *state[variable + 1 :]))
                changed.append(variable)
    kind = insight.engine.tables.state_type
    table = np.array([*rows, state], kind).reshape(-1, len(state))
    worlds = np.zeros(len(table), np.int32)
    texts = insight.engine.openings(worlds, table, np.ones(len(table), np.bool_))
    words = insight.words(texts)
    alive = words[:-1] == words[-1]
    return _made(
        machine, own, state, table[:-1][alive], np.array(changed, np.int32)[alive], sampled
    )


@by_machine(WORLDS)
def table_of(machine: Machine) -> dict[tuple[object, ...], Hypotheses]:
    """All that were made of a world, by what they hold."""
    del machine
    return {}


def _made(
    machine: Machine, start: int, state: State, rows: States, changed: Ints,
    sampled: Bools,
) -> Hypotheses:  # fmt: skip
    key = start, state, rows.tobytes(), changed.tobytes(), sampled.tobytes()
    table = table_of(machine)
    found = table.get(key)
    if found is None:
        fit = _fit(start, state, rows, changed, sampled)
        found = table[key] = Hypotheses(machine, start, state, rows, changed, sampled, fit)
    return found


def _after(now: Hypotheses, action: tuple[int, int], transition: Transition) -> Hypotheses:
    machine = now.machine
    rows, changed = _followed(insight_of(machine), now, action)
    if transition.refusal is not None:
        return _made(machine, now.start, now.state, rows, changed, now.sampled)
    apart = (rows != np.array(transition.state, rows.dtype)).any(axis=1)
    merged = -1 - changed[~apart & (changed < 0)]
    start = min([now.start, *merged.tolist()])
    return _made(machine, start, transition.state, rows[apart], changed[apart], now.sampled)


def _followed(insight: Insight, now: Hypotheses, action: tuple[int, int]) -> tuple[States, Ints]:
    """The hypotheses after a turn, without those that would have read differently."""
    before = np.vstack([now.rows, np.array([now.state], now.rows.dtype)])
    table, fits, ends = _stepped(insight, before, action)
    if not ends.all():
        fits |= _saved(insight, before, table, fits, ends, action)
    return table[:-1][fits], now.changed[fits]


def _stepped(
    insight: Insight, before: States, action: tuple[int, int]
) -> tuple[States, Bools, Bools]:
    """States after a turn; which of them read as the last one; which of them are over, or not,
    as the last one. Neither tells of the last one itself."""
    table, count = before.copy(), len(before)
    step = insight.engine.step(
        np.zeros(count, np.int32),
        table,
        np.full(count, action[0], np.int32),
        np.full(count, action[1], np.int32),
    )
    status = table[:, insight.machine.status]
    words = insight.words(step.texts)
    ends = status[:-1] == status[-1]
    fits = (words[:-1] == words[-1]) & (step.outcomes[:-1] == step.outcomes[-1]) & ends
    return table, fits, ends


def _saved(
    insight: Insight, before: States, table: States, fits: Bools, ends: Bools,
    action: tuple[int, int],
) -> Bools:  # fmt: skip
    """Which hypotheses that the turn would have ended could be true all the same, were one
    more thing otherwise; `table` then holds what became of both. An ending tells of all that
    its rule asks about at once: "no matches" does not fit a play that goes on unless a lamp
    out of sight burns, so it is the lamp's true state that would decide."""
    saved = np.zeros(len(fits), np.bool_)
    own = before[-1]
    others = before[:-1][fits]
    differ = others != own
    for row in np.flatnonzero(~ends)[:SAVED].tolist():
        more = ~(differ & (before[row] != own)).any(axis=1)
        both = np.where(differ[more], others[more], before[row])
        after, good, _ = _stepped(insight, np.vstack([both, own[None]]), action)
        found = np.flatnonzero(good)
        if len(found):
            table[row] = after[found[0]]
            saved[row] = True
    return saved


def _fit(start: int, state: State, rows: States, changed: Ints, sampled: Bools) -> Fit:
    own = np.array(state, rows.dtype)
    otherwise = rows != own
    known = ~otherwise.any(axis=0)
    starts = {start: own}
    for row in np.flatnonzero(changed < 0).tolist():
        starts[-1 - int(changed[row])] = rows[row]
    by_start = np.zeros(len(own), np.bool_)
    for begun in starts.values():
        by_start |= begun != own
    told = known | by_start
    by_state: dict[State, int] = {}
    for each, begun in sorted(starts.items()):
        by_state.setdefault(tuple(np.where(told, begun, 0).tolist()), each)
    return Fit(
        tuple((each, begun) for begun, each in by_state.items()),
        tuple(np.where(known, own, 0).tolist()),
        known.tobytes(),
        _values(own, rows, otherwise, sampled),
    )


def _values(own: States, rows: States, otherwise: Bools, sampled: Bools) -> Values:
    """The values of every variable on which not all agree."""
    where, variables = np.nonzero(otherwise)
    found: dict[int, set[int]] = {}
    for variable, value in zip(variables.tolist(), rows[where, variables].tolist(), strict=True):
        found.setdefault(variable, set()).add(value)
    some = sampled | ~otherwise.all(axis=0)
    for variable, values in found.items():
        if some[variable]:
            values.add(int(own[variable]))
    return tuple((variable, tuple(sorted(found[variable]))) for variable in sorted(found))
