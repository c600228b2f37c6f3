"""`:init` → the atoms that hold at first and the first values of functions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from worldengine.diagnostics import Diagnostic
from worldengine.importers.pddl.formulas import Scope, atom, beyond, fluent, literal
from worldengine.importers.pddl.model import Atom, Fluent
from worldengine.importers.pddl.reading import Item, Listed, Refused, Word, warning

BEYOND = {
    "oneof": "unknown facts", "unknown": "unknown facts", "or": "unknown facts",
    "probabilistic": "probabilities", "forall": "quantifiers in the initial state",
}  # fmt: skip


def beginning(
    parts: tuple[Item, ...], scope: Scope, notes: list[Diagnostic]
) -> tuple[tuple[Atom, ...], tuple[tuple[Fluent, Fraction], ...]]:
    scope = replace(scope, where="the initial state")
    atoms: dict[Atom, None] = {}
    numbers: dict[Fluent, Fraction] = {}
    for item in _flattened(parts):
        try:
            _one(item, scope, atoms, numbers, notes)
        except Refused as refused:
            notes.append(refused.diagnostic)
    return tuple(atoms), tuple(numbers.items())


def _flattened(parts: tuple[Item, ...]) -> list[Item]:
    """Some write one `(and …)` around the initial state."""
    found: list[Item] = []
    for item in parts:
        if isinstance(item, Listed) and item.head == "and":
            found += _flattened(item.items[1:])
        else:
            found.append(item)
    return found


def _one(
    item: Item,
    scope: Scope,
    atoms: dict[Atom, None],
    numbers: dict[Fluent, Fraction],
    notes: list[Diagnostic],
) -> None:
    if isinstance(item, Word):
        item = Listed((item,), item.span)
    if not item.items or (item.head == "not" and len(item.items) == 2):
        return  # what is not listed is false anyway
    if item.head == "=" and len(item.items) == 3:
        _value(item, scope, numbers)
    elif item.head == "at" and _is_time(item):
        raise beyond(item, "timed facts")
    elif item.head in BEYOND and item.head not in scope.predicates:
        raise beyond(item, BEYOND[item.head])
    elif item.head not in scope.predicates:
        notes.append(
            warning(
                "pddl-fact-unknown",
                item.span,
                f"`{item.head}` is not a declared predicate; nothing can ask for this fact",
            )
        )
    else:
        atoms[atom(item, scope)] = None


def _is_time(item: Listed) -> bool:
    second = item.items[1] if len(item.items) > 1 else None
    return (
        isinstance(second, Word)
        and literal(second.text) is not None
        and len(item.items) > 2
        and isinstance(item.items[2], Listed)
    )


def _value(item: Listed, scope: Scope, numbers: dict[Fluent, Fraction]) -> None:
    target, value = item.items[1], item.items[2]
    found = literal(value.text) if isinstance(value, Word) else None
    call = target if isinstance(target, Listed) else Listed((target,), target.span)
    if found is None:
        if isinstance(value, Word) and value.text in scope.objects:
            raise beyond(item, "a function whose value is an object")
        raise Refused("pddl-number", value.span, "a function starts with a number")
    numbers[fluent(call, scope)] = found
