"""Perturbations of things: other names, other numbering, things that only distract."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from worldengine.perturb import tables
from worldengine.perturb.rewriting import Change, Table, Words, all_text, in_texts, rewrite
from worldengine.syntax import ast


def rename(document: ast.Document, draw: Random) -> Change:
    """Other names for objects, and the same names wherever a text mentions them."""
    used = all_text(document)
    table: Table = {}
    free = [word for word in tables.ADJECTIVES if word not in used]
    people = [name for name in tables.PEOPLE if name.lower() not in used]
    draw.shuffle(free)
    draw.shuffle(people)
    for item in _objects(document):
        if not free or not people or item.display in table or not item.display.strip():
            continue
        person = item.proper and item.display.isalpha()
        made = people.pop() if person else _named(item.display, free.pop())
        table[item.display] = made
    return renamed(document, table), table


def _named(display: str, word: str) -> str:
    """The noun of a name with another word before it; `a.txt` stays one word."""
    last = display.split()[-1]
    if last.isalpha() and last.isascii():
        return f"{word} {last.lower()}"
    return f"{word}-{last}" if " " not in display.strip() else f"{word} item"


def _objects(document: ast.Document) -> Iterator[ast.Object]:
    return (item for item in document.items if isinstance(item, ast.Object))


def renamed(document: ast.Document, table: Mapping[str, str]) -> ast.Document:
    """Displays by the table; texts that mention them follow. Names go first, then texts."""
    words = Words(table)

    def visit(node: Any) -> Any:
        if not isinstance(node, ast.Object):
            return node
        return replace(node, display=table.get(node.display, node.display))

    return in_texts(rewrite(document, visit), words)


def numbering(document: ast.Document, draw: Random) -> Change:
    """`jar 2` becomes `jar2`, `jar #2`, … Numbered families become single objects for it."""
    return _numbered(document, draw.choice(tables.NUMBERS), otherwise="{} {}")


def closed_up(document: ast.Document, draw: Random) -> Change:
    """`jar 2` becomes `jar2`, always."""
    return _numbered(document, "{}{}", otherwise="{}{}")


def _numbered(document: ast.Document, style: str, otherwise: str) -> Change:
    """`otherwise` is the style of names that have the other one already."""
    table: Table = {}
    items: list[ast.Item] = []
    for item in document.items:
        if isinstance(item, ast.Object) and item.count is not None:
            table[f"{item.count} x {item.display}"] = item.name.text
        members = list(_members(item)) if isinstance(item, ast.Object) else [item]
        for member in members:
            items.append(_restyled(member, style, otherwise, table))
    changed = replace(document, items=tuple(items))
    return in_texts(changed, Words(singles(table))), table


FAMILY = re.compile(r"(\d+) x (.*)")


def singles(table: Mapping[str, str]) -> Table:
    """The renamed things, without the entries that tell which families were taken apart."""
    return {old: new for old, new in table.items() if FAMILY.fullmatch(old) is None}


def _members(item: ast.Object) -> Iterator[ast.Item]:
    if item.count is None:
        yield item
        return
    for number in range(1, item.count + 1):
        yield replace(
            item,
            name=replace(item.name, text=f"{item.name.text}_{number}"),
            count=None,
            display=f"{item.display} {number}",
            aka=tuple(f"{name} {number}" for name in item.aka),
            proper=True,  # numbered objects take no article
        )


def _restyled(item: ast.Item, style: str, otherwise: str, table: Table) -> ast.Item:
    if not isinstance(item, ast.Object):
        return item
    found = re.fullmatch(r"(.*[^\W\d])[ _-]?(\d+)", item.display)
    if found is None:
        return item
    made = style.format(found[1], found[2])
    if made == item.display:
        made = otherwise.format(found[1], found[2])
    if made == item.display:
        return item
    table[item.display] = made
    return replace(item, display=made)


def distractors(document: ast.Document, draw: Random) -> Change:
    """Things that do nothing, in places of the world. The Machine is another one then."""
    used = all_text(document)
    places = [item.name for item in _objects(document) if item.kind.text == "place"]
    names = {item.name.text for item in _objects(document)}
    free = [thing for thing in tables.DISTRACTORS if thing not in used]
    added: list[ast.Item] = []
    for shown in draw.sample(free, min(len(free), 4)) if places else []:
        name = re.sub(r"\W", "_", shown)
        if name not in names:
            place = ast.Name(draw.choice(places).text)
            kind, own = ast.Name("thing"), ast.Name(name)
            added.append(ast.Object(kind, own, None, shown, False, False, (), place, ()))
    table = {item.name.text: item.display for item in added if isinstance(item, ast.Object)}
    return replace(document, items=(*document.items, *added)), table
