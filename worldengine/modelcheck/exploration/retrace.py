"""The way back: from a node to one that it follows from; and forth again, with real states.

In: a graph, commands. Out: the first node, among those that were being expanded when this one
was made, from which it follows, and by which command. Parents are not kept with the nodes (see
`frontier`); looking for one takes some hundred expansions, and only where a way is asked for.

Where nodes stand for more states than their own (see `clocks` and `symmetry`), a way is followed
from the start: of the states that a node stands for, the one that is come to.
"""

from __future__ import annotations

from typing import Any

from worldengine.machine.schema import RUNNING
from worldengine.modelcheck.compiled.kernel import Space, accepted, copy, load, perform
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.compiled.tables import STATUS, Tables
from worldengine.modelcheck.exploration.frontier import MARKED, Graph, key_of
from worldengine.modelcheck.exploration.packing import Packing, pack, unpack
from worldengine.modelcheck.exploration.settling import Order, settle


@compiled
def origin_of(
    t: Tables, p: Packing, order: Order, graph: Graph, space: Space, operators: Any, numbers: Any,
    child: Any, first: Any, state: Any, keys: Any, link: Any
) -> Any:  # fmt: skip
    """The origin, not before the `first` node, and the command that leads from it into `link`;
    False if there is none. `state` is scratch and holds what is not in keys; `keys` [2, words]
    is scratch."""
    key_of(p, graph, graph.roots[child], keys[0])
    for node in range(max(graph.marks[child // MARKED], first), child):
        key_of(p, graph, graph.roots[node], keys[1])
        unpack(p, keys[1], state)
        action = _command_to(t, p, order, space, operators, numbers, state, keys)
        if action >= 0:
            link[0], link[1] = node, action
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
