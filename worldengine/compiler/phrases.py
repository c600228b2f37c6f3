"""Words the compiler supplies where an author gave none: default classes and refusals."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.tables import Tables
from worldengine.syntax import ast

PLACE_WORDS = frozenset({"held", "here", "visible", "reachable", "adjacent", "inside"})


def is_about_place(tables: Tables, node: object, seen: frozenset[str] = frozenset()) -> bool:
    """Whether any part of a condition is about location or holding, also in what it derives."""
    if isinstance(node, ast.Attr):
        return node.name.text == "in" or is_about_place(tables, node.base, seen)
    if isinstance(node, ast.Call | ast.Ref):
        name = node.name if isinstance(node, ast.Ref) else node.name.text
        if isinstance(node, ast.Call):
            if name in PLACE_WORDS:
                return True
            if any(is_about_place(tables, item, seen) for item in node.arguments):
                return True
        derive = tables.derives.get(name)
        if derive is None or name in seen:
            return False
        return is_about_place(tables, derive.node.body, seen | {name})
    if isinstance(node, ast.Node):
        children = (getattr(node, field) for field in node.__dataclass_fields__ if field != "span")
        return any(_any_part(tables, child, seen) for child in children)
    return False


def _any_part(tables: Tables, child: object, seen: frozenset[str]) -> bool:
    if isinstance(child, tuple):
        return any(_any_part(tables, item, seen) for item in child)
    return isinstance(child, ast.Node) and is_about_place(tables, child, seen)


def default_refusal(condition: r.Expr) -> r.TextTree:
    """A sentence made from the condition, where its shape allows; else a plain one."""
    if isinstance(condition, r.AllOf) and condition.items:
        return default_refusal(condition.items[0])
    if isinstance(condition, r.Builtin) and len(condition.arguments) == 1:
        item = r.InsertOf("the", condition.arguments[0])
        if condition.name == "held":
            return ("You are not holding ", item, ".")
        if condition.name == "adjacent":
            return ("You cannot get to ", item, " from here.")
        capital = r.InsertOf("The", condition.arguments[0])
        agrees = r.InsertOf("is", condition.arguments[0])
        return (capital, " ", agrees, " not within reach.")
    negated = isinstance(condition, r.NotOf)
    inner = condition.item if isinstance(condition, r.NotOf) else condition
    if isinstance(inner, r.AttrOf) and inner.type.kind == "bool" and inner.base.type.kind == "ref":
        words = inner.name.replace("_", " ")
        capital = r.InsertOf("The", inner.base)
        agrees = r.InsertOf("is", inner.base)
        return (capital, " ", agrees, f" {words}." if negated else f" not {words}.")
    return ("You cannot do that now.",)
