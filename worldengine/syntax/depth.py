"""How deep a tree is, measured without recursion.

In: a built node. Out: its depth, and the diagnostic of one that later stages, which walk
trees recursively, could not take. Long chains (`a + b + …`) are deep without any bracket.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from worldengine.diagnostics import Diagnostic
from worldengine.source import Span
from worldengine.syntax import ast

MAX_DEPTH: Final = 200


def depth(root: Any) -> int:
    """The number of nodes on the longest way down from `root`."""
    deepest = 0
    pending: list[tuple[Any, int]] = [(root, 0)]
    while pending:
        value, level = pending.pop()
        if isinstance(value, tuple):
            pending += [(item, level) for item in value]
        elif isinstance(value, ast.Node):
            deepest = max(deepest, level + 1)
            pending += [
                (getattr(value, part.name), level + 1)
                for part in fields(value)
                if part.name not in ("span", "comments")
            ]
    return deepest


def too_deep(span: Span) -> Diagnostic:
    return Diagnostic(
        "syntax-too-deep",
        "error",
        "this is nested too deep to be read",
        span,
        "name a part of it with `derive`",
    )
