"""What surrounds an expression, and the base of the passes that settle names and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from worldengine.compiler import resolved as r
from worldengine.compiler.tables import Tables, describe_type
from worldengine.compiler.types import BOOL, ERROR, Type, integer
from worldengine.source import Span
from worldengine.syntax import ast

WRONG = r.Const(0, ERROR)
"""Stands for an expression that was reported; it fits everything, so nothing is said twice."""


@dataclass(frozen=True, slots=True)
class Names:
    """The parameters and bound variables in sight, and what surrounds the expression.

    `where` is "play" (actions), "after" (rules, after-hooks, endings: `prior` may stand
    there) or "start". `library` prefers the library's own derived values.
    """

    locals: Mapping[str, r.Expr] = field(default_factory=dict)
    depth: int = 0
    where: str = "play"
    library: bool = False

    def say(self, name: str, meaning: r.Expr) -> Names:
        """`name` stands for an expression."""
        return Names({**self.locals, name: meaning}, self.depth, self.where, self.library)

    def bind(self, name: str, declared: Type) -> Names:
        inner: dict[str, r.Expr] = dict(self.locals)
        inner[name] = r.Local(self.depth, declared)
        return Names(inner, self.depth + 1, self.where, self.library)


class Settler:
    """Dispatch over the kinds of expressions; reports and returns `WRONG` where it fails."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.report = tables.reporter
        self._open: list[str] = []

    def condition(self, node: ast.Expr, names: Names) -> r.Expr:
        """An expression that must be true or false."""
        found = self.value(node, names, BOOL)
        if found.type.kind not in ("bool", "error"):
            self.report.error(
                "condition-type",
                node.span,
                f"a condition must be true or false; this is {self._words(found.type)}",
                "compare it with something, as in `x.water > 0`",
            )
            return WRONG
        return found

    def value(self, node: ast.Expr, names: Names, expect: Type | None = None) -> r.Expr:
        """The expression with names and types settled; `expect` helps with bare names."""
        handler = getattr(self, "_" + type(node).__name__.lower())
        return cast(r.Expr, handler(node, names, expect))

    def number(self, node: ast.Expr, names: Names) -> r.Expr:
        found = self.value(node, names, integer(0, 0))
        if found.type.kind not in ("int", "error"):
            self.report.error(
                "number-expected",
                node.span,
                f"a number is needed here; this is {self._words(found.type)}",
            )
            return WRONG
        return found

    def _object(self, node: ast.Expr, names: Names, kind: str = "") -> r.Expr:
        found = self.value(node, names, None)
        if found.type.kind == "error":
            return WRONG
        if found.type.kind != "ref":
            self.report.error(
                "object-expected",
                node.span,
                f"an object is needed here; this is {self._words(found.type)}",
            )
            return WRONG
        return found

    def _assignable(self, found: Type, wanted: Type) -> bool:
        if not found.fits(wanted):
            return False
        if found.kind == "enum" and wanted.kind == "enum":
            return bool(set(found.symbols) & set(wanted.symbols))
        if found.kind == "ref" and wanted.kind == "ref":
            return self.tables.is_kind(found.of, wanted.of) or self.tables.is_kind(
                wanted.of, found.of
            )
        return True

    def _storable(self, item: r.Expr, wanted: Type) -> bool:
        """Whether a value may be of the type; of a named object its own kind is known."""
        if isinstance(item, r.Const) and item.type.kind == wanted.kind == "ref" and item.value >= 0:
            return self.tables.is_kind(self.tables.objects[item.value].kind, wanted.of)
        return self._assignable(item.type, wanted)

    def _written(self, item: Type) -> str:
        """A type as a script writes it."""
        if item.kind == "int":
            return f"{item.low}..{item.high}"
        if item.kind == "enum":
            names = {number: name for name, number in self.tables.symbols.items()}
            return " | ".join(names[symbol] for symbol in item.symbols)
        if item.kind == "ref":
            return (item.of or "thing") + ("?" if item.optional else "")
        return item.kind

    def _hint_for(self, found: r.Expr, wanted: Type) -> str | None:
        """What to write instead of a value of another sort."""
        if wanted.kind == "bool" and isinstance(found, r.Const) and found.type.kind == "int":
            return f"write {'true' if found.value else 'false'}"
        if wanted.kind == "int" and found.type.kind == "text":
            return "numbers are written without quotes"
        if wanted.kind == "bool" and found.type.kind == "text":
            return "write true or false, without quotes"
        return None

    def _words(self, item: Type) -> str:
        return describe_type(self.tables, item)

    # -- what the subclasses bring ------------------------------------------------------

    def _fact(self, name: str, arguments: tuple[ast.Expr, ...], span: Span, names: Names) -> r.Expr:
        raise NotImplementedError

    def _derived(
        self, name: str, arguments: tuple[ast.Expr, ...], span: Span, names: Names
    ) -> r.Expr:
        raise NotImplementedError
