"""The kinds of perturbation: each a tree in, and a tree with another surface out.

None touches an identifier, a condition or a statement that changes anything; `distractors`
alone adds things, and therefore claims nothing about the Machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from worldengine.perturb import tables
from worldengine.perturb.rewriting import (
    Words,
    all_text,
    in_form,
    in_forms,
    in_texts,
    rewrite,
)
from worldengine.syntax import ast

Table = dict[str, str]
Change = tuple[ast.Document, Table]
"""The new tree, and what was called how before: old → new."""
Kind = Callable[[ast.Document, Random], Change]


# --- objects ------------------------------------------------------------------------------


def rename(document: ast.Document, draw: Random) -> Change:
    """Other names for objects, and the same names wherever a text mentions them."""
    used = all_text(document)
    table: Table = {}
    free = [word for word in tables.ADJECTIVES if word not in used]
    people = [name for name in tables.PEOPLE if name.lower() not in used]
    draw.shuffle(free)
    draw.shuffle(people)
    for item in _objects(document):
        if not free or not people or item.display.lower() in table or not item.display.strip():
            continue
        person = item.proper and item.display.isalpha()
        made = people.pop() if person else _named(item.display, free.pop())
        table[item.display.lower()] = made
    return _renamed(document, table), table


def _named(display: str, word: str) -> str:
    """The noun of a name with another word before it; `a.txt` stays one word."""
    last = display.split()[-1]
    if last.isalpha() and last.isascii():
        return f"{word} {last.lower()}"
    return f"{word}-{last}" if " " not in display.strip() else f"{word} item"


def _objects(document: ast.Document) -> Iterator[ast.Object]:
    return (item for item in document.items if isinstance(item, ast.Object))


def _renamed(document: ast.Document, table: Mapping[str, str]) -> ast.Document:
    """Displays by the table; texts that mention them follow. Names go first, then texts."""
    words = Words(table)
    lower = {old.lower(): new for old, new in table.items()}

    def visit(node: Any) -> Any:
        if not isinstance(node, ast.Object):
            return node
        return replace(node, display=lower.get(node.display.lower(), node.display))

    return in_texts(rewrite(document, visit), words)


def numbering(document: ast.Document, draw: Random) -> Change:
    """`jar 2` becomes `jar2`, `jar #2`, … Numbered families become single objects for it."""
    style = draw.choice(tables.NUMBERS)
    table: Table = {}
    items: list[ast.Item] = []
    for item in document.items:
        members = list(_members(item)) if isinstance(item, ast.Object) else [item]
        for member in members:
            items.append(_restyled(member, style, table))
    changed = replace(document, items=tuple(items))
    return in_texts(changed, Words(table)), table


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


def _restyled(item: ast.Item, style: str, table: Table) -> ast.Item:
    if not isinstance(item, ast.Object):
        return item
    found = re.fullmatch(r"(.*[^\W\d])[ _-]?(\d+)", item.display)
    if found is None:
        return item
    made = style.format(found[1], found[2])
    if made == item.display:
        made = f"{found[1]} {found[2]}"
    table[item.display.lower()] = made
    return replace(item, display=made)


# --- commands -----------------------------------------------------------------------------


def verbs(document: ast.Document, draw: Random) -> Change:
    """Another verb at the head of the world's own forms."""
    return _first_words(document, tables.VERBS, draw)


def _first_words(
    document: ast.Document, choices: Mapping[str, tuple[str, ...]], draw: Random
) -> Change:
    used = _form_words(document)
    table: Table = {}
    for pattern in _forms(document):
        first = re.match(r"[\w'-]+", pattern)
        word = first[0].lower() if first else ""
        if word and word not in table:
            fresh = [new for new in choices.get(word, ()) if not set(new.split()) & used]
            if fresh:
                table[word] = draw.choice(fresh)
                used |= set(table[word].split())

    def change(pattern: str) -> str:
        first = re.match(r"[\w'-]+", pattern)
        if first is None or first[0].lower() not in table:
            return pattern
        return table[first[0].lower()] + pattern[first.end() :]

    return in_forms(document, change), table


def _forms(document: ast.Document) -> list[str]:
    found: list[str] = []

    def note(pattern: str) -> str:
        found.append(pattern)
        return pattern

    in_forms(document, note)
    return found


def _form_words(document: ast.Document) -> set[str]:
    return set(re.findall(r"[\w'-]+", " ".join(_forms(document)).lower()))


def joints(document: ast.Document, draw: Random) -> Change:
    """Other small words between the parameters: `with` becomes `using`."""
    used = _form_words(document)
    table: Table = {}
    for word in sorted(used & set(tables.JOINTS)):
        fresh = [new for new in tables.JOINTS[word] if not set(new.split()) & used]
        if fresh:
            table[word] = draw.choice(fresh)
    words = Words(table)

    def change(pattern: str) -> str:
        """Behind the verb only, and never inside brackets that stand for a choice."""
        first = re.match(r"[\w'-]+", pattern)
        head = first[0] if first else ""
        return head + in_form(pattern[len(head) :], words)

    return in_forms(document, change), table


FRONTED = re.compile(r"^(?P<verb>[^{}]*?\S \{\w+\}.*?) (?P<joint>\w+) (?P<last>\{\w+\})$")


def order(document: ast.Document, draw: Random) -> Change:
    """`take {x} from {y}` becomes `from {y} take {x}`."""
    table: Table = {}

    def change(pattern: str) -> str:
        found = FRONTED.match(pattern)
        if found is None or "[" in pattern or "(" in pattern:
            return pattern
        made = f"{found['joint']} {found['last']} {found['verb']}"
        table[pattern] = made
        return made

    return in_forms(document, change), table


# --- observations ----------------------------------------------------------------------------


def observations(document: ast.Document, draw: Random) -> Change:
    """Another style for what is told after a command, accepted or refused."""
    before, after = draw.choice(tables.STYLES)

    def styled(text: ast.Text) -> ast.Text:
        if not text.parts:
            return text
        parts = (ast.Literal(before), *text.parts, ast.Literal(after))
        return replace(text, parts=merged(parts))

    def visit(node: Any) -> Any:
        if isinstance(node, ast.Say | ast.Require) and node.text is not None:
            return replace(node, text=styled(node.text))
        return node

    return rewrite(document, visit), {"…": f"{before}…{after}"}


def merged(parts: tuple[ast.Part, ...]) -> tuple[ast.Part, ...]:
    found: list[ast.Part] = []
    for part in parts:
        if isinstance(part, ast.Literal) and not part.value:
            continue
        if isinstance(part, ast.Literal) and found and isinstance(found[-1], ast.Literal):
            found[-1] = replace(found[-1], value=found[-1].value + part.value)
        else:
            found.append(part)
    return tuple(found)


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


def translated(table: Mapping[str, str]) -> Kind:
    """A surface from a table: words and phrases in names, forms and texts."""

    def apply(document: ast.Document, draw: Random) -> Change:
        words = Words(table)

        def visit(node: Any) -> Any:
            if isinstance(node, ast.Object):
                aka = tuple(words(name) for name in node.aka)
                return replace(node, display=words(node.display), aka=aka)
            if isinstance(node, ast.EnumValue) and node.display is not None:
                return replace(node, display=words(node.display))
            if isinstance(node, ast.Form):
                return replace(node, pattern=in_form(node.pattern, words))
            return node

        return in_texts(rewrite(document, visit), words), dict(table)

    return apply


KINDS: dict[str, Kind] = {
    "rename": rename,
    "numbering": numbering,
    "verbs": verbs,
    "joints": joints,
    "order": order,
    "observations": observations,
    "distractors": distractors,
}
PRESETS: dict[str, tuple[str, ...]] = {
    "agentrefine": ("joints", "verbs", "order", "numbering"),
    "surface": ("rename", "numbering", "verbs", "joints", "order", "observations"),
}
"""`agentrefine`: the four ways in which its robustness study rewrote the candidate actions."""
CLAIMS_NOTHING = frozenset({"distractors"})
