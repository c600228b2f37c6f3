"""Circles in "uses" relations: blocks that call blocks, derived variables that read others.

In: for every node the nodes that it uses. Out: indices in ascending order. Works without
recursion, so that a chain of any length is fine.
"""

from __future__ import annotations

from collections.abc import Sequence


def components(uses: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """For every node the number of its strongly connected component (Tarjan)."""
    count = len(uses)
    number, low, component = [-1] * count, [0] * count, [-1] * count
    path: list[int] = []
    clock = found = 0
    for root in range(count):
        work = [(root, 0)] if number[root] < 0 else []
        while work:
            node, position = work.pop()
            if position == 0:
                number[node] = low[node] = clock
                clock += 1
                path.append(node)
            if position < len(uses[node]):
                work.append((node, position + 1))
                following = uses[node][position]
                if number[following] < 0:
                    work.append((following, 0))
                continue
            for following in uses[node]:
                if component[following] < 0:
                    low[node] = min(low[node], low[following])
            if low[node] == number[node]:
                while component[node] < 0:
                    component[path.pop()] = found
                found += 1
    return tuple(component)


def circle(uses: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The nodes of one circle, or () if there is none."""
    component = components(uses)
    members: dict[int, list[int]] = {}
    for node, number in enumerate(component):
        members.setdefault(number, []).append(node)
    for nodes in members.values():
        if len(nodes) > 1 or nodes[0] in uses[nodes[0]]:
            return tuple(nodes)
    return ()
