"""Walking syntax trees, and derived values in an order in which each follows what it names.

Without recursion: a chain of thousands of derived values is a script like any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.compiler.types import DeriveInfo
from worldengine.syntax import ast


def walk(root: object) -> Iterator[ast.Node]:
    """Every node under `root`, parents first, in the order of the text."""
    todo = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            todo.extend(reversed(item))
        elif isinstance(item, ast.Node):
            yield item
            todo.extend(getattr(item, name) for name in _backwards(type(item)))


FIELDS: dict[type[ast.Node], tuple[str, ...]] = {}
"""Filled as classes of nodes are met."""


def _backwards(kind: type[ast.Node]) -> tuple[str, ...]:
    """The fields of a class of nodes, last first: a stack gives them back in order."""
    if kind not in FIELDS:
        names = reversed(kind.__dataclass_fields__)
        FIELDS[kind] = tuple(name for name in names if name != "span")
    return FIELDS[kind]


def called(node: object) -> Iterator[str]:
    """Names that might be those of facts or derived values."""
    for item in walk(node):
        if isinstance(item, ast.Ref):
            yield item.name
        elif isinstance(item, ast.Call):
            yield item.name.text


def dependencies_first(derives: dict[str, DeriveInfo]) -> list[DeriveInfo]:
    """All derived values; those in a circle come in the order of declaration."""
    needs = {
        name: [other for other in dict.fromkeys(called(info.node.body)) if other in derives]
        for name, info in derives.items()
    }
    found: dict[str, None] = {}
    seen: set[str] = set()
    for root in derives:
        todo = [(root, False)]
        while todo:
            name, done = todo.pop()
            if done:
                found[name] = None
            elif name not in seen:
                seen.add(name)
                todo.append((name, True))
                todo.extend((other, False) for other in reversed(needs[name]))
    return [derives[name] for name in found]
