"""Greedy search with several queues and preferred commands, compiled.

In: tables, actions, clauses, goals, landmarks, a start. Out: the way to a win, or nothing.

A state is looked at when its turn comes, and its followers are queued by what is known then:
by the length of its relaxed plan, by the goals and landmarks that they themselves still miss,
and by their novelty. Followers by commands with which the relaxed plan may begin stand in two
queues of their own, which are asked more often after every progress. The queues take turns.
(Richter and Westphal, "The LAMA planner", 2010; Helmert, "The Fast Downward planning system",
2006, for deferred evaluation; Lipovetzky and Geffner, "Best-first width search", 2017.)

Plans of other starts are ways to begin with: their states are looked at first, so that what is
left to do is sought from wherever on the way the least is left.

Where the relaxed plan waits for a rule, the command that only lets time pass is preferred too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.machine.schema import LOST, WON
from worldengine.modelcheck.compiled.kernel import accepted, copy, load, perform, value
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.compiled.tables import STATUS, VARIABLES, Tables
from worldengine.modelcheck.planning.hashing import place_of, standing
from worldengine.modelcheck.planning.heap import heap_pop, heap_push
from worldengine.modelcheck.planning.nodes import Aim, Room
from worldengine.modelcheck.planning.novelty import missing_goals, novelty
from worldengine.modelcheck.planning.pool import (
    BEST_MISSING,
    BEST_RELAXED,
    ENTRIES,
    LONGEST,
    MISSING,
    MISSING_LIKED,
    NODES,
    NOVEL,
    QUEUES,
    RELAXED,
    RELAXED_LIKED,
    SOLVED,
    USED,
    WEIGHT,
    Marks,
    Pool,
)
from worldengine.modelcheck.relaxation.relaxed import FAR, Clauses, relaxed_plan, spread_costs

BOOST = 1000
"""How many times more the queues of preferred commands are asked after a progress."""
MOST = 512
"""Relaxed plans longer than this are as good as any."""


@compiled
def landmarks_now(t: Tables, aim: Aim, room: Room) -> Any:
    """Bits of the landmarks that hold after the last command."""
    now = np.uint64(0)
    for bit in range(len(aim.landmarks)):
        have = value(t, room.space, room.space.work, room.space.work_fresh, aim.landmarks[bit, 0])
        if have == aim.landmarks[bit, 1]:
            now |= np.uint64(1) << np.uint64(bit)
    return now


@compiled
def still_missing(t: Tables, aim: Aim, marks: Marks, room: Room, passed: Any, now: Any) -> Any:
    """Goals that do not hold after the last command, landmarks not passed yet, and those that
    have been passed, do not hold any more and are needed once more."""
    missing = 0
    again = marks.lasting
    for bit in range(len(aim.landmarks)):
        if passed >> np.uint64(bit) & np.uint64(1) == np.uint64(0):
            missing += 1
            again |= marks.needed[bit]
    again &= passed & ~now
    while again:
        again &= again - np.uint64(1)
        missing += 1
    return missing + missing_goals(t, aim, room.space)


@compiled
def enter(aim: Aim, pool: Pool, state: Any, place: Any, parent: Any, action: Any) -> Any:
    """Make a node of a state."""
    node = pool.info[NODES]
    pool.info[NODES] += 1
    pool.table[place] = node
    copy(pool.states[node], state)
    pool.parents[node] = parent
    pool.actions[node] = action
    pool.depths[node] = 0
    if parent >= 0:
        pool.depths[node] = pool.depths[parent] + 1
    return node


@compiled
def like(c: Clauses, pool: Pool, length: Any, plan: Any, wanted: bool) -> bool:
    """Note the operators of a relaxed plan, or forget them; whether it waits for a rule."""
    waits = False
    for at in range(length):
        operator = c.units[plan[at]]
        if operator < 0:
            waits = True
        else:
            pool.liked[operator] = wanted
    return waits


@compiled
def push(pool: Pool, queue: Any, key: Any, entry: Any) -> None:
    """Put an entry into a queue; equal keys in the order of coming."""
    size = pool.sizes[queue]
    whole = key * (1 << 32) + entry
    pool.sizes[queue] = heap_push(pool.keys[queue], pool.items[queue], size, whole, entry)


@compiled
def queue_up(
    aim: Aim, pool: Pool, state: Any, node: Any, action: Any, length: Any, missing: Any,
    liked: bool, width: Any,
) -> None:  # fmt: skip
    """Queue a follower of a node."""
    entry = pool.info[ENTRIES]
    pool.info[ENTRIES] += 1
    pool.from_nodes[entry] = node
    pool.by_actions[entry] = action
    depth = np.int64(0)
    if pool.info[WEIGHT] > 0:
        depth = np.int64(pool.depths[node])
    relaxed = depth + max(1, pool.info[WEIGHT]) * length
    left = depth + max(1, pool.info[WEIGHT]) * missing
    push(pool, RELAXED, relaxed * 256 + missing, entry)
    push(pool, MISSING, left * 1024 + length, entry)
    if liked:
        push(pool, RELAXED_LIKED, relaxed * 256 + missing, entry)
        push(pool, MISSING_LIKED, left * 1024 + length, entry)
    if width > 0:
        before = pool.states[node]
        same = pool.missing[node] == missing
        novel = novelty(aim, pool.bits, state, before, missing, same, width)
        if novel <= width:
            push(pool, NOVEL, (novel * 256 + missing) * 1024 + length, entry)


@compiled
def expand(
    t: Tables, c: Clauses, aim: Aim, marks: Marks, pool: Pool, room: Room, node: Any, width: Any
) -> bool:
    """Look at a node and queue its followers. True once a win has been found."""
    state = pool.states[node]
    added = spread_costs(
        c, state, room.cost, room.best, room.open, room.sums, room.queue, room.links, room.marks
    )
    if added >= FAR:
        return False
    length = relaxed_plan(c, room.best, room.marks, room.stack, room.plan)
    if pool.depths[node] + length // 2 > pool.info[LONGEST]:
        return False
    if length < pool.info[BEST_RELAXED]:
        pool.info[BEST_RELAXED] = length
        pool.served[RELAXED_LIKED] -= BOOST
        pool.served[MISSING_LIKED] -= BOOST
    waits = like(c, pool, length, room.plan, True)
    load(t, room.space, state)
    for action in range(len(aim.operators)):
        if not accepted(t, room.space, aim.operators[action], aim.numbers[action]):
            continue
        if not perform(t, room.space, aim.operators[action]):
            continue
        after = room.space.work[: t.sizes[VARIABLES]]
        status = after[t.sizes[STATUS]]
        if status == LOST:
            continue
        place = place_of(aim, pool.table, pool.states, after)
        if place < 0:
            continue
        if status == WON:
            pool.info[SOLVED] = enter(aim, pool, after, place, node, action)
            return True
        now = landmarks_now(t, aim, room)
        missing = still_missing(t, aim, marks, room, pool.passed[node] | now, now)
        if missing < pool.info[BEST_MISSING]:
            pool.info[BEST_MISSING] = missing
            pool.served[RELAXED_LIKED] -= BOOST
            pool.served[MISSING_LIKED] -= BOOST
        liked = pool.liked[aim.operators[action]] == 1 or (waits and action == marks.idle)
        queue_up(aim, pool, after, node, action, min(length, MOST), min(missing, 255), liked, width)
    like(c, pool, length, room.plan, False)
    return False


@compiled
def next_entry(pool: Pool) -> Any:
    """The entry whose turn it is, -1 if there is none left."""
    chosen = -1
    for queue in range(QUEUES):
        if pool.sizes[queue] > 0 and (chosen < 0 or pool.served[queue] < pool.served[chosen]):
            chosen = queue
    if chosen < 0:
        return -1
    pool.served[chosen] += 1
    entry = heap_pop(pool.keys[chosen], pool.items[chosen], pool.sizes[chosen])
    pool.sizes[chosen] -= 1
    return entry


@compiled
def step(
    t: Tables, c: Clauses, aim: Aim, marks: Marks, pool: Pool, room: Room, width: Any, steps: Any
) -> Any:
    """Look at up to `steps` states. 1 solved, 0 nothing left, 2 room is out, 3 go on."""
    for _ in range(steps):
        if pool.info[ENTRIES] + len(aim.operators) >= len(pool.from_nodes):
            return 2
        if pool.info[NODES] + 2 >= len(pool.parents):
            return 2
        entry = next_entry(pool)
        if entry < 0:
            return 0
        node, action = pool.from_nodes[entry], pool.by_actions[entry]
        if action < 0 or pool.depths[node] + 1 >= pool.info[LONGEST]:
            continue
        pool.by_actions[entry] = -1
        load(t, room.space, pool.states[node])
        if not accepted(t, room.space, aim.operators[action], aim.numbers[action]):
            continue
        if not perform(t, room.space, aim.operators[action]):
            continue
        after = room.space.work[: t.sizes[VARIABLES]]
        place = place_of(aim, pool.table, pool.states, after)
        if place < 0:
            continue
        now = landmarks_now(t, aim, room)
        made = enter(aim, pool, after, place, node, action)
        pool.passed[made] = pool.passed[node] | now
        pool.missing[made] = still_missing(t, aim, marks, room, pool.passed[made], now)
        pool.info[USED] += 1
        if expand(t, c, aim, marks, pool, room, made, width):
            return 1
    return 3


@compiled
def begin(t: Tables, c: Clauses, aim: Aim, marks: Marks, pool: Pool, room: Room, width: Any) -> Any:
    """Look at the start, which stands in `room.space.work`. 1 solved, 3 go on."""
    start = room.space.work[: t.sizes[VARIABLES]]
    now = landmarks_now(t, aim, room)
    node = enter(aim, pool, start, place_of(aim, pool.table, pool.states, start), -1, -1)
    pool.passed[node] = now
    pool.missing[node] = still_missing(t, aim, marks, room, now, now)
    return 1 if expand(t, c, aim, marks, pool, room, node, width) else 3


@compiled
def along(
    t: Tables, c: Clauses, aim: Aim, marks: Marks, pool: Pool, room: Room, width: Any, way: Any
) -> Any:
    """Look at the states on a way from the start, what is refused or loses left out. 1 solved,
    3 go on."""
    node = np.int64(0)
    for at in range(len(way)):
        operator, number = aim.operators[way[at]], aim.numbers[way[at]]
        load(t, room.space, pool.states[node])
        if not accepted(t, room.space, operator, number):
            continue
        if not perform(t, room.space, operator):
            continue
        after = room.space.work[: t.sizes[VARIABLES]]
        status = after[t.sizes[STATUS]]
        if status == LOST or pool.depths[node] + 1 >= pool.info[LONGEST]:
            continue
        place = place_of(aim, pool.table, pool.states, after)
        if place < 0:
            node = standing(aim, pool.table, pool.states, after)
            continue
        if pool.info[NODES] + 2 >= len(pool.parents):
            return 3
        if pool.info[ENTRIES] + len(aim.operators) >= len(pool.from_nodes):
            return 3
        now = landmarks_now(t, aim, room)
        made = enter(aim, pool, after, place, node, way[at])
        if status == WON:
            pool.info[SOLVED] = made
            return 1
        pool.passed[made] = pool.passed[node] | now
        pool.missing[made] = still_missing(t, aim, marks, room, pool.passed[made], now)
        if expand(t, c, aim, marks, pool, room, made, width):
            return 1
        node = made
    return 3
