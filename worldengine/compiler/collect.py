"""First pass: gather what is declared — kinds, enums, objects, facts, derives.

In: the syntax tree of the script and those of the library files it uses. Out: `Tables`.
Refused here: names declared twice, unknown kinds, kinds in a circle, attributes that
contradict what is inherited.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.compiler.constants import constant, zero
from worldengine.compiler.objects import collect_objects
from worldengine.compiler.tables import Tables
from worldengine.compiler.types import (
    ERROR,
    AttributeType,
    DeriveInfo,
    FactInfo,
    KindInfo,
    Type,
)
from worldengine.compiler.unknown import unknown_kind
from worldengine.diagnostics import Label
from worldengine.syntax import ast

FIXED_ATTRIBUTES = frozenset({"open", "transparent", "light", "dark", "to", "door"})
"""Built-in attributes that scopes depend on; any other may be declared anew as another sort,
and the library's verbs then leave those objects alone."""
MAX_KIND_DEPTH = 50
RESERVED = frozenset({"none", "nowhere", "turn", "player", "true", "false"})


def collect(tables: Tables, own: ast.Document, library: Iterable[ast.Document]) -> None:
    """Fill `tables` from the library's items, then the script's."""
    groups = [(document, True) for document in library] + [(own, False)]
    _collect_kinds(tables, groups)
    _collect_enums(tables, groups)
    for info in list(tables.kinds.values()):
        _inherit(tables, info, ())
    collect_objects(tables, own)
    _collect_facts(tables, own)
    _collect_derives(tables, groups)


def _collect_kinds(tables: Tables, groups: list[tuple[ast.Document, bool]]) -> None:
    for document, library in groups:
        for item in document.items:
            if not isinstance(item, ast.Kind):
                continue
            name = item.name.text
            known = tables.kinds.get(name)
            if known is not None and (not known.library or name != "topic"):
                hint = "built-in kinds stay as they are: give yours another name"
                tables.reporter.error(
                    "kind-twice",
                    item.name.span,
                    f"the kind `{name}` is declared already",
                    hint if known.library else None,
                    [] if known.library else [Label(known.span, "here")],
                )
                continue
            if name in RESERVED:
                _reserved(tables, item.name)
                continue
            parents = tuple(parent.text for parent in item.parents)
            tables.kinds[name] = KindInfo(name, item.name.span, parents, item, library)


def _reserved(tables: Tables, name: ast.Name) -> None:
    tables.reporter.error(
        "name-reserved",
        name.span,
        f"`{name.text}` has a meaning of its own in the language",
        f"choose another name, for instance `{name.text}_one`",
    )


def _collect_enums(tables: Tables, groups: list[tuple[ast.Document, bool]]) -> None:
    for document, _ in groups:
        for item in document.items:
            if not isinstance(item, ast.Enum):
                continue
            name = item.name.text
            if name in tables.enums or name in tables.kinds:
                tables.reporter.error(
                    "type-twice", item.name.span, f"`{name}` is declared already as a type"
                )
                continue
            inner = tables.type_of(ast.EnumType(item.values, span=item.span))
            tables.enums[name] = Type("enum", symbols=inner.symbols, name=name)


def _inherit(tables: Tables, info: KindInfo, path: tuple[str, ...]) -> None:
    """Fill in ancestors, attributes and description, parents first."""
    if info.ancestors:
        return
    if len(path) >= MAX_KIND_DEPTH:
        tables.reporter.error(
            "kind-depth",
            info.span,
            f"kinds descend from one another more than {MAX_KIND_DEPTH} deep here",
            "a kind of a kind of a kind is usually enough",
        )
        info.ancestors = (info.name,)
        info.parents = ()
        return
    if info.name in path:
        tables.reporter.error(
            "kind-circle",
            info.span,
            "these kinds are in a circle: "
            + " is ".join([*path[path.index(info.name) :], info.name]),
            "a kind cannot descend from itself: remove one `is`",
        )
        info.ancestors = (info.name,)
        info.parents = ()
        return
    ancestors: list[str] = [info.name]
    attributes: dict[str, AttributeType] = {}
    describes: tuple[ast.Describe, ...] = ()
    for number, parent in enumerate(info.parents):
        other = tables.kinds.get(parent)
        if other is None:
            span = info.node.parents[number].span if info.node else info.span
            unknown_kind(tables, span, parent)
            continue
        _inherit(tables, other, (*path, info.name))
        ancestors += [name for name in other.ancestors if name not in ancestors]
        for name, attribute in other.attributes.items():
            attributes.setdefault(name, attribute)
        describes = describes or other.describes
    info.ancestors = tuple(ancestors)
    info.attributes = attributes
    fields = info.node.fields if info.node else ()
    own = tuple(item for item in fields if isinstance(item, ast.Describe))
    info.describes = merged_describes(own, describes)
    declare_attributes(tables, attributes, fields, f"kind `{info.name}`")


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


def _declare_one(
    tables: Tables, attributes: dict[str, AttributeType], item: ast.Attribute, owner: str
) -> None:
    name = item.name.text
    inherited = attributes.get(name)
    if item.type is None:
        if inherited is None:
            known = [*attributes, "in"]
            tables.reporter.unknown(
                "attribute-unknown", item.name.span, f"attribute of {owner}", name, known
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


def _collect_facts(tables: Tables, own: ast.Document) -> None:
    for item in own.items:
        if not isinstance(item, ast.Fact):
            continue
        name = item.name.text
        if name in RESERVED:
            _reserved(tables, item.name)
            continue
        if name in tables.facts:
            tables.reporter.error(
                "fact-twice",
                item.name.span,
                f"there is already a fact called `{name}`",
                labels=[Label(tables.facts[name].span, "the first one")],
            )
            continue
        parameters = tuple(tables.type_of(parameter.type) for parameter in item.parameters)
        for number, declared in enumerate(parameters):
            if declared.kind not in ("ref", "enum", "int", "error"):
                tables.reporter.error(
                    "fact-parameter",
                    item.parameters[number].span,
                    "a fact is about objects, values of an enum or small numbers",
                )
        declared = tables.type_of(item.type)
        default = zero(declared)
        if item.value is not None:
            default = constant(tables, item.value, declared, f"`{name}`")
        tables.facts[name] = FactInfo(name, parameters, declared, default, item.name.span)


def _collect_derives(tables: Tables, groups: list[tuple[ast.Document, bool]]) -> None:
    for document, library in groups:
        for item in document.items:
            if not isinstance(item, ast.Derive):
                continue
            name = item.name.text
            known = tables.derives.get(name)
            own_before = known is not None and known.node.span.source.name == item.span.source.name
            if name in RESERVED:
                _reserved(tables, item.name)
                continue
            if own_before or (name in tables.facts and not library):
                first = known.node.name.span if own_before and known else tables.facts[name].span
                tables.reporter.error(
                    "derive-twice",
                    item.name.span,
                    f"there is already a fact or derived value called `{name}`",
                    labels=[Label(first, "the first one")],
                )
                continue
            parameters = tuple(
                (parameter.name.text, tables.type_of(parameter.type))
                for parameter in item.parameters
            )
            result = tables.type_of(item.type)
            if known is not None:
                tables.derives[f"library.{name}"] = known
            tables.derives[name] = DeriveInfo(name, parameters, result, item)
