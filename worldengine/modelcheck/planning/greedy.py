"""Greedy search with several queues over one start: memory, rounds, and the plan at the end.

In: a `Problem`, a start, a budget. Out: a list of (operator, number), or why there is none.
The compiled part is `worldengine.modelcheck.planning.lazy`.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

import numpy as np

from worldengine.machine.schema import State, Test
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.planning.lazy import along, begin, step
from worldengine.modelcheck.planning.nodes import Aim
from worldengine.modelcheck.planning.pool import (
    BEST_MISSING,
    BEST_RELAXED,
    LONGEST,
    NODES,
    QUEUES,
    SOLVED,
    WEIGHT,
    Marks,
    Pool,
)
from worldengine.modelcheck.planning.width import (
    Choice,
    Found,
    fact_offsets,
    plan_of,
    room_at,
    width_search,
)
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.counters import counters
from worldengine.modelcheck.relaxation.actions import Actions, idle_operator
from worldengine.modelcheck.relaxation.landmarks import (
    goal_tests,
    landmarks,
    milestone_tests,
    needed_before,
)
from worldengine.modelcheck.relaxation.relaxed import Relaxed

STEPS = 100
"""States looked at between two looks at the clock."""
LANDMARKS = 64

Pairs = tuple[tuple[int, int], ...]
"""A plan as operators and numbers."""


@dataclass(frozen=True, slots=True)
class Greed:
    """How to search. `weight` 0 does not count the turns so far, else they are added to so
    many times the estimate. `helpful` tries only what helps towards a win, not what keeps from
    losing, and tells states apart by that. `width` is that of the queue of novel states, 0 for
    none. For `clocks` and `milestones` see `width.Choice`."""

    weight: int = 0
    width: int = 1
    clocks: int = 1
    milestones: bool = False
    helpful: bool = False


def searched(
    problem: Problem,
    start: State,
    choice: Choice | Greed,
    seconds: float,
    memory: int,
    stop: Event | None = None,
    ways: tuple[Pairs, ...] = (),
    mute: frozenset[int] = frozenset(),
) -> Found:
    """One start searched in either way."""
    if isinstance(choice, Greed):
        return greedy_search(problem, start, choice, seconds, memory, stop, ways, mute)
    return width_search(problem, start, choice, seconds, memory, stop, mute)


def greedy_search(
    problem: Problem,
    start: State,
    choice: Greed,
    seconds: float,
    memory: int,
    stop: Event | None = None,
    ways: tuple[Pairs, ...] = (),
    mute: frozenset[int] = frozenset(),
) -> Found:
    """Search one start; see the module. `ways` are plans that are followed first as far as they
    go, those of other starts. Operators that are `mute` are left out."""
    relaxed = problem.relaxed
    assert relaxed is not None, "without a relaxed win there is nothing to go by"
    left = clock(seconds)
    machine, tables = problem.machine, problem.tables
    actions = problem.helpful if choice.helpful else problem.telling
    actions = actions.without(mute).with_all(pair for way in ways for pair in way)
    aim, marks = _aim(problem, relaxed, actions, start, choice)
    pool = _pool(len(machine.variables), len(machine.operators), memory, choice)
    pool.info[LONGEST] = machine.turns
    pool.info[WEIGHT] = choice.weight
    room = room_at(problem, relaxed, start)
    stopped = begin(tables, relaxed.clauses, aim, marks, pool, room, choice.width)
    place = {actions.pair(index): index for index in range(len(actions))}
    for way in ways:
        if stopped == 3:
            known = np.array([place[pair] for pair in way], np.int32)
            stopped = along(tables, relaxed.clauses, aim, marks, pool, room, choice.width, known)
    while stopped == 3 and left.left > 0 and not (stop and stop.is_set()):
        stopped = step(tables, relaxed.clauses, aim, marks, pool, room, choice.width, STEPS)
    nodes = int(pool.info[NODES])
    if stopped == 1:
        return Found(plan_of(pool, int(pool.info[SOLVED]), actions), "", nodes)
    return Found(None, {0: "nothing left", 2: "bytes", 3: "seconds"}[stopped], nodes)


def _aim(
    problem: Problem, relaxed: Relaxed, actions: Actions, start: State, choice: Greed
) -> tuple[Aim, Marks]:
    machine = problem.machine
    goals: tuple[Test, ...] = milestone_tests(machine) if choice.milestones else ()
    facts = landmarks(relaxed, start, derived=True)[:LANDMARKS]
    if not facts:
        goals += goal_tests(machine)
    needed = np.array([*needed_before(relaxed, facts), 0], np.uint64)
    aside = {0: counters(machine) | {machine.turn}, 1: {machine.turn}, 2: set[int]()}
    telling = relaxed.variables if choice.helpful else problem.cone.variables
    relevant = [v for v in telling if v not in aside[choice.clocks] | {machine.status}]
    idle = np.flatnonzero(actions.operators == _or(idle_operator(machine), -1))
    aim = Aim(
        np.array([list(test) for test in goals], np.int32).reshape(-1, 4),
        np.array(facts, np.int32).reshape(-1, 2),
        np.array(relevant, np.int32),
        fact_offsets(machine),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        actions.operators,
        actions.numbers,
    )
    return aim, Marks(needed, np.uint64(0), int(idle[0]) if len(idle) else -1)


def _or(found: int | None, other: int) -> int:
    return other if found is None else found


def _pool(variables: int, operators: int, memory: int, choice: Greed) -> Pool:
    nodes = max(1024, min(memory // 2 // (4 * variables + 40), 4_000_000))
    entries = max(4 * operators + 1024, min(memory // 2 // (8 + 12 * QUEUES), 16_000_000))
    info = np.zeros(8, np.int64)
    info[SOLVED] = -1
    info[BEST_RELAXED] = info[BEST_MISSING] = 1 << 30
    return Pool(
        np.empty((nodes, variables), np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.zeros(nodes, np.uint64),
        np.full(1 << (2 * nodes - 1).bit_length(), -1, np.int32),
        np.empty(entries, np.int32),
        np.empty(entries, np.int32),
        np.empty((QUEUES, entries), np.int64),
        np.empty((QUEUES, entries), np.int32),
        np.zeros(QUEUES, np.int64),
        np.zeros(QUEUES, np.int64),
        np.zeros(operators, np.uint8),
        np.zeros(1 << (24 if choice.width >= 2 else 20), np.uint8),
        info,
    )
