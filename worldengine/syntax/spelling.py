"""Small nodes → their canonical characters: expressions, types, strings, parameters.

In: nodes of `ast`. Out: one line, with `SOFT` where the printer may break it. Brackets are
written only where the grammar needs them, so that reading the result gives the same node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from worldengine.syntax import ast
from worldengine.syntax.text import CONTROL, LIST, STYLED

SOFT: Final = "\x00"
"""A blank that may become a line break. No script holds this character."""

_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _FACTOR, _POSTFIX, _ATOM = range(1, 10)


def commas(texts: Iterable[str]) -> str:
    return f",{SOFT}".join(texts)


def quote(value: str) -> str:
    """A plain string. Braces need no escape here: no insertion is looked for."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def pattern(raw: str) -> str:
    """A form or regex: backslashes are its own; a bare quote gets one."""
    return '"' + re.sub(r'\\.|"', lambda m: '\\"' if m[0] == '"' else m[0], raw) + '"'


# --- texts --------------------------------------------------------------------------


def text(value: ast.Text) -> str:
    return f'"{_parts(value.parts)}"'


def _parts(parts: Iterable[ast.Part]) -> str:
    return "".join(_part(part) for part in parts)


def _part(part: ast.Part) -> str:
    match part:
        case ast.Literal():
            escaped = quote(part.value)[1:-1]
            return escaped.replace("{", "\\{").replace("}", "\\}")
        case ast.Insert():
            return "{" + _inside(_insert(part)) + "}"
        case ast.TextIf():
            return _text_if(part) + "{end}"
        case ast.TextList():
            style = part.style + " " if part.style else ""
            bound = _bound(part.variable, part.kind, part.where)
            return "{" + _inside(f"list {style}{bound}") + "}"


def _text_if(part: ast.TextIf) -> str:
    written = "{if " + _inside(expr(part.condition)) + "}" + _parts(part.then)
    rest = part.otherwise
    if len(rest) == 1 and isinstance(rest[0], ast.TextIf):
        return written + "{else " + _text_if(rest[0])[1:]
    return written + ("{else}" + _parts(rest) if rest else "")


def _insert(part: ast.Insert) -> str:
    value = expr(part.value).replace(SOFT, " ")
    if part.style:
        styled = f"{part.style} {value}"
        return styled if STYLED.match(styled) else f"{part.style} ({value})"
    special = CONTROL.match(value) or LIST.match(value) or STYLED.match(value)
    return f"({value})" if special else value


def _inside(written: str) -> str:
    """An expression within a string: its own quotes and backslashes are escaped once more."""
    return written.replace(SOFT, " ").replace("\\", "\\\\").replace('"', '\\"')


# --- expressions --------------------------------------------------------------------


def expr(value: ast.Expr, least: int = _OR) -> str:
    """`value` where the grammar wants at least the strength `least`."""
    written, strength = _expr(value)
    return written if strength >= least else f"({written})"


def _expr(value: ast.Expr) -> tuple[str, int]:
    match value:
        case ast.Number():
            return str(value.value), _ATOM if value.value >= 0 else _FACTOR
        case ast.Boolean():
            return "true" if value.value else "false", _ATOM
        case ast.String():
            return quote(value.value), _ATOM
        case ast.Ref():
            return value.name, _ATOM
        case ast.Attr():
            return f"{expr(value.base, _POSTFIX)}.{value.name.text}", _POSTFIX
        case ast.Call():
            return f"{value.name.text}({commas(map(expr, value.arguments))})", _ATOM
        case ast.Quantifier():
            return f"{value.which}({_bound(value.variable, value.kind, value.where)})", _ATOM
        case ast.Fold():
            bound = _bound(value.variable, value.kind, value.where)
            return f"{value.which}({bound}{SOFT}of {expr(value.value)})", _ATOM
        case _:
            return _operation(value)


def _operation(
    value: ast.Not | ast.And | ast.Or | ast.Compare | ast.Member | ast.IsKind | ast.Arithmetic,
) -> tuple[str, int]:
    match value:
        case ast.Or():
            return f"{SOFT}or ".join(expr(item, _AND) for item in value.items), _OR
        case ast.And():
            return f"{SOFT}and ".join(expr(item, _NOT) for item in value.items), _AND
        case ast.Not():
            return f"not {expr(value.item, _NOT)}", _NOT
        case ast.Compare():
            return f"{expr(value.left, _SUM)} {value.op} {expr(value.right, _SUM)}", _COMPARE
        case ast.Member():
            word = "not in" if value.negated else "in"
            options = commas(map(expr, value.options))
            return f"{expr(value.item, _SUM)} {word} {{{options}}}", _COMPARE
        case ast.IsKind():
            return f"{expr(value.item, _SUM)} is {value.kind.text}", _COMPARE
        case ast.Arithmetic():
            level = _SUM if value.op in "+-" else _PRODUCT
            left, right = expr(value.left, level), expr(value.right, level + 1)
            return f"{left}{SOFT}{value.op} {right}", level


def _bound(variable: ast.Name, kind: ast.Name, where: ast.Expr | None) -> str:
    condition = "" if where is None else f"{SOFT}where {expr(where)}"
    return f"{variable.text}: {kind.text}{condition}"


def bound(variable: ast.Name, kind: ast.Name, where: ast.Expr | None) -> str:
    """`j: jar where j.open`."""
    return _bound(variable, kind, where)


# --- types and parameters -----------------------------------------------------------


def type_of(value: ast.Type) -> str:
    match value:
        case ast.BoolType():
            return "bool"
        case ast.TextType():
            return "text"
        case ast.RangeType():
            return f"{value.low}..{value.high}"
        case ast.NamedType():
            return value.name.text + ("?" if value.optional else "")
        case ast.EnumType():
            return enum_values(value.values)


def enum_values(values: Iterable[ast.EnumValue]) -> str:
    return f"{SOFT}| ".join(
        value.name.text + ("" if value.display is None else " " + quote(value.display))
        for value in values
    )


def parameters(values: tuple[ast.Parameter, ...]) -> str:
    """Nothing where there is none: empty brackets are optional."""
    if not values:
        return ""
    written = (
        f"{value.name.text}: {type_of(value.type)}" + (f" {value.scope}" if value.scope else "")
        for value in values
    )
    return f"({commas(written)})"


def constant(value: ast.Expr) -> str:
    """The first value of an attribute: more than a constant stands in brackets."""
    simple = isinstance(value, ast.Number | ast.Boolean | ast.String | ast.Ref)
    return expr(value) if simple else f"({expr(value)})"
