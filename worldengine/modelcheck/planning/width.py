"""Best-first width search over one start: memory, rounds, and the plan at the end.

In: a `Problem`, a start, a budget. Out: a list of (operator, number), or why there is none.
The compiled part is `worldengine.modelcheck.planning.novelty`.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

import numpy as np

from worldengine.machine.schema import Machine, State, Test
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.compiled.kernel import load, scratch
from worldengine.modelcheck.planning.nodes import (
    GUIDED,
    LONGEST,
    NODES,
    SOLVED,
    Aim,
    Array,
    Room,
    Store,
)
from worldengine.modelcheck.planning.novelty import admit, search
from worldengine.modelcheck.planning.pool import Pool
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.counters import counters
from worldengine.modelcheck.relaxation.actions import Actions
from worldengine.modelcheck.relaxation.horn import FACT
from worldengine.modelcheck.relaxation.landmarks import goal_tests, landmarks, milestone_tests
from worldengine.modelcheck.relaxation.relaxed import Relaxed, Space

STEPS = 200
"""Expansions between two looks at the clock."""
PLANS = 200_000
"""Relaxed plans that are kept; later nodes go on with their parent's."""


@dataclass(frozen=True, slots=True)
class Found:
    """`plan` wins, or `stopped` says why there is none: nothing left, seconds, bytes."""

    plan: tuple[tuple[int, int], ...] | None
    stopped: str
    nodes: int


@dataclass(frozen=True, slots=True)
class Choice:
    """How to search. `width` 3 prunes nothing. `clocks` says what tells states apart: 0 leaves
    out counters that go on by themselves, 1 the turn, 2 nothing. `milestones` makes the world's
    own milestones goals, `passed` the landmarks; `every` tries all actions, not only helpful
    ones. `guided` goes by relaxed plans at every node: 1 after novelty, 2 before it, 3 with
    the turns so far added in (weighted A*)."""

    width: int = 2
    clocks: int = 1
    milestones: bool = True
    passed: bool = True
    every: bool = False
    guided: int = 0


def width_search(
    problem: Problem,
    start: State,
    choice: Choice,
    seconds: float,
    memory: int,
    stop: Event | None = None,
    mute: frozenset[int] = frozenset(),
) -> Found:
    """Search one start, operators that are `mute` left out; see the module."""
    relaxed = problem.relaxed
    assert relaxed is not None, "without a relaxed win there is nothing to go by"
    left = clock(seconds)
    machine, tables = problem.machine, problem.tables
    actions = (problem.everything if choice.every else problem.helpful).without(mute)
    aim = _aim(machine, relaxed, actions, start, choice)
    row = len(machine.variables) * 4 + 64
    capacity = max(1024 + len(actions), min(memory // row, 4_000_000))
    store = _store(len(machine.variables), capacity, choice.width)
    store.info[GUIDED] = choice.guided
    store.info[LONGEST] = machine.turns
    room = room_at(problem, relaxed, start)
    admit(tables, relaxed.clauses, aim, store, room, 3, -1, -1)
    stopped = 3
    while stopped == 3 and left.left > 0 and not (stop and stop.is_set()):
        stopped = search(
            tables, relaxed.clauses, aim, store, room, choice.width, machine.turns, STEPS
        )
    nodes = int(store.info[NODES])
    if stopped == 1:
        return Found(plan_of(store, int(store.info[SOLVED]), actions), "", nodes)
    return Found(None, {0: "nothing left", 2: "bytes", 3: "seconds"}[stopped], nodes)


def plan_of(store: Store | Pool, solved: int, actions: Actions) -> tuple[tuple[int, int], ...]:
    """The commands on the way to a node."""
    found: list[tuple[int, int]] = []
    node = solved
    while store.parents[node] >= 0:
        found.append(actions.pair(int(store.actions[node])))
        node = int(store.parents[node])
    return tuple(reversed(found))


def _aim(machine: Machine, relaxed: Relaxed, actions: Actions, start: State, choice: Choice) -> Aim:
    goals: tuple[Test, ...] = goal_tests(machine)
    if choice.milestones:
        goals += milestone_tests(machine)
    marks = landmarks(relaxed, start)[:64] if choice.passed else ()
    aside = {0: counters(machine) | {machine.turn}, 1: {machine.turn}, 2: set[int]()}
    relevant = [v for v in relaxed.variables if v not in aside[choice.clocks]]
    relevant = [v for v in relevant if v != machine.status]
    fact = [-1] * len(relaxed.atoms)
    value = [0] * len(relaxed.atoms)
    for index, atom in enumerate(relaxed.atoms):
        name = relaxed.horn.names[atom]
        if name[0] != FACT:
            continue
        _, slot, held = name
        assert isinstance(slot, int) and isinstance(held, int)
        if slot < len(machine.variables) and slot != machine.status:
            fact[index], value[index] = slot, held
    return Aim(
        np.array([list(test) for test in goals], np.int32).reshape(-1, 4),
        np.array(marks, np.int32).reshape(-1, 2),
        np.array(relevant, np.int32),
        fact_offsets(machine),
        np.array(fact, np.int32),
        np.array(value, np.int32),
        actions.operators,
        actions.numbers,
    )


def fact_offsets(machine: Machine) -> Array:
    """By variable the number of its first fact, less its least value."""
    offsets: list[int] = []
    total = 1
    for variable in machine.variables:
        low, high = (variable.low, variable.high)
        if variable.kind not in ("bool", "int"):
            low, high = min(variable.domain, default=0), max(variable.domain, default=0)
        offsets.append(total - low)
        total += high - low + 1
    return np.array(offsets, np.int32)


def _store(variables: int, capacity: int, width: int) -> Store:
    table = 1 << (2 * capacity - 1).bit_length()
    info = np.zeros(8, np.int64)
    info[SOLVED] = -1
    info[5] = 1 << 30
    return Store(
        np.empty((capacity, variables), np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.int32),
        np.empty((min(PLANS, capacity), 64, 2), np.int32),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int32),
        np.full(table, -1, np.int32),
        np.zeros(1 << (24 if width >= 2 else 20), np.uint8),
        info,
    )


def room_at(problem: Problem, relaxed: Relaxed, start: State) -> Room:
    """Scratch room for one search, the start in it as if a command had led there."""
    space = Space(relaxed)
    room = Room(
        space.cost,
        space.best,
        space.missing,
        space.sums,
        space.queue,
        space.links,
        space.marks,
        space.stack,
        space.plan,
        scratch(problem.tables),
    )
    load(problem.tables, room.space, np.array(start, np.int32))
    room.space.work[:] = room.space.slots
    room.space.work_fresh[:] = room.space.fresh
    return room
