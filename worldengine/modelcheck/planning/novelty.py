"""Best-first width search, compiled: novelty first, then goals still missing.

In: tables, actions, clauses, goals, landmarks, a start. Out: the way to a win, or nothing.
A state is novel if it is the first among those with the same progress to have some value
(width 1) or pair of values (width 2). Progress is the number of goals and landmarks still
missing together with how much of the last relaxed plan has come true.
(Lipovetzky and Geffner, "Best-first width search", 2017: BFWS(f5).)

Novelty is looked up in a table of bits by hash: a collision makes a state look older than
it is, which costs order and never a wrong plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.machine.schema import LOST, RUNNING, UNDEFINED, WON
from worldengine.modelcheck.compiled.kernel import Space, accepted, copy, load, perform, value
from worldengine.modelcheck.compiled.steps import compiled, holds
from worldengine.modelcheck.compiled.tables import STATUS, VARIABLES, Tables
from worldengine.modelcheck.planning.hashing import place_of, unseen
from worldengine.modelcheck.planning.heap import heap_pop, heap_push
from worldengine.modelcheck.planning.nodes import (
    BEST,
    EXPANDED,
    GUIDED,
    HEAP,
    LONGEST,
    NODES,
    PLANS,
    SOLVED,
    Aim,
    Room,
    Store,
)
from worldengine.modelcheck.relaxation.relaxed import FAR, Clauses, relaxed_plan, spread_costs


@compiled
def novelty(
    aim: Aim, bits: Any, state: Any, parent: Any, partition: Any, same: bool, width: Any
) -> Any:
    """1 if a value is new here, 2 if a pair is, else 3. Where the parent is in the same
    partition only what has changed can be new."""
    found = 3
    for i in range(len(aim.relevant)):
        a = aim.relevant[i]
        if same and state[a] == parent[a]:
            continue
        fact = aim.offsets[a] + state[a]
        if unseen(bits, partition, fact, 0):
            found = 1
        if width < 2:
            continue
        for j in range(len(aim.relevant)):
            if i == j:
                continue
            b = aim.relevant[j]
            other = aim.offsets[b] + state[b]
            new = unseen(bits, partition, min(fact, other), max(fact, other))
            if new and found > 2:
                found = 2
    return found


@compiled
def missing_goals(t: Tables, aim: Aim, space: Space) -> Any:
    """Goals that do not hold after the last command."""
    missing = 0
    for index in range(len(aim.goals)):
        left, op, right, offset = aim.goals[index]
        against = np.int64(offset)
        if right >= 0:
            other = value(t, space, space.work, space.work_fresh, right)
            if other == UNDEFINED:
                missing += 1
                continue
            against += other
        have = value(t, space, space.work, space.work_fresh, left)
        if have == UNDEFINED or not holds(have, op, against):
            missing += 1
    return missing


@compiled
def count_missing(t: Tables, aim: Aim, space: Space, passed: Any) -> Any:
    """Goals that do not hold after the last command, and landmarks not passed yet."""
    missing = len(aim.landmarks)
    for bit in range(len(aim.landmarks)):
        if passed >> np.uint64(bit) & np.uint64(1):
            missing -= 1
    return missing + missing_goals(t, aim, space)


@compiled
def anchor(c: Clauses, aim: Aim, store: Store, room: Room, node: Any) -> bool:
    """Give a node a relaxed plan of its own; False if there is none (a dead end)."""
    state = store.states[node]
    added = spread_costs(
        c, state, room.cost, room.best, room.open, room.sums, room.queue, room.links, room.marks
    )
    if added >= FAR:
        return False
    row = store.info[PLANS]
    if row >= len(store.parts):
        return True
    relaxed_plan(c, room.best, room.marks, room.stack, room.plan)
    store.info[PLANS] += 1
    store.plans[node] = row
    store.anchors[node] = node
    store.done[node] = 0
    store.parts[row, :, 0] = -1
    found = 0
    for atom in range(len(room.marks)):
        variable = aim.atom_variable[atom]
        if room.marks[atom] == 0 or variable < 0 or state[variable] == aim.atom_value[atom]:
            continue
        store.parts[row, found, 0] = variable
        store.parts[row, found, 1] = aim.atom_value[atom]
        found += 1
        if found == 64:
            break
    return True


@compiled
def advance(store: Store, state: Any, parent: Any, node: Any) -> Any:
    """Note which parts of the relaxed plan have come true; gives back how many."""
    origin = store.anchors[parent]
    store.anchors[node] = origin
    row = store.plans[origin]
    done = store.done[parent]
    count = 0
    for part in range(64):
        variable = store.parts[row, part, 0]
        if variable < 0:
            break
        if state[variable] == store.parts[row, part, 1]:
            done |= np.uint64(1) << np.uint64(part)
        if done >> np.uint64(part) & np.uint64(1):
            count += 1
    store.done[node] = done
    return count


@compiled
def admit(
    t: Tables, c: Clauses, aim: Aim, store: Store, room: Room, width: Any, parent: Any, action: Any
) -> None:
    """Take the successor in `room.space.work` in as a node, if it is new and novel enough."""
    node = store.info[NODES]
    variables = t.sizes[VARIABLES]
    state = room.space.work[:variables]
    place = place_of(aim, store.table, store.states, state)
    if place < 0:
        return
    store.table[place] = node
    copy(store.states[node], state)
    store.parents[node] = parent
    store.actions[node] = action
    store.info[NODES] += 1
    if parent >= 0:
        store.depths[node] = store.depths[parent] + 1
        passed = store.passed[parent]
    else:
        store.depths[node] = 0
        passed = np.uint64(0)
    if state[t.sizes[STATUS]] == WON:
        store.info[SOLVED] = node
        return
    for bit in range(len(aim.landmarks)):
        if state[aim.landmarks[bit, 0]] == aim.landmarks[bit, 1]:
            passed |= np.uint64(1) << np.uint64(bit)
    store.passed[node] = passed
    missing = count_missing(t, aim, room.space, passed)
    store.missing[node] = missing
    if missing < store.info[BEST]:
        store.info[BEST] = missing
    count = 0
    if store.info[GUIDED] > 0:
        count = guided(c, store, room, node)
        if count >= FAR or store.depths[node] + count // 2 > store.info[LONGEST]:
            return
    elif parent < 0 or missing < store.missing[parent]:
        if not anchor(c, aim, store, room, node):
            return
        if store.anchors[node] != node:  # no room for another plan
            count = advance(store, state, parent, node)
    else:
        count = advance(store, state, parent, node)
    partition = missing * 128 + count
    same = False
    before = store.states[max(parent, 0)]
    if parent >= 0:
        before_count = store.anchors[parent] if store.info[GUIDED] > 0 else progress(store, parent)
        same = store.missing[parent] * 128 + before_count == partition
    w = novelty(aim, store.bits, state, before, partition, same, width)
    if w > width and width < 3:
        return
    if store.info[GUIDED] == 1:
        key = (w * 1024 + count) * 256 + missing
    elif store.info[GUIDED] == 2:
        key = (count * 4 + w) * 256 + missing
    elif store.info[GUIDED] == 3:
        key = (store.depths[node] + 3 * count) * 256 + missing
    else:
        key = (w * 256 + missing) * 64 + (63 - min(count, 63))
    key = key * (1 << 32) + node
    store.info[HEAP] = heap_push(store.keys, store.items, store.info[HEAP], key, node)


@compiled
def guided(c: Clauses, store: Store, room: Room, node: Any) -> Any:
    """The length of the relaxed plan from a node (kept in `anchors`), FAR for a dead end."""
    state = store.states[node]
    added = spread_costs(
        c, state, room.cost, room.best, room.open, room.sums, room.queue, room.links, room.marks
    )
    if added >= FAR:
        return FAR
    length = relaxed_plan(c, room.best, room.marks, room.stack, room.plan)
    store.anchors[node] = length
    return length


@compiled
def progress(store: Store, node: Any) -> Any:
    """How many parts of the relaxed plan have come true on the way to a node."""
    done = store.done[node]
    count = 0
    while done:
        done &= done - np.uint64(1)
        count += 1
    return count


@compiled
def search(
    t: Tables, c: Clauses, aim: Aim, store: Store, room: Room, width: Any, longest: Any, steps: Any
) -> Any:
    """Expand up to `steps` nodes. 1 solved, 0 nothing left, 2 room is out, 3 go on."""
    actions = len(aim.operators)
    for _ in range(steps):
        if store.info[HEAP] == 0:
            return 0
        if store.info[NODES] + actions >= len(store.parents):
            return 2
        node = heap_pop(store.keys, store.items, store.info[HEAP])
        store.info[HEAP] -= 1
        if store.depths[node] >= longest:
            continue
        store.info[EXPANDED] += 1
        load(t, room.space, store.states[node])
        for action in range(actions):
            if not accepted(t, room.space, aim.operators[action], aim.numbers[action]):
                continue
            if not perform(t, room.space, aim.operators[action]):
                continue
            if room.space.work[t.sizes[STATUS]] == LOST:
                continue
            admit(t, c, aim, store, room, width, node, action)
            if store.info[SOLVED] >= 0:
                return 1
    return 3


assert RUNNING == 0
