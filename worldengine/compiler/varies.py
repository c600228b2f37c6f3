"""Start variants: what each `vary` line changes, and to which values."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.constants import constant
from worldengine.compiler.names import Names
from worldengine.compiler.statements import Statements
from worldengine.compiler.types import BOOL
from worldengine.diagnostics import Label
from worldengine.machine.schema import NONE
from worldengine.source import Span
from worldengine.syntax import ast

MAX_VARIANTS = 4096
Target = r.AttrOf | r.FactOf


def resolve_varies(words: Statements, own: ast.Document) -> tuple[r.VaryInfo, ...]:
    found: list[r.VaryInfo] = []
    count = 1
    varied: dict[Target, Span] = {}
    for item in own.items:
        if not isinstance(item, ast.Vary):
            continue
        targets = [_target(words, node) for node in item.targets]
        _check_once(words, item, targets, varied)
        rows = [_row(words, item, row, targets) for row in item.rows if _fits(words, item, row)]
        kept = tuple(target for target in targets if target is not None)
        if len(kept) < len(targets) or not rows:
            continue
        found.append(r.VaryInfo(kept, tuple(rows), item.span))
        count *= len(rows)
        if count > MAX_VARIANTS:
            words.report.error(
                "vary-too-many",
                item.span,
                f"together the `vary` lines give {count} starts; {MAX_VARIANTS} is the most",
                "write several targets in one `vary (…) among (…), …`, which only lists rows",
            )
            return tuple(found[:-1])
    return tuple(found)


def _check_once(
    words: Statements, item: ast.Vary, targets: list[Target | None], varied: dict[Target, Span]
) -> None:
    """Nothing varies in two lines: the later would silently win."""
    for target, node in zip(targets, item.targets, strict=True):
        if target is None:
            continue
        if target in varied:
            words.report.error(
                "vary-twice",
                node.span,
                f"`{node.span.text}` varies already",
                "list all its values in one `vary`",
                [Label(varied[target], "here")],
            )
        varied.setdefault(target, node.span)


def _fits(words: Statements, item: ast.Vary, row: tuple[ast.Expr, ...]) -> bool:
    """Whether a row has as many values as there are targets."""
    wanted, given = len(item.targets), len(row)
    if wanted == given:
        return True
    words.report.error(
        "vary-arity",
        row[0].span if row else item.span,
        f"this row has {given} value{'s' * (given != 1)} for {wanted} target{'s' * (wanted != 1)}",
        "write as many values as there are targets",
    )
    return False


def _row(
    words: Statements, item: ast.Vary, row: tuple[ast.Expr, ...], targets: list[Target | None]
) -> tuple[r.Const, ...]:
    found = []
    for node, target, source in zip(row, targets, item.targets, strict=True):
        if target is None:
            found.append(r.Const(0, BOOL))
            continue
        value = constant(words.tables, node, target.type, f"`{source.span.text}`")
        if isinstance(target, r.AttrOf) and target.name == "in":
            _check_place(words, target, node, value)
        found.append(r.Const(value, target.type))
    return tuple(found)


def _check_place(words: Statements, target: r.AttrOf, node: ast.Expr, value: int) -> None:
    """A thing starts in a place or a thing, never in itself."""
    objects = words.tables.objects
    index = target.base.value if isinstance(target.base, r.Const) else NONE
    if value != NONE and (value == index or objects[value].role in ("exit", "concept")):
        words.report.error(
            "vary-place", node.span, f"`{objects[index].id}` cannot be in `{objects[value].id}`"
        )


def _target(words: Statements, node: ast.Expr) -> Target | None:
    found = words.value(node, Names(where="start"), None)
    if found.type.kind == "error":
        return None
    plain = (isinstance(found, r.AttrOf) and isinstance(found.base, r.Const)) or (
        isinstance(found, r.FactOf) and all(isinstance(item, r.Const) for item in found.arguments)
    )
    if not plain or not isinstance(found, r.AttrOf | r.FactOf):
        words.report.error(
            "vary-target",
            node.span,
            "only an attribute of a named object or a fact can vary",
            "write it as in `vary key.in among drawer, shelf`",
        )
        return None
    return found
