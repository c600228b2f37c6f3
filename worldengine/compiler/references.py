"""Plain values, bare names and attributes: syntax tree in, resolved tree out.

A bare name means, in this order: a parameter or bound variable, `none`/`nowhere`/`turn`/
`player`, a value of the enum that is expected here, an object, a fact or derived value
without parameters, any other enum value.
"""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.names import WRONG, Names, Settler
from worldengine.compiler.types import BOOL, NONE_TYPE, TEXT, Type, integer, reference
from worldengine.machine.schema import NONE
from worldengine.source import Span
from worldengine.syntax import ast


class References(Settler):
    """Adds values and references to the settler."""

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
        own = [d.name for d in self.tables.derives.values() if not d.library]
        known += [*self.tables.facts, *own]
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
            if name == "in" and all(self.tables.objects[item].role == "place" for item in bases):
                self.report.error(
                    "place-in",
                    span,
                    "a place is not inside anything, and cannot be moved",
                    "to ask where the player is: player.in == hall",
                )
                return WRONG
            known = {n for item in bases for n in self.tables.objects[item].attributes}
            known |= {"in"} if any("in" in self.tables.objects[i].values for i in bases) else set()
            self.report.unknown(
                "attribute-unknown",
                span,
                f"attribute of {self._base_words(base)}",
                name,
                sorted(known),
                f"to declare it, give it a type in {self._base_words(base)}: `{name} : 0..3 = 0`",
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
