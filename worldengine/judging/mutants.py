"""A world spoilt on purpose, in small ways: to see whether judging it would notice.

In: a script. Out: `Mutant`s, each with one change: a part of `win` dropped, a sign flipped, a
requirement deleted; and `neutral` ones, which mean the same as before, to see whether judging
is alarmed by nothing. The change is made in the text, by the spans of the tree, so a mutant is
a script like any other. Nothing is random: every change there is, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from worldengine.compiler.order import walk
from worldengine.source import Source
from worldengine.syntax import ast, parse

KINDS: Final = ("win_part", "sign", "requirement")
_OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_SHIFT: Final = {"+=": "-=", "-=": "+="}


@dataclass(frozen=True, slots=True)
class Mutant:
    """`line` is where the change is; `change` says what it is, for people."""

    kind: str
    line: int
    change: str
    text: str


def mutants(source: Source) -> list[Mutant]:
    """All of them; none where the script does not parse."""
    document, _ = parse(source)
    if document is None:
        return []
    found: dict[str, Mutant] = {}
    for item in document.items:
        for mutant in _of_item(source, item):
            if mutant.text != source.text:
                found.setdefault(mutant.text, mutant)
    return sorted(found.values(), key=lambda each: (each.line, KINDS.index(each.kind)))


def neutral(source: Source) -> list[Mutant]:
    """Changes that keep the meaning: the sides of a comparison swapped with its sign turned
    round, the parts of a conjunction in the other order."""
    document, _ = parse(source)
    if document is None:
        return []
    found: dict[str, Mutant] = {}
    for node in walk(document.items):
        if isinstance(node, ast.Compare) and _plain(node.left) and _plain(node.right):
            left, right = _text(source, node.left), _text(source, node.right)
            turned = f"{right} {_MIRRORED[node.op]} {left}"
            mutant = _put(source, "mirror", node, f"({turned})", f"{left} {node.op} {right}")
            found.setdefault(mutant.text, mutant)
        elif isinstance(node, ast.And):
            parts = [f"({_text(source, item)})" for item in reversed(node.items)]
            mutant = _put(source, "order", node, f"({' and '.join(parts)})", "order of `and`")
            found.setdefault(mutant.text, mutant)
    return [found[text] for text in found]


def _plain(node: ast.Node) -> bool:
    """A name, path, call or number: it may stand on either side of a sign."""
    return isinstance(node, ast.Ref | ast.Attr | ast.Call | ast.Number | ast.Boolean)


def _of_item(source: Source, item: ast.Item) -> Iterator[Mutant]:
    if isinstance(item, ast.Ending) and item.which == "win":
        yield from _win_parts(source, item.when)
    for node in walk(item):
        if isinstance(node, ast.Require):
            yield _cut(source, "requirement", node)
        elif isinstance(node, ast.Compare):
            yield from _operator(source, node.left, node.right, _OPPOSITE[node.op], node.op)
        elif isinstance(node, ast.Set) and node.op in _SHIFT:
            yield from _operator(source, node.target, node.value, _SHIFT[node.op], node.op)
        elif isinstance(node, ast.Not):
            inner = _text(source, node.item)
            yield _put(source, "sign", node, f"({inner})", f"not {inner} becomes {inner}")


def _win_parts(source: Source, condition: ast.Expr) -> Iterator[Mutant]:
    """Each part of the conjunction left out; a part that is a bare truth also denied."""
    parts = condition.items if isinstance(condition, ast.And) else (condition,)
    for part in parts:
        said = _text(source, part)
        if len(parts) > 1:
            yield _put(source, "win_part", part, "true", f"win no longer asks for {said}")
        if isinstance(part, ast.Attr | ast.Call | ast.Ref | ast.Quantifier | ast.Member):
            yield _put(source, "sign", part, f"(not {said})", f"win asks for not {said}")


def _operator(
    source: Source, left: ast.Node, right: ast.Node, new: str, old: str
) -> Iterator[Mutant]:
    """The sign between two nodes, written another way. Texts have insertions whose spans
    are inside strings; there too the sign stands between the two."""
    start, end = left.span.end, right.span.start
    at = source.text.find(old, start, end)
    if at < 0:
        return
    text = source.text[:at] + new + source.text[at + len(old) :]
    change = f"{_text(source, left)} {old} {_text(source, right)} becomes {new}"
    yield Mutant("sign", source.position(at)[0], change, text)


def _cut(source: Source, kind: str, node: ast.Node) -> Mutant:
    return _put(source, kind, node, "", f"no longer asks: {_text(source, node)}")


def _put(source: Source, kind: str, node: ast.Node, new: str, change: str) -> Mutant:
    text = source.text[: node.span.start] + new + source.text[node.span.end :]
    return Mutant(kind, source.position(node.span.start)[0], _short(change), text)


def _text(source: Source, node: ast.Node) -> str:
    return source.text[node.span.start : node.span.end]


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= 100 else said[:99] + "…"
