"""Facts, derived values and built-in functions: syntax tree in, resolved tree out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from worldengine.compiler import resolved as r
from worldengine.compiler.names import WRONG, Names
from worldengine.compiler.references import References
from worldengine.compiler.types import BOOL, DeriveInfo, Type
from worldengine.source import Span
from worldengine.syntax import ast

MAX_DERIVES = 100
"""How long a circle of derived values may be, by name."""
SCOPES = ("held", "here", "visible", "reachable", "adjacent")
Function: TypeAlias = Callable[[ast.Call, Names], r.Expr]


class Calls(References):
    """Adds whatever is written `name(arguments)`."""

    def _call(self, node: ast.Call, names: Names, expect: Type | None) -> r.Expr:
        name = node.name.text
        local = self._builtins().get(name)
        if name in self.tables.derives and not (names.library and local):
            return self._derived(name, node.arguments, node.span, names)
        if name in self.tables.facts and not (names.library and local):
            return self._fact(name, node.arguments, node.span, names)
        if local is not None:
            return local(node, names)
        own = [derive.name for derive in self.tables.derives.values() if not derive.library]
        known = [*self.tables.facts, *own, *self._builtins()]
        self.report.unknown(
            "call-unknown", node.name.span, "fact, derived value or function", name, known
        )
        return WRONG

    def _builtins(self) -> dict[str, Function]:
        return {
            **dict.fromkeys(SCOPES, self._scope),
            "inside": self._inside,
            "passable": self._passable,
            "in_light": self._in_light,
            "next": self._next,
            "prev": self._next,
            "prior": self._prior,
            "changed": self._prior,
        }

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
            if not self._storable(item, declared):
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
        if len(self._open) >= MAX_DERIVES:
            self.report.error(
                "derive-depth",
                derive.node.name.span,
                f"more than {MAX_DERIVES} derived values refer to one another in a circle",
                "recursion goes through arguments, as in `reach(p) = any(q: place where …)`",
            )
            return WRONG
        self._open.append(derive.name)
        names = Names(library=derive.library)
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
                "write the type after the name: "
                f"derive {derive.name} : {self._written(body.type)} = …",
            )
            body = WRONG
        derive.body = body
        self._open.pop()
        return body
