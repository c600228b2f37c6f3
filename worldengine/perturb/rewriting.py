"""Rewriting a tree: every node through one function, from the leaves up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from random import Random
from typing import Any, TypeVar

from worldengine.syntax import ast

Table = dict[str, str]
Change = tuple[ast.Document, Table]
"""A new tree, and what was called how before: old → new; nothing changed if that is empty."""
Kind = Callable[[ast.Document, Random], Change]
N = TypeVar("N")
Visit = Callable[[Any], Any]


def rewrite(node: N, visit: Visit) -> N:
    """The same tree with `visit` applied to each node; spans stay, so comments keep their place."""
    if isinstance(node, tuple):
        return tuple(rewrite(item, visit) for item in node)  # type: ignore[return-value]
    if not isinstance(node, ast.Node):
        return node
    changed: dict[str, Any] = {}
    for part in fields(node):
        before = getattr(node, part.name)
        if part.name != "span" and isinstance(before, tuple | ast.Node):
            after = rewrite(before, visit)
            if after != before:
                changed[part.name] = after
    made = replace(node, **changed) if changed else node
    result: N = visit(made)
    return result


class Words:
    """Replaces whole words and phrases, all at once, longest first. A phrase is taken as it
    stands in the table or with its first letter raised, and keeps that; so it can be undone."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = dict(table)
        self._all = {**{raised(old): raised(new) for old, new in table.items()}, **table}
        names = sorted(self._all, key=lambda name: (-len(name), name))
        inner = "|".join(re.escape(name) for name in names)
        self._pattern = re.compile(rf"(?<!\w)(?:{inner})(?!\w)") if names else None

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._all[match[0]], text)

    def inverse(self) -> Words:
        return Words({new: old for old, new in self.table.items()})


def raised(text: str) -> str:
    return text[:1].upper() + text[1:]


def in_texts(document: ast.Document, change: Callable[[str], str]) -> ast.Document:
    """`change` applied to whatever is printed: texts, titles, names of milestones, contents."""

    def visit(node: Any) -> Any:
        if isinstance(node, ast.Literal):
            return replace(node, value=change(node.value))
        if isinstance(node, ast.String):
            return replace(node, value=change(node.value))
        if isinstance(node, ast.Milestone):
            return replace(node, display=change(node.display))
        if isinstance(node, ast.Header):
            return replace(node, title=change(node.title))
        return node

    return rewrite(document, visit)


SLOT = re.compile(r"\{[^{}]*\}")


def in_form(pattern: str, change: Callable[[str], str]) -> str:
    """`change` applied to the words of a form, never to its parameters."""
    pieces: list[str] = []
    last = 0
    for match in SLOT.finditer(pattern):
        pieces += [change(pattern[last : match.start()]), match[0]]
        last = match.end()
    return "".join([*pieces, change(pattern[last:])])


def in_forms(document: ast.Document, change: Callable[[str], str]) -> ast.Document:
    """`change` applied to each form as a whole."""

    def visit(node: Any) -> Any:
        return replace(node, pattern=change(node.pattern)) if isinstance(node, ast.Form) else node

    return rewrite(document, visit)


def all_text(document: ast.Document) -> str:
    """Everything that is printed or typed, to see whether a word is in use."""
    found: list[str] = []

    def visit(node: Any) -> Any:
        for name in ("value", "pattern", "display", "title"):
            text = getattr(node, name, None)
            if isinstance(text, str):
                found.append(text)
        if isinstance(node, ast.Object):
            found.extend(node.aka)
        return node

    rewrite(document, visit)
    return "\n".join(found).lower()
