"""The way back: from a node to one that it follows from.

In: a graph, commands. Out: the first node, among those that were being expanded when this one
was made, from which it follows, and by which command. Parents are not kept with the nodes (see
`frontier`); looking for one takes some hundred expansions, and only where a way is asked for.
"""

from __future__ import annotations

from typing import Any

from worldengine.machine.schema import RUNNING
from worldengine.modelcheck.frontier import MARKED, Graph, key_of
from worldengine.modelcheck.kernel import Space, accepted, load, perform
from worldengine.modelcheck.packing import Packing, pack, unpack
from worldengine.modelcheck.steps import compiled
from worldengine.modelcheck.tables import STATUS, Tables


@compiled
def origin_of(
    t: Tables, p: Packing, graph: Graph, space: Space, operators: Any, numbers: Any, child: Any,
    state: Any, keys: Any, link: Any
) -> Any:  # fmt: skip
    """The origin and the command that leads from it into `link`; False if there is none. `state`
    is scratch and holds what is not in keys; `keys` [2, words] is scratch."""
    key_of(p, graph, graph.roots[child], keys[0])
    for node in range(graph.marks[child // MARKED], child):
        key_of(p, graph, graph.roots[node], keys[1])
        unpack(p, keys[1], state)
        if state[t.sizes[STATUS]] != RUNNING:
            continue
        load(t, space, state)
        for action in range(len(operators)):
            if not accepted(t, space, operators[action], numbers[action]):
                continue
            if not perform(t, space, operators[action]):
                continue
            pack(p, space.work, keys[1])
            same = True
            for word in range(p.size):
                if keys[0, word] != keys[1, word]:
                    same = False
                    break
            if same:
                link[0], link[1] = node, action
                return True
    return False
