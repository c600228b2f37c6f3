"""Expressions inside strings, read with the same grammar as all others.

In: the characters of an expression, escapes undone, and where each of them stands in the
source. Out: the expression, or None and a diagnostic at the right character.
"""

from __future__ import annotations

from lark import UnexpectedInput

from worldengine.diagnostics import Diagnostic
from worldengine.source import Source
from worldengine.syntax import ast, explain, grammar
from worldengine.syntax.depth import too_deep
from worldengine.syntax.expressions import ExpressionBuilder, Placed
from worldengine.syntax.limits import MAX_NESTING, nesting


class Insertions:
    """Reads the expressions of one script's strings and keeps what was wrong with them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def __call__(self, text: str, places: list[int]) -> ast.Expr | None:
        placed = Placed(self.source, places=places)
        deepest = nesting(text)
        if deepest > MAX_NESTING:
            self.diagnostics.append(too_deep(placed.span(0, 1)))
            return None
        try:
            tree = grammar.load().parse(text, start="insertion")
        except UnexpectedInput as error:
            self.diagnostics.append(explain.insertion(error, text, placed))
            return None
        builder = ExpressionBuilder(placed, self)
        value: ast.Expr = builder.build(tree)
        self.diagnostics += builder.diagnostics
        self.diagnostics += builder.depth_complaints(value, deepest)
        return value
