"""The symbol tables of one world: what every name may mean.

Filled by `collect`, read by everything after it. Symbols (enum values) and strings are
interned: one number for one spelling, wherever it appears.
"""

from __future__ import annotations

from worldengine.compiler.reporter import Reporter
from worldengine.compiler.types import (
    BOOL,
    ERROR,
    INT_LIMIT,
    TEXT,
    DeriveInfo,
    FactInfo,
    KindInfo,
    ObjectInfo,
    Type,
    integer,
    reference,
)
from worldengine.machine.schema import NONE
from worldengine.source import Span
from worldengine.syntax import ast

LOCATION = reference("", optional=True)
"""The type of `in`: any object, or nowhere."""
PLAYER_LOCATION = reference("place", optional=False)
"""The player is always in a place."""

RESERVED = frozenset({"none", "nowhere", "turn", "player", "true", "false"})
"""Names with a meaning of their own."""
LOCATED_ROLES = ("thing", "person", "door", "exit", "player", "concept")


class Tables:
    """Name spaces of one world under compilation. Only `collect` writes to them."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.kinds: dict[str, KindInfo] = {}
        self.enums: dict[str, Type] = {}
        self.objects: list[ObjectInfo] = []
        self.by_id: dict[str, int] = {}
        self.families: dict[str, tuple[int, ...]] = {}
        self.facts: dict[str, FactInfo] = {}
        self.derives: dict[str, DeriveInfo] = {}
        self.symbols: dict[str, int] = {}
        self.displays: list[str] = []
        self.strings: dict[str, int] = {"": 0}
        self.player = NONE
        self.uses_turn = False
        self.turns = 0
        self.worn_mentioned: set[int] = set()
        self._of_kind: dict[str, tuple[int, ...]] = {}
        self._attribute_owners: dict[str, dict[int, Type]] | None = None

    # -- interning ---------------------------------------------------------------------

    def string(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def symbol(self, value: ast.EnumValue) -> int:
        name = value.name.text
        if name not in self.symbols:
            self.symbols[name] = len(self.displays)
            self.displays.append(value.display or name.replace("_", " "))
        elif value.display is not None:
            known = self.displays[self.symbols[name]]
            if known == name.replace("_", " "):
                self.displays[self.symbols[name]] = value.display
            elif known != value.display:
                self.reporter.warning(
                    "enum-two-displays",
                    value.span,
                    f'the value `{name}` is shown as "{known}" elsewhere',
                    "a value is one symbol wherever it stands: give both the same words, "
                    "or use another name",
                )
        return self.symbols[name]

    # -- lookups -----------------------------------------------------------------------

    def is_kind(self, kind: str, ancestor: str) -> bool:
        if ancestor in ("", kind):
            return True
        info = self.kinds.get(kind)
        return info is not None and ancestor in info.ancestors

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Objects of a kind and its sub-kinds in the order of declaration; the player is
        none of them, and exits are only of kind `exit`."""
        if kind not in self._of_kind:
            self._of_kind[kind] = tuple(
                item.index
                for item in self.objects
                if item.role != "player" and self.is_kind(item.kind, kind)
            )
        return self._of_kind[kind]

    def owners(self, attribute: str) -> dict[int, Type]:
        """Which objects have an attribute, and with which type."""
        if self._attribute_owners is None:
            owners: dict[str, dict[int, Type]] = {}
            for item in self.objects:
                for name, declared in item.attributes.items():
                    owners.setdefault(name, {})[item.index] = declared.type
                if item.role in LOCATED_ROLES:
                    where = PLAYER_LOCATION if item.role == "player" else LOCATION
                    owners.setdefault("in", {})[item.index] = where
            self._attribute_owners = owners
        return self._attribute_owners.get(attribute, {})

    def declared(self, kind: str, attribute: str) -> Type | None:
        """The type of an attribute that no object has yet, from the kinds under `kind`."""
        if attribute == "in":
            return LOCATION
        for info in self.kinds.values():
            if kind in ("", *info.ancestors) and attribute in info.attributes:
                return info.attributes[attribute].type
        return None

    # -- types ------------------------------------------------------------------------

    def type_of(self, node: ast.Type | None) -> Type:
        """The type a type expression names; reports what it cannot be."""
        if node is None or isinstance(node, ast.BoolType):
            return BOOL
        if isinstance(node, ast.TextType):
            return TEXT
        if isinstance(node, ast.RangeType):
            return self._range(node)
        if isinstance(node, ast.EnumType):
            return self._enum(node.values, node.span)
        return self._named(node)

    def _range(self, node: ast.RangeType) -> Type:
        if node.low > node.high:
            self.reporter.error(
                "range-backwards",
                node.span,
                f"the range {node.low}..{node.high} holds no number",
                f"write it from the smaller to the larger: {node.high}..{node.low}",
            )
            return ERROR
        if max(-node.low, node.high) > INT_LIMIT:
            self.reporter.error(
                "range-too-large",
                node.span,
                f"numbers may lie between -{INT_LIMIT} and {INT_LIMIT}",
                "count in larger units",
            )
            return ERROR
        return integer(node.low, node.high)

    def _enum(self, values: tuple[ast.EnumValue, ...], span: Span) -> Type:
        seen: set[str] = set()
        for value in values:
            if value.name.text in seen:
                self.reporter.error(
                    "enum-value-twice", value.span, f"the value `{value.name.text}` is listed twice"
                )
            seen.add(value.name.text)
        symbols = tuple(dict.fromkeys(self.symbol(value) for value in values))
        return Type("enum", symbols=symbols)

    def _named(self, node: ast.NamedType) -> Type:
        name = node.name.text
        if name in self.enums:
            return self.enums[name]
        if name in self.kinds:
            return reference(name, node.optional)
        if name in ("int", "integer", "number", "string", "str", "boolean", "enum"):
            wanted = {"int": "a range, as in 0..10", "integer": "a range, as in 0..10"}
            wanted |= {"number": "a range, as in 0..10", "boolean": "`bool`"}
            wanted |= {"string": "`text`", "str": "`text`", "enum": "the values: a | b | c"}
            self.reporter.error(
                "type-unknown",
                node.span,
                f"there is no type called `{name}`",
                f"write {wanted[name]}",
            )
            return ERROR
        known = [*self.kinds, *self.enums, "bool", "text"]
        self.reporter.unknown("type-unknown", node.name.span, "kind or type", name, known)
        return ERROR


def describe_type(tables: Tables, item: Type) -> str:
    """A type in the author's words."""
    if item.kind == "int":
        if item.low == item.high:
            return f"the number {item.low}"
        return f"a number {item.low}..{item.high}"
    if item.kind == "enum":
        names = {number: name for name, number in tables.symbols.items()}
        if len(item.symbols) == 1:
            return f"the value `{names[item.symbols[0]]}`"
        return "one of " + ", ".join(names[symbol] for symbol in item.symbols[:8])
    if item.kind == "ref":
        what = f"a {item.of}" if item.of else "an object"
        return what + (" or none" if item.optional else "")
    words = {"bool": "true or false", "text": "a text", "none": "none", "error": "unknown"}
    return words[item.kind]
