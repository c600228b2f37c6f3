"""`undone`: the old words again, from the new script and what was called how before.

In: a perturbed tree and its steps. Out: the tree before, but for two things that are not part
of what a script says: where `use` stood, and how a proof named things (a carried proof uses
every thing's first name). The steps are taken back from the last to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from worldengine.perturb.commands import behind, headed
from worldengine.perturb.inverse import affirmed
from worldengine.perturb.kinds import merged, translate
from worldengine.perturb.objects import FAMILY, renamed, singles
from worldengine.perturb.rewriting import Table, Words, in_forms, rewrite
from worldengine.syntax import ast


def undone(document: ast.Document, steps: Sequence[tuple[str, Table]]) -> ast.Document:
    """The script before the steps."""
    for label, table in reversed(steps):
        document = _UNDO[label](document, table)
    return document


def _inverse(table: Table) -> Table:
    return {new: old for old, new in table.items()}


def _names(document: ast.Document, table: Table) -> ast.Document:
    return renamed(document, _inverse(table))


def _numbers(document: ast.Document, table: Table) -> ast.Document:
    """Names first, then families: members that differ in nothing but their number are one."""
    document = renamed(document, _inverse(singles(table)))
    families = {
        name: (int(found[1]), found[2])
        for old, name in table.items()
        if (found := FAMILY.fullmatch(old))
    }
    items: list[ast.Item] = []
    for item in document.items:
        stem, _, number = (
            item.name.text.rpartition("_") if isinstance(item, ast.Object) else ("",) * 3
        )
        if not isinstance(item, ast.Object) or stem not in families or not number.isdigit():
            items.append(item)
        elif number == "1":
            count, display = families[stem]
            aka = tuple(name.removesuffix(" 1") for name in item.aka)
            name = replace(item.name, text=stem)
            items.append(
                replace(item, name=name, count=count, display=display, proper=False, aka=aka)
            )
    return replace(document, items=tuple(items))


def _style(document: ast.Document, table: Table) -> ast.Document:
    before, after = table["before"], table["after"]

    def bare(text: ast.Text) -> ast.Text:
        parts = list(text.parts)
        if parts and isinstance(parts[0], ast.Literal):
            parts[0] = replace(parts[0], value=parts[0].value.removeprefix(before))
        if parts and isinstance(parts[-1], ast.Literal):
            parts[-1] = replace(parts[-1], value=parts[-1].value.removesuffix(after))
        return replace(text, parts=merged(tuple(parts)))

    def visit(node: Any) -> Any:
        if isinstance(node, ast.Say | ast.Require) and node.text is not None:
            return replace(node, text=bare(node.text))
        return node

    return rewrite(document, visit)


def _library(document: ast.Document, table: Table) -> ast.Document:
    names = {name for verb, told in table.items() if verb != "use" for name in told.split(", ")}
    items = [
        item
        for item in document.items
        if not isinstance(item, ast.Use)
        and not (isinstance(item, ast.Action) and item.name.text in names)
    ]
    use = ast.Use(tuple(ast.Name(name) for name in table["use"].split(", ")))
    return replace(document, items=(use, *items))


def _distractors(document: ast.Document, table: Table) -> ast.Document:
    kept = (i for i in document.items if not (isinstance(i, ast.Object) and i.name.text in table))
    return replace(document, items=tuple(kept))


def _verbs(document: ast.Document, table: Table) -> ast.Document:
    return in_forms(document, headed(_inverse(table)))


def _joints(document: ast.Document, table: Table) -> ast.Document:
    return in_forms(document, behind(Words(_inverse(table))))


def _order(document: ast.Document, table: Table) -> ast.Document:
    before = _inverse(table)
    return in_forms(document, lambda pattern: before.get(pattern, pattern))


def _table(document: ast.Document, table: Table) -> ast.Document:
    """As far as the table goes both ways: two words for one cannot."""
    return translate(document, Words(_inverse(table)))


_UNDO: dict[str, Callable[[ast.Document, Table], ast.Document]] = {
    "rename": _names,
    "numbering": _numbers,
    "verbs": _verbs,
    "joints": _joints,
    "order": _order,
    "inverse": affirmed,
    "with-using": _joints,
    "go-move": _verbs,
    "no-space": _numbers,
    "observations": _style,
    "distractors": _distractors,
    "library": _library,
    "table": _table,
}
