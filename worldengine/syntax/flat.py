"""What stands in a block, and what the whole looks like on one line.

In: nodes of the tree. Out: the members of a block in order, or one line of characters; None
for what never stands on one. Comments and width are the printer's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from worldengine.syntax import ast
from worldengine.syntax.leaves import Leaf, case_head, field_ends, head, leaf
from worldengine.syntax.spelling import SOFT, expr

MAX_FLAT: Final = 100
BLOCKS: Final = (
    ast.Kind,
    ast.Object,
    ast.Player,
    ast.Start,
    ast.Action,
    ast.Hook,
    ast.Rule,
    ast.Each,
    ast.Match,
)
_BRACES_OPTIONAL: Final = (ast.Kind, ast.Object, ast.Player)


@dataclass(frozen=True, slots=True)
class When(ast.Node):
    """The condition of a rule, as a member of its block."""

    condition: ast.Expr


def members_of(node: ast.Node) -> tuple[ast.Node, ...]:
    match node:
        case ast.Kind() | ast.Object() | ast.Player():
            return node.fields
        case ast.Action() | ast.Hook():
            return node.parts
        case ast.Rule():
            condition = () if node.when is None else (When(node.when, span=node.when.span),)
            return (*condition, *node.body)
        case ast.Start() | ast.Each() | ast.Case():
            return node.body
        case ast.Match():
            return node.cases
        case _:
            return ()


def flat(node: ast.Node) -> str | None:
    """The node on one line, or None where it never stands on one."""
    match node:
        case When():
            return "when " + _unbroken(expr(node.condition))
        case ast.If():
            return _flat_if(node)
        case ast.Match():
            return None
        case ast.Case():
            return _flat_block(case_head(node), node.body)
        case ast.Header():
            return None
        case _ if isinstance(node, BLOCKS):
            optional = isinstance(node, _BRACES_OPTIONAL)
            return _flat_block(head(node), members_of(node), optional)
        case _:
            return _unbroken(leaf(cast(Leaf, node)))


def _flat_block(start: str, members: Sequence[ast.Node], optional: bool = False) -> str | None:
    if not members:
        return _unbroken(start) if optional else _unbroken(start) + " { }"
    inside: list[str] = []
    for index, member in enumerate(members):
        written = flat(member)
        if written is None or sum(map(len, inside)) > MAX_FLAT:
            return None
        if isinstance(member, ast.Attribute | ast.Describe | ast.Exit) and index + 1 < len(members):
            written += field_ends(member, cast(ast.Field, members[index + 1]))
        inside.append(written)
    return _unbroken(start) + " { " + "  ".join(inside) + " }"


def _flat_if(node: ast.If) -> str | None:
    written: list[str] = []
    for branch in node.branches:
        block = _flat_block("if " + expr(branch.condition), branch.body)
        if block is None:
            return None
        written.append(block)
    if node.otherwise is not None:
        block = _flat_block("", node.otherwise)
        if block is None:
            return None
        written.append(block.strip())
    return " else ".join(written)


def _unbroken(written: str) -> str:
    return written.replace(SOFT, " ")
