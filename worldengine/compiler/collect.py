"""First pass: gather what is declared — kinds, enums, objects, facts, derives.

In: the syntax tree of the script and those of the library files it uses. Out: `Tables`.
Refused here: names declared twice, unknown kinds, kinds in a circle, attributes that
contradict what is inherited.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.compiler.attributes import declare_attributes, merged_describes
from worldengine.compiler.constants import constant, zero
from worldengine.compiler.objects import collect_objects
from worldengine.compiler.tables import RESERVED, Tables
from worldengine.compiler.types import (
    AttributeType,
    DeriveInfo,
    FactInfo,
    KindInfo,
    Type,
)
from worldengine.compiler.unknown import unknown_kind
from worldengine.diagnostics import Label
from worldengine.syntax import ast

MAX_KIND_DEPTH = 50


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
