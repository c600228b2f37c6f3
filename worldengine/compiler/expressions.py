"""Logic, comparisons, numbers and quantifiers: the whole of expressions."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.calls import Calls
from worldengine.compiler.names import WRONG, Names
from worldengine.compiler.types import BOOL, ERROR, Type, integer, reference
from worldengine.compiler.unknown import unknown_kind
from worldengine.machine.schema import NONE
from worldengine.syntax import ast


class Expressions(Calls):
    """Resolves expressions against the tables."""

    def _not(self, node: ast.Not, names: Names, expect: Type | None) -> r.Expr:
        found = self.condition(node.item, names)
        if isinstance(node.item, ast.Compare) and isinstance(found, r.Cmp):
            self._not_through_none(node, found)
        return r.NotOf(found, BOOL)

    def _not_through_none(self, node: ast.Not, found: r.Cmp) -> None:
        """`not x.a == 1` holds where there is no x, `x.a != 1` does not."""
        if found.op == "==" and (_through_optional(found.left) or _through_optional(found.right)):
            self.report.warning(
                "not-through-none",
                node.span,
                "this holds also where the reference is none; `!=` would not",
                "write `!=`, or say what is meant: `x == none or …`",
            )

    def _and(self, node: ast.And, names: Names, expect: Type | None) -> r.Expr:
        return r.AllOf(tuple(self.condition(item, names) for item in node.items), BOOL)

    def _or(self, node: ast.Or, names: Names, expect: Type | None) -> r.Expr:
        return r.AnyOf(tuple(self.condition(item, names) for item in node.items), BOOL)

    def _pair(self, left: ast.Expr, right: ast.Expr, names: Names) -> tuple[r.Expr, r.Expr]:
        """Both sides of a comparison; each helps to settle bare names of the other."""
        bare = isinstance(left, ast.Ref) and left.name not in names.locals
        if bare and not (isinstance(right, ast.Ref) and right.name not in names.locals):
            second = self.value(right, names, None)
            return self.value(left, names, second.type), second
        first = self.value(left, names, None)
        return first, self.value(right, names, first.type)

    def _compare(self, node: ast.Compare, names: Names, expect: Type | None) -> r.Expr:
        left, right = self._pair(node.left, node.right, names)
        if "error" in (left.type.kind, right.type.kind):
            return WRONG
        if not (left.type.fits(right.type) or right.type.fits(left.type)):
            self.report.error(
                "compare-types",
                node.span,
                f"{self._words(left.type)} is compared with {self._words(right.type)}",
                self._hint_for(right, left.type)
                or "the two sides of a comparison must be of one sort",
            )
            return WRONG
        if node.op in ("<", "<=", ">", ">=") and left.type.kind not in ("int", "enum"):
            self.report.error(
                "compare-order",
                node.span,
                f"`{node.op}` compares numbers; this is {self._words(left.type)}",
            )
            return WRONG
        if node.op in ("<", "<=", ">", ">=") and left.type.kind == "enum":
            return self._enum_order(node, left, right)
        for one, other in ((left, right), (right, left)):
            if one.type.kind == "none" and other.type.kind == "int":
                test = r.IsUndefined(other, BOOL)
                return test if node.op == "==" else r.NotOf(test, BOOL)
        self._never(node, left, right)
        return r.Cmp(node.op, left, right, BOOL)

    def _enum_order(self, node: ast.Compare, left: r.Expr, right: r.Expr) -> r.Expr:
        """Values of one enum are ordered as they were listed."""
        symbols = max((left.type.symbols, right.type.symbols), key=len)
        places = tuple((symbol, place) for place, symbol in enumerate(symbols))
        if not set(left.type.symbols) | set(right.type.symbols) <= set(symbols):
            self.report.error(
                "compare-order", node.span, "values of two different enums have no order"
            )
            return WRONG
        span = integer(0, len(symbols))
        return r.Cmp(node.op, r.Lookup(left, places, span), r.Lookup(right, places, span), BOOL)

    def _never(self, node: ast.Compare, left: r.Expr, right: r.Expr) -> None:
        """Warn about a comparison that can never be true."""
        if node.op != "==":
            return
        never = left.type.kind == right.type.kind == "enum" and not (
            set(left.type.symbols) & set(right.type.symbols)
        )
        for one, other in ((left, right), (right, left)):
            if isinstance(one, r.Const) and one.type.kind == other.type.kind == "int":
                in_range = other.type.low <= one.value <= other.type.high
                never = never or (isinstance(other, r.AttrOf | r.Local) and not in_range)
            if isinstance(one, r.Const) and one.value != NONE and other.type.kind == "ref":
                kind = self.tables.objects[one.value].kind if one.type.kind == "ref" else ""
                related = self.tables.is_kind(kind, other.type.of) or not other.type.of
                never = never or not related
        if never:
            self.report.warning("compare-never", node.span, "this comparison can never be true")

    def _member(self, node: ast.Member, names: Names, expect: Type | None) -> r.Expr:
        item = self.value(node.item, names, None)
        if item.type.kind == "error":
            return WRONG
        tests: list[r.Expr] = []
        for option in node.options:
            other = self.value(option, names, item.type)
            if "error" in (item.type.kind, other.type.kind):
                return WRONG
            if not (other.type.fits(item.type) or item.type.fits(other.type)):
                self.report.error(
                    "compare-types",
                    option.span,
                    f"{self._words(item.type)} is compared with {self._words(other.type)}",
                )
                return WRONG
            tests.append(r.Cmp("==", item, other, BOOL))
        found: r.Expr = r.AnyOf(tuple(tests), BOOL)
        return r.NotOf(found, BOOL) if node.negated else found

    def _iskind(self, node: ast.IsKind, names: Names, expect: Type | None) -> r.Expr:
        item = self._object(node.item, names)
        if item.type.kind == "error":
            return WRONG
        kind = node.kind.text
        if kind not in self.tables.kinds:
            unknown_kind(self.tables, node.kind.span, kind)
            return WRONG
        return r.OneOf(item, frozenset(self.tables.of_kind(kind)), BOOL)

    # -- numbers and quantifiers ----------------------------------------------------------

    def _arithmetic(self, node: ast.Arithmetic, names: Names, expect: Type | None) -> r.Expr:
        left = self.number(node.left, names)
        right = self.number(node.right, names)
        if "error" in (left.type.kind, right.type.kind):
            return WRONG
        if node.op in ("*", "/", "%"):
            if node.op == "*" and isinstance(left, r.Const):
                left, right = right, left
            if not isinstance(right, r.Const):
                self.report.error(
                    "arithmetic-constant",
                    node.span,
                    f"`{node.op}` works with a plain number only, as in `x.weight {node.op} 2`",
                )
                return WRONG
            if right.value == 0 and node.op != "*":
                self.report.error("divide-by-zero", node.span, "nothing can be divided by 0")
                return WRONG
        return r.Arith(node.op, left, right, _range(node.op, left.type, right.type))

    def quantified(
        self, variable: ast.Name, kind: ast.Name, names: Names
    ) -> tuple[Names, tuple[int, ...], int]:
        """The environment inside `any(x: kind …)`, the values of x and its place."""
        name = kind.text
        if name in self.tables.enums:
            declared = self.tables.enums[name]
            values = declared.symbols
        elif name in self.tables.kinds:
            declared = reference(name, False)
            values = self.tables.of_kind(name)
        else:
            unknown_kind(self.tables, kind.span, name)
            declared, values = ERROR, ()
        return names.bind(variable.text, declared), values, names.depth

    def _quantifier(self, node: ast.Quantifier, names: Names, expect: Type | None) -> r.Expr:
        inner, values, index = self.quantified(node.variable, node.kind, names)
        where = self.condition(node.where, inner) if node.where else None
        declared = integer(0, len(values)) if node.which == "count" else BOOL
        if inner.locals[node.variable.text].type.kind == "error":
            return WRONG
        return r.Quant(node.which, index, values, where, None, declared)

    def _fold(self, node: ast.Fold, names: Names, expect: Type | None) -> r.Expr:
        inner, values, index = self.quantified(node.variable, node.kind, names)
        where = self.condition(node.where, inner) if node.where else None
        value = self.number(node.value, inner)
        if "error" in (value.type.kind, inner.locals[node.variable.text].type.kind):
            return WRONG
        low, high = value.type.low, value.type.high
        if node.which == "sum":
            low, high = min(0, low * len(values)), max(0, high * len(values))
        return r.Quant(node.which, index, values, where, value, integer(low, high))


def _range(op: str, left: Type, right: Type) -> Type:
    if op == "+":
        return integer(left.low + right.low, left.high + right.high)
    if op == "-":
        return integer(left.low - right.high, left.high - right.low)
    if op == "%":
        size = right.low
        return integer(0, size - 1) if size > 0 else integer(size + 1, 0)
    ends = (
        [end * right.low for end in (left.low, left.high)]
        if op == "*"
        else [end // right.low for end in (left.low, left.high)]
    )
    return integer(min(ends), max(ends))


def _through_optional(node: r.Expr) -> bool:
    """Whether an attribute is read through a reference that may be none."""
    if isinstance(node, r.Prior):
        return _through_optional(node.item)
    if not isinstance(node, r.AttrOf):
        return False
    base = node.base
    if isinstance(base, r.AttrOf | r.FactOf | r.DeriveOf) and base.type.optional:
        return True
    return _through_optional(base)
