"""Typed lists: `a b - t c - (either t u) d` → names with their types."""

from __future__ import annotations

from worldengine.importers.pddl.model import ROOT, Predicate, Typed
from worldengine.importers.pddl.reading import Item, Listed, Refused, Word


def typed(items: tuple[Item, ...], what: str) -> list[Typed]:
    """`what` is what the list holds, for complaints. A type followed by nothing is forgiven."""
    found: list[Typed] = []
    waiting: list[Word] = []
    index = 0
    while index < len(items):
        item = items[index]
        if isinstance(item, Word) and item.text.startswith("-"):
            index += item.text == "-"
            types = _types(items[index], what) if index < len(items) else (ROOT,)
            found += [Typed(word.text, types, span=word.span) for word in waiting]
            waiting = []
        elif isinstance(item, Word):
            waiting.append(item)
        else:
            raise Refused(
                "pddl-list", item.span, f"a name is expected among the {what}, not a list"
            )
        index += 1
    return found + [Typed(word.text, (ROOT,), span=word.span) for word in waiting]


def _types(item: Item, what: str) -> tuple[str, ...]:
    if isinstance(item, Word):
        return (item.text.lstrip("-") or ROOT,)  # some write `?x -t`
    if item.head == "either":
        return tuple(dict.fromkeys(name for part in item.items[1:] for name in _types(part, what)))
    raise Refused(
        "pddl-construct",
        item.span,
        f"`({item.head or '…'} …)` is not a type that is known here",
        "a type is a name or `(either …)`",
    )


def variables(items: tuple[Item, ...], what: str) -> tuple[Typed, ...]:
    found = typed(items, what)
    for item in found:
        if not item.name.startswith("?"):
            raise Refused(
                "pddl-variable",
                item.span,
                f"`{item.name}` stands among the {what}, where variables begin with `?`",
            )
    return tuple(found)


def signature(item: Item, what: str) -> Predicate:
    """`(name ?x - t …)`. The names of the variables mean nothing, only their number does."""
    if isinstance(item, Word):
        return Predicate(item.text, (), span=item.span)
    if not item.head or item.head.startswith("?"):
        raise Refused("pddl-signature", item.span, f"a {what} begins with its name")
    return Predicate(item.head, variables(item.items[1:], f"{what}'s arguments"), span=item.span)


def inside(item: Item, what: str) -> Listed:
    """The list that must stand here."""
    if isinstance(item, Listed):
        return item
    raise Refused("pddl-list", item.span, f"a list is expected as {what}, not `{item.text}`")
