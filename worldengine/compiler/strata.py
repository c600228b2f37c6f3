"""Which derived values depend on one another, and that none depends on its own negation."""

from __future__ import annotations

from worldengine.compiler import trees as e
from worldengine.compiler.budget import OverBudget
from worldengine.compiler.ground import Ground
from worldengine.compiler.trees import Tree


def groups_of(ground: Ground) -> list[int]:
    """A group number for each derived value: -1, or shared by those in one circle.

    A circle must be monotone: inside it nothing may be negated, counted or compared, else
    there is no least fixed point and the author is told.
    """
    edges = [_reads(ground, ground.derived_trees[i]) for i in range(len(ground.derived))]
    components = _components([list(item) for item in edges])
    groups = [-1] * len(edges)
    number = 0
    for component in components:
        members = set(component)
        if len(component) == 1 and component[0] not in edges[component[0]]:
            continue
        for item in component:
            for target, monotone in edges[item].items():
                if target in members and not monotone:
                    _refuse(ground, item)
            groups[item] = number
        number += 1
    return groups


def _refuse(ground: Ground, item: int) -> None:
    name = ground.derived[item][0]
    derive = ground.derives.get(name)
    raise OverBudget(
        "derive-negates-itself",
        derive.node.name.span if derive is not None else None,
        f"`{name}` depends on its own negation or on a count of itself",
        "a derived value may refer to itself only where more truth cannot make it false",
    )


def _reads(ground: Ground, tree: Tree) -> dict[int, bool]:
    """Derived values a tree reads; True where each reading is monotone."""
    found: dict[int, bool] = {}

    def walk(item: Tree, monotone: bool) -> None:
        if type(item) is int:
            return
        kind = item[0]
        if kind == e.DERIVED:
            index = ground.derived_index[item[1:]]
            found[index] = found.get(index, True) and monotone
        elif kind in (e.AND, e.OR):
            for part in item[1]:
                walk(part, monotone)
        elif kind == e.SELECT:
            walk(item[1], False)
            for _, row in item[2]:
                walk(row, monotone)
        elif kind == e.COUNT:
            for part in item[1]:
                walk(part, False)
        elif kind in (e.SUM, e.MIN, e.MAX):
            for condition, value in item[1]:
                walk(condition, False)
                walk(value, False)
        elif kind in (e.NOT, e.CMP, e.UNDEF, e.ADD, e.SUB, e.MUL, e.DIV, e.MOD):
            for part in item[1:]:
                if type(part) is tuple:
                    walk(part, False)

    walk(tree, True)
    return found


def _components(edges: list[list[int]]) -> list[list[int]]:
    """Strongly connected components (Tarjan), without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(edges)):
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            descended = False
            for place in range(at, len(edges[node])):
                target = edges[node][place]
                if target not in index:
                    work += [(node, place + 1), (target, 0)]
                    descended = True
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            if descended:
                continue
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
            if low[node] == index[node]:
                component = []
                while True:
                    item = stack.pop()
                    on_stack.discard(item)
                    component.append(item)
                    if item == node:
                        break
                found.append(sorted(component))
    return found
