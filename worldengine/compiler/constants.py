"""Constant values: what may stand after `=` in a declaration, a `vary` or a default."""

from __future__ import annotations

from collections.abc import Callable

from worldengine.compiler.tables import Tables, describe_type
from worldengine.compiler.types import Type
from worldengine.machine.schema import NONE
from worldengine.source import Span
from worldengine.syntax import ast


def zero(declared: Type) -> int:
    """What an attribute without a default starts at."""
    if declared.kind == "int":
        return min(max(0, declared.low), declared.high)
    if declared.kind == "enum":
        return declared.symbols[0] if declared.symbols else 0
    return NONE if declared.kind == "ref" else 0


def constant(tables: Tables, node: ast.Expr, wanted: Type, what: str) -> int:
    """The value of a constant expression of type `wanted`; reports what does not fit."""
    readers: dict[str, Callable[[Tables, ast.Expr, Type], int | None]] = {
        "bool": _bool, "int": _int, "enum": _enum, "ref": _ref, "text": _text,
    }  # fmt: skip
    if wanted.kind not in readers:
        return 0
    value = readers[wanted.kind](tables, node, wanted)
    if value is not None:
        return value
    _report_constant(tables, node, wanted, what, describe_type(tables, wanted))
    return zero(wanted)


def _report_constant(tables: Tables, node: ast.Expr, wanted: Type, what: str, words: str) -> None:
    span: Span = node.span
    if isinstance(node, ast.Number) and wanted.kind == "int":
        tables.reporter.error(
            "value-out-of-range", span, f"{what} is {words}; {node.value} lies outside"
        )
    elif isinstance(node, ast.Ref) and wanted.kind == "enum":
        known = [name for name, number in tables.symbols.items() if number in wanted.symbols]
        tables.reporter.unknown("value-unknown", span, f"value of {what}", node.name, known)
    elif isinstance(node, ast.Ref) and wanted.kind == "ref" and node.name not in tables.by_id:
        known = [item.id for item in tables.objects if tables.is_kind(item.kind, wanted.of)]
        tables.reporter.unknown("object-unknown", span, "object", node.name, known)
    elif not isinstance(node, ast.Number | ast.Boolean | ast.String | ast.Ref):
        tables.reporter.error(
            "value-not-constant", span, f"{what} needs a plain value here, {words}"
        )
    else:
        hint = "write it in quotes" if wanted.kind == "text" else None
        if wanted.kind == "int" and isinstance(node, ast.String):
            hint = "numbers are written without quotes"
        if wanted.kind == "ref" and wanted.of == "place":
            hint = "name one of the places"
        if wanted.kind == "bool":
            hint = "write true or false"
        tables.reporter.error("value-type", span, f"{what} is {words}", hint)


def _bool(tables: Tables, node: ast.Expr, wanted: Type) -> int | None:
    return int(node.value) if isinstance(node, ast.Boolean) else None


def _int(tables: Tables, node: ast.Expr, wanted: Type) -> int | None:
    if isinstance(node, ast.Number) and wanted.low <= node.value <= wanted.high:
        return node.value
    return None


def _enum(tables: Tables, node: ast.Expr, wanted: Type) -> int | None:
    name = node.name if isinstance(node, ast.Ref) else None
    if isinstance(node, ast.Boolean):
        name = "true" if node.value else "false"
    number = tables.symbols.get(name) if name else None
    return number if number in wanted.symbols else None


def _ref(tables: Tables, node: ast.Expr, wanted: Type) -> int | None:
    if not isinstance(node, ast.Ref):
        return None
    if node.name in ("none", "nowhere"):
        return NONE if wanted.optional else None
    index = tables.by_id.get(node.name)
    if index is None or not tables.is_kind(tables.objects[index].kind, wanted.of):
        return None
    return index


def _text(tables: Tables, node: ast.Expr, wanted: Type) -> int | None:
    return tables.string(node.value) if isinstance(node, ast.String) else None
