"""Names and types of expressions: syntax tree in, resolved tree out.

A bare name means, in this order: a parameter or bound variable, `none`/`nowhere`/`turn`/
`player`, a value of the enum that is expected here, an object, a fact or derived value
without parameters, any other enum value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from worldengine.compiler import resolved as r
from worldengine.compiler.collect import describe_type
from worldengine.compiler.tables import Tables
from worldengine.compiler.types import (
    BOOL,
    ERROR,
    NONE_TYPE,
    TEXT,
    DeriveInfo,
    Type,
    integer,
    reference,
)
from worldengine.machine.schema import NONE
from worldengine.source import Span
from worldengine.syntax import ast

SCOPES = ("held", "here", "visible", "reachable")
WRONG = r.Const(0, ERROR)
TRUE = r.Const(1, BOOL)


@dataclass(frozen=True, slots=True)
class Names:
    """The parameters and bound variables in sight, and what surrounds the expression.

    `where` is "play" (actions), "after" (rules, after-hooks, endings: `prior` may stand
    there) or "start". `library` prefers the library's own derived values.
    """

    locals: Mapping[str, r.Local] = field(default_factory=dict)
    depth: int = 0
    where: str = "play"
    library: bool = False

    def bind(self, name: str, declared: Type) -> Names:
        inner = dict(self.locals)
        inner[name] = r.Local(self.depth, declared)
        return Names(inner, self.depth + 1, self.where, self.library)


class Expressions:
    """Resolves expressions against the tables; reports and returns `WRONG` where it fails."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.report = tables.reporter
        self._open: list[str] = []

    # -- entry points ------------------------------------------------------------------

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
        return getattr(self, "_" + type(node).__name__.lower())(node, names, expect)

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

    # -- plain values ------------------------------------------------------------------

    def _number(self, node: ast.Number, names: Names, expect: Type | None) -> r.Expr:
        return r.Const(node.value, integer(node.value, node.value))

    def _boolean(self, node: ast.Boolean, names: Names, expect: Type | None) -> r.Expr:
        return r.Const(int(node.value), BOOL)

    def _string(self, node: ast.String, names: Names, expect: Type | None) -> r.Expr:
        if expect is not None and expect.kind == "enum":
            for symbol in expect.symbols:
                if self.tables.displays[symbol] == node.value:
                    return r.Const(symbol, expect)
        return r.Const(self.tables.string(node.value), TEXT)

    def _ref(self, node: ast.Ref, names: Names, expect: Type | None) -> r.Expr:
        name = node.name
        if name in names.locals:
            return names.locals[name]
        if name in ("none", "nowhere"):
            return r.Const(NONE, NONE_TYPE)
        if name == "turn":
            self.tables.uses_turn = True
            return r.Turn(integer(0, max(self.tables.turns, 0)))
        symbol = self.tables.symbols.get(name)
        if symbol is not None and expect is not None and symbol in expect.symbols:
            return r.Const(symbol, expect)
        if name in self.tables.by_id:
            index = self.tables.by_id[name]
            return r.Const(index, reference(self.tables.objects[index].kind, False))
        if name in self.tables.derives or f"library.{name}" in self.tables.derives:
            return self._derived(name, (), node.span, names)
        if name in self.tables.facts:
            return self._fact(name, (), node.span, names)
        if symbol is not None:
            return r.Const(symbol, Type("enum", symbols=(symbol,)))
        self._unknown(node, names, expect)
        return WRONG

    def _unknown(self, node: ast.Ref, names: Names, expect: Type | None) -> None:
        family = self.tables.families.get(node.name)
        if family:
            ids = ", ".join(f"`{self.tables.objects[item].id}`" for item in family[:4])
            self.report.error(
                "object-numbered",
                node.span,
                f"`{node.name}` is {len(family)} objects",
                f"name one ({ids}) or use any(x: … where …)",
            )
            return
        if node.name in self.tables.kinds:
            self.report.error(
                "kind-as-value",
                node.span,
                f"`{node.name}` is a kind, not an object",
                f"test with `x is {node.name}`, or use any(x: {node.name} where …)",
            )
            return
        known = [*names.locals, *(item.id for item in self.tables.objects if item.role != "exit")]
        known += [*self.tables.facts, *self.tables.derives]
        if expect is not None and expect.kind == "enum":
            known = [n for n, s in self.tables.symbols.items() if s in expect.symbols]
            self.report.unknown("value-unknown", node.span, "value", node.name, known)
            return
        known += list(self.tables.symbols)
        self.report.unknown("name-unknown", node.span, "object or value", node.name, known)

    def _attr(self, node: ast.Attr, names: Names, expect: Type | None) -> r.Expr:
        if (
            isinstance(node.base, ast.Ref)
            and node.base.name not in names.locals
            and node.base.name in self.tables.families
            and node.base.name not in self.tables.by_id
        ):
            self._unknown(node.base, names, None)
            return WRONG
        base = self.value(node.base, names, None)
        if base.type.kind == "error":
            return WRONG
        name = node.name.text
        if base.type.kind != "ref":
            self.report.error(
                "attribute-of-value",
                node.name.span,
                f"only objects have attributes; this is {self._words(base.type)}",
            )
            return WRONG
        if name in ("describe", "refusal"):
            self.report.error(
                "describe-as-value",
                node.span,
                "a description is a text to be said, not a value to compare",
                'insert it in a text: say "{x.describe}"',
            )
            return WRONG
        if name == "worn" and not names.library and base.type.of not in ("", "thing"):
            self.tables.worn_mentioned.update(self.possible(base))
        elif name == "worn" and isinstance(base, r.Const) and not names.library:
            self.tables.worn_mentioned.add(base.value)
        return self.attribute(base, name, node.name.span, names.library)

    def attribute(self, base: r.Expr, name: str, span: Span, library: bool = False) -> r.Expr:
        """`base.name`, if some object that base may be has it.

        The library's verbs see only attributes of the sort the library declares.
        """
        owners = self.tables.owners(name)
        if library:
            meant = self.tables.declared(base.type.of, name)
            owners = {k: v for k, v in owners.items() if meant is None or v.kind == meant.kind}
        bases = self.possible(base)
        types = [owners[item] for item in bases if item in owners]
        if not types:
            declared = self.tables.declared(base.type.of, name)
            if declared is not None and not isinstance(base, r.Const):
                return r.AttrOf(base, name, declared, False)
            known = {n for item in bases for n in self.tables.objects[item].attributes} | {"in"}
            self.report.unknown(
                "attribute-unknown",
                span,
                f"attribute of {self._base_words(base)}",
                name,
                sorted(known),
            )
            return WRONG
        first = types[0]
        for other in types[1:]:
            if other.kind != first.kind:
                self.report.error(
                    "attribute-types-differ",
                    span,
                    f"`{name}` is {self._words(first)} for some objects and "
                    f"{self._words(other)} for others",
                    "give the two attributes different names",
                )
                return WRONG
        return r.AttrOf(base, name, _joined(types), len(types) == len(bases))

    def possible(self, base: r.Expr) -> tuple[int, ...]:
        """The objects an expression of a reference type may name."""
        if isinstance(base, r.Const):
            return (base.value,) if base.value != NONE else ()
        found = self.tables.of_kind(base.type.of)
        if base.type.of == "" and self.tables.player != NONE:
            return (*found, self.tables.player)
        return found

    def _base_words(self, base: r.Expr) -> str:
        if isinstance(base, r.Const) and base.value != NONE:
            return f"`{self.tables.objects[base.value].id}`"
        return f"the kind `{base.type.of}`" if base.type.of else "objects"

    # -- calls -------------------------------------------------------------------------

    def _call(self, node: ast.Call, names: Names, expect: Type | None) -> r.Expr:
        name = node.name.text
        local = self._builtins().get(name)
        if name in self.tables.derives and not (names.library and local):
            return self._derived(name, node.arguments, node.span, names)
        if name in self.tables.facts:
            return self._fact(name, node.arguments, node.span, names)
        if local is not None:
            return local(node, names)
        known = [*self.tables.facts, *self.tables.derives, *self._builtins()]
        self.report.unknown(
            "call-unknown", node.name.span, "fact, derived value or function", name, known
        )
        return WRONG

    def _builtins(self) -> dict[str, object]:
        scopes = dict.fromkeys((*SCOPES, "adjacent"), self._scope)
        return {
            **scopes,
            "inside": self._inside,
            "passable": self._passable,
            "in_light": self._in_light,
            "next": self._next,
            "prev": self._next,
            "prior": self._prior,
            "changed": self._prior,
        }  # type: ignore[return-value]

    def _arity(self, node: ast.Call, wanted: int) -> bool:
        if len(node.arguments) == wanted:
            return True
        self.report.error(
            "argument-count",
            node.span,
            f"`{node.name.text}` takes {wanted} argument{'s' if wanted != 1 else ''}, "
            f"not {len(node.arguments)}",
        )
        return False

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

    def _scope(self, node: ast.Call, names: Names) -> r.Expr:
        if not self._arity(node, 1):
            return WRONG
        found = self._object(node.arguments[0], names)
        if found.type.kind == "error":
            return WRONG
        return r.Builtin(node.name.text, (found,), BOOL)

    def _inside(self, node: ast.Call, names: Names) -> r.Expr:
        if not self._arity(node, 2):
            return WRONG
        pair = tuple(self._object(item, names) for item in node.arguments)
        if any(item.type.kind == "error" for item in pair):
            return WRONG
        return r.Builtin("inside", pair, BOOL)

    def _passable(self, node: ast.Call, names: Names) -> r.Expr:
        if not self._arity(node, 1):
            return WRONG
        found = self._object(node.arguments[0], names)
        return r.Builtin("passable", (found,), BOOL) if found.type.of == "exit" else WRONG

    def _in_light(self, node: ast.Call, names: Names) -> r.Expr:
        return r.Builtin("in_light", (), BOOL) if self._arity(node, 0) else WRONG

    def _next(self, node: ast.Call, names: Names) -> r.Expr:
        if not self._arity(node, 1):
            return WRONG
        item = self.value(node.arguments[0], names, None)
        if item.type.kind == "error":
            return WRONG
        if item.type.kind != "enum":
            self.report.error(
                "enum-expected",
                node.span,
                f"`{node.name.text}` steps through the values of an enum; this is "
                f"{self._words(item.type)}",
                "for numbers write `+ 1` or `- 1`",
            )
            return WRONG
        values = item.type.symbols
        shifted = (
            (*values[1:], values[-1]) if node.name.text == "next" else (values[0], *values[:-1])
        )
        return r.Lookup(item, tuple(zip(values, shifted, strict=True)), item.type)

    def _prior(self, node: ast.Call, names: Names) -> r.Expr:
        if not self._arity(node, 1):
            return WRONG
        if names.where == "start":
            self.report.error(
                "prior-in-start", node.span, f"`{node.name.text}` means nothing before the start"
            )
            return WRONG
        item = self.value(node.arguments[0], names, None)
        if item.type.kind == "error":
            return WRONG
        if node.name.text == "changed":
            return r.Changed(item, BOOL)
        return r.Prior(item, item.type)

    def _fact(self, name: str, arguments: tuple[ast.Expr, ...], span: Span, names: Names) -> r.Expr:
        fact = self.tables.facts[name]
        found = self._arguments(
            name, arguments, [(str(i), t) for i, t in enumerate(fact.parameters)], span, names
        )
        return WRONG if found is None else r.FactOf(fact, found, fact.type)

    def _derived(
        self, name: str, arguments: tuple[ast.Expr, ...], span: Span, names: Names
    ) -> r.Expr:
        if names.library and f"library.{name}" in self.tables.derives:
            name = f"library.{name}"
        derive = self.tables.derives[name]
        found = self._arguments(name, arguments, list(derive.parameters), span, names)
        if found is None:
            return WRONG
        if derive.type.kind == "text":
            self.report.error(
                "text-as-value",
                span,
                f"`{name}` is a text to be said, not a value",
                f'insert it in a text: say "{{{name}}}"',
            )
            return WRONG
        self.body_of(derive)
        return r.DeriveOf(derive, found, derive.type)

    def _arguments(
        self,
        name: str,
        arguments: tuple[ast.Expr, ...],
        parameters: list[tuple[str, Type]],
        span: Span,
        names: Names,
    ) -> tuple[r.Expr, ...] | None:
        if len(arguments) != len(parameters):
            wanted = len(parameters)
            self.report.error(
                "argument-count",
                span,
                f"`{name}` takes {wanted} argument{'s' if wanted != 1 else ''}, "
                f"not {len(arguments)}",
            )
            return None
        found = []
        for node, (_, declared) in zip(arguments, parameters, strict=True):
            item = self.value(node, names, declared)
            if not self._assignable(item.type, declared):
                self.report.error(
                    "argument-type",
                    node.span,
                    f"`{name}` wants {self._words(declared)} here, not {self._words(item.type)}",
                )
                return None
            if item.type.kind == "error":
                return None
            found.append(item)
        return tuple(found)

    def body_of(self, derive: DeriveInfo) -> object:
        """The resolved body; a derive met while its own body is resolved is recursive."""
        if derive.body is not None or isinstance(derive.node.body, ast.Text):
            return derive.body
        if derive.name in self._open:
            for name in self._open[self._open.index(derive.name) :]:
                self.tables.derives[name].recursive = True
            return None
        self._open.append(derive.name)
        names = Names(library=derive.node.span.source.name.startswith("library/"))
        for name, declared in derive.parameters:
            names = names.bind(name, declared)
        body = self.value(derive.node.body, names, derive.type)
        if derive.node.type is None and body.type.kind == "int":
            derive.type = body.type
        elif not body.type.fits(derive.type):
            self.report.error(
                "derive-type",
                derive.node.body.span,
                f"`{derive.name}` is {self._words(derive.type)}, its body {self._words(body.type)}",
                "write the type after the name: derive total : 0..99 = …",
            )
            body = WRONG
        derive.body = body
        self._open.pop()
        return body

    # -- logic and comparison -----------------------------------------------------------

    def _not(self, node: ast.Not, names: Names, expect: Type | None) -> r.Expr:
        return r.NotOf(self.condition(node.item, names), BOOL)

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
                "the two sides of a comparison must be of one sort",
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
            self.report.unknown("kind-unknown", node.kind.span, "kind", kind, self.tables.kinds)
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
            known = [*self.tables.kinds, *self.tables.enums]
            self.report.unknown("kind-unknown", kind.span, "kind", name, known)
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

    # -- small things ------------------------------------------------------------------------

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

    def assignable(self, found: Type, wanted: Type) -> bool:
        return self._assignable(found, wanted)

    def _words(self, item: Type) -> str:
        return describe_type(self.tables, item)


def _joined(types: list[Type]) -> Type:
    """One type that covers several of the same sort."""
    first = types[0]
    if all(item == first for item in types):
        return first
    if first.kind == "int":
        return integer(min(item.low for item in types), max(item.high for item in types))
    if first.kind == "enum":
        return Type("enum", symbols=tuple(dict.fromkeys(s for item in types for s in item.symbols)))
    if first.kind == "ref" and any(item.of != first.of for item in types):
        return reference("", True)
    return first


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
