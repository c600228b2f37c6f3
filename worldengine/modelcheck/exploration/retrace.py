"""The way back: from a node to one that it follows from; and forth again, with real states.

In: a graph, commands. Out: the first node, among those that were being expanded when this one
was made, from which it follows, and by which command. Parents are not kept with the nodes (see
`frontier`); looking for one takes some hundred expansions, and only where a way is asked for.

Most nodes are passed over without trying anything: a command stores into few variables, so from a
node that differs in others it cannot lead here.

Where nodes stand for more states than their own (see `clocks` and `symmetry`), a way is followed
from the start: of the states that a node stands for, the one that is come to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.batch.tables.layout import (
    ASSIGN,
    H_ASSIGNS,
    H_OPERATORS,
    H_RULES,
    H_RULES_END,
    H_STEPS,
    H_TURN,
    OPERATOR,
    STEP,
)
from worldengine.machine.schema import RUNNING
from worldengine.modelcheck.compiled.kernel import Space, accepted, copy, load, perform
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.compiled.tables import STATUS, Tables
from worldengine.modelcheck.exploration.frontier import MARKED, Graph, key_of
from worldengine.modelcheck.exploration.packing import Packing, pack, unpack
from worldengine.modelcheck.exploration.settling import Order, settle


@compiled
def note_spans(t: Tables, p: Packing, order: Order, operators: Any, stored: Any,
               spans: Any) -> None:  # fmt: skip
    """The bits of a key that may change in a turn of each command, rules included, into the rows
    of `spans` [commands, words] uint32; `stored` [variables] uint8 is scratch."""
    for action in range(len(operators)):
        if action > 0 and operators[action] == operators[action - 1]:
            copy(spans[action], spans[action - 1])
            continue
        for variable in range(len(stored)):
            stored[variable] = 0
        if t.h[H_TURN] >= 0:
            stored[t.h[H_TURN]] = 1
        place = t.h[H_OPERATORS] + OPERATOR * operators[action]
        _note_stores(t, t.code[place + 1], t.code[place + 7], stored)
        _note_stores(t, t.h[H_RULES], t.h[H_RULES_END], stored)
        for word in range(p.size):
            spans[action, word] = 0
        for index in range(len(p.variables)):
            if stored[p.variables[index]] != 0:
                spans[action, p.words[index]] |= np.uint32(p.masks[index] << p.shifts[index])
        if len(order.sets) > 0:  # objects of a set change places
            for at in range(len(order.places)):
                index = order.places[at]
                spans[action, p.words[index]] |= np.uint32(p.masks[index] << p.shifts[index])


@compiled
def _note_stores(t: Tables, first: Any, end: Any, stored: Any) -> None:
    """Mark the variables that some steps store into."""
    for step in range(first, end):
        row = t.h[H_STEPS] + STEP * step
        for at in range(t.code[row + 1], t.code[row + STEP + 1]):
            target = t.code[t.h[H_ASSIGNS] + ASSIGN * at]
            if target < len(stored):
                stored[target] = 1


@compiled
def origin_of(
    t: Tables, p: Packing, order: Order, graph: Graph, space: Space, operators: Any, numbers: Any,
    spans: Any, child: Any, first: Any, state: Any, keys: Any, link: Any
) -> Any:  # fmt: skip
    """The origin, not before the `first` node, and the command that leads from it into `link`;
    False if there is none. `spans` is of `note_spans`; `state` is scratch and holds what is not in
    keys; `keys` [2, words] is scratch."""
    key_of(p, graph, graph.roots[child], keys[0])
    for node in range(max(graph.marks[child // MARKED], first), child):
        key_of(p, graph, graph.roots[node], keys[1])
        if not _near(p, spans, keys):
            continue
        unpack(p, keys[1], state)
        action = _command_to(t, p, order, space, operators, numbers, state, keys)
        if action >= 0:
            link[0], link[1] = node, action
            return True
    return False


@compiled
def _near(p: Packing, spans: Any, keys: Any) -> bool:
    """Whether some command may change all in which two keys differ."""
    for action in range(len(spans)):
        within = True
        for word in range(p.size):
            if (keys[0, word] ^ keys[1, word]) & ~spans[action, word] != 0:
                within = False
                break
        if within:
            return True
    return False


@compiled
def forth(
    t: Tables, p: Packing, order: Order, space: Space, operators: Any, numbers: Any, state: Any,
    keys: Any
) -> Any:  # fmt: skip
    """The first command by which a state leads to one that the node with the first of the keys
    stands for; the state is then that one. -1 if there is none."""
    action = _command_to(t, p, order, space, operators, numbers, state, keys)
    if action >= 0:
        copy(state, space.work[: len(state)])
    return action


@compiled
def _command_to(
    t: Tables, p: Packing, order: Order, space: Space, operators: Any, numbers: Any, state: Any,
    keys: Any
) -> Any:  # fmt: skip
    """The first command by which a state leads to what the first of the keys stands for, -1 if
    there is none. What comes of it is then in `space`."""
    if state[t.sizes[STATUS]] != RUNNING:
        return -1
    load(t, space, state)
    for action in range(len(operators)):
        if not accepted(t, space, operators[action], numbers[action]):
            continue
        if not perform(t, space, operators[action]):
            continue
        if _leads_to(p, order, space, keys):
            return action
    return -1


@compiled
def _leads_to(p: Packing, order: Order, space: Space, keys: Any) -> bool:
    """Whether what has just been done leads to the first of two keys; the other is scratch."""
    pack(p, space.work, keys[1])
    settle(p, order, keys[1])
    same = True
    for word in range(p.size):
        same = same and keys[0, word] == keys[1, word]
    return same
