"""Attributes and descriptions of a kind or an object: declared, inherited, overridden.

Part of `collect`. In: fields. Out: changes to a table of attributes. Refused: attributes
nobody declared, given twice, or contradicting what is inherited.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.compiler.tables import Tables, describe_type
from worldengine.compiler.types import ERROR, AttributeType
from worldengine.syntax import ast

FIXED_ATTRIBUTES = frozenset({"open", "transparent", "light", "dark", "to", "door"})
"""Built-in attributes that scopes depend on; any other may be declared anew as another sort,
and the library's verbs then leave those objects alone."""


def merged_describes(
    own: tuple[ast.Describe, ...], inherited: tuple[ast.Describe, ...]
) -> tuple[ast.Describe, ...]:
    """Own lines, and the inherited ones of a sort (`describe`, `read`) that has no own."""
    sorts = {line.what for line in own}
    rest = tuple(line for line in inherited if line.what not in sorts)
    return own + rest if rest and own else own or inherited


def declare_attributes(
    tables: Tables,
    attributes: dict[str, AttributeType],
    fields: Iterable[ast.Field],
    owner: str,
) -> None:
    """Add or override attributes by the fields of a kind or an object."""
    given: dict[str, ast.Attribute] = {}
    for item in _typed_first(fields):
        if isinstance(item, ast.Exit) and owner.startswith("kind"):
            tables.reporter.error(
                "exit-in-kind", item.span, "exits belong to a place, not to a kind"
            )
        if not isinstance(item, ast.Attribute):
            continue
        name = item.name.text
        if name in given and not _says_the_same(given[name], item):
            tables.reporter.error(
                "attribute-twice", item.span, f"`{name}` is given twice in {owner}"
            )
        given.setdefault(name, item)
        if name in ("in", "describe"):
            continue
        _declare_one(tables, attributes, item, owner)


def _typed_first(fields: Iterable[ast.Field]) -> list[ast.Field]:
    """Declarations before overrides: `wet = true  wet : bool` means what it says."""
    return sorted(fields, key=lambda item: isinstance(item, ast.Attribute) and item.type is None)


def _says_the_same(first: ast.Attribute, second: ast.Attribute) -> bool:
    """A declaration and a value for it, which do not contradict each other."""
    if (first.type is None) == (second.type is None):
        return False
    return first.value is None or second.value is None or first.value == second.value


def _type_for(item: ast.Attribute) -> str:
    """A type and a value that an author may have meant."""
    value = item.value
    if isinstance(value, ast.Boolean):
        return f"bool = {str(value.value).lower()}"
    if isinstance(value, ast.Number):
        return f"{min(0, value.value)}..{max(3, value.value)} = {value.value}"
    if isinstance(value, ast.String):
        return 'text = "…"'
    return "0..3 = 0"


def _declare_one(
    tables: Tables, attributes: dict[str, AttributeType], item: ast.Attribute, owner: str
) -> None:
    name = item.name.text
    inherited = attributes.get(name)
    if item.type is None:
        if inherited is None:
            known = [*attributes, "in"]
            tables.reporter.unknown(
                "attribute-unknown",
                item.name.span,
                f"attribute of {owner}",
                name,
                known,
                f"to declare it, give it a type: `{name} : {_type_for(item)}`",
            )
            return
        attributes[name] = AttributeType(name, inherited.type, item.value, item.span)
        return
    declared = tables.type_of(item.type)
    shadows = (
        inherited is not None
        and inherited.span.source.name.startswith("library/")
        and name not in FIXED_ATTRIBUTES
    )
    if (
        inherited is not None
        and not shadows
        and declared.kind not in (inherited.type.kind, "error")
    ):
        tables.reporter.error(
            "attribute-type-changed",
            item.span,
            f"{owner} inherits `{name}` as {describe_type(tables, inherited.type)}",
            f"override its value with `{name} = …`, or give your attribute another name",
        )
        declared = ERROR
    attributes[name] = AttributeType(name, declared, item.value, item.span)
