"""Questions that only states answer, for many rows at once.

A tree says which slot to ask for next, by what was answered before; `trees` (nodes, 3) holds a row
a node: the slot, or -1 where a tree ends, and the nodes for no and yes, -1 where nobody has come
yet. What is derived is worked out once a row.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import compiled, i64, u
from worldengine.batch.slots.turns import load, read
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import H_VARIABLES


@compiled
def decide_rows(head: Integers, code: Integers, wide: Integers, bits: Integers, slots: Integers,
                fresh: Integers, marks: Integers, stack: Integers, said: Integers,
                machines: Integers, states: Integers, rows: Integers, trees: Integers,
                nodes: Integers, sides: Integers) -> None:  # fmt: skip
    """Take the `rows` from their `nodes` (n,) as far as the trees go. Where a node is not the end,
    `sides` (n,) says which of its branches is missing."""
    said[0] = 0
    for at in range(len(rows)):
        row = i64(rows[u(at)])
        h, node, loaded = head[machines[u(row)]], i64(nodes[u(row)]), False
        while trees[u(node), 0] >= 0:
            slot, value = i64(trees[u(node), 0]), i64(0)
            if slot < h[H_VARIABLES]:
                value = i64(states[u(row), u(slot)])
            else:
                if not loaded:
                    load(states, row, h, slots, fresh)
                    loaded = True
                value = read(code, wide, bits, h, slots, fresh, marks, stack, said, slot)
            side = i64(1 if value != 0 else 0)
            following = i64(trees[u(node), u(1 + side)])
            if following < 0:
                sides[u(row)] = side
                break
            node = following
        nodes[u(row)] = node
