"""`(:action …)` and `(:derived …)` → actions and axioms of the model."""

from __future__ import annotations

from dataclasses import replace

from worldengine.importers.pddl.effects import changes
from worldengine.importers.pddl.formulas import Scope, beyond, formula
from worldengine.importers.pddl.lists import inside, signature, variables
from worldengine.importers.pddl.model import TRUE, Action, Axiom, Formula, Typed
from worldengine.importers.pddl.reading import Item, Listed, Refused, Word

KEYS = (":parameters", ":vars", ":precondition", ":effect")
BEYOND = {
    ":duration": "time",
    ":condition": "time",
    ":observe": "sensing",
    ":expansion": "task networks",
    ":agent": "several agents",
}


def action(item: Listed, scope: Scope) -> Action:
    """`:vars`, which PDDL 1.2 had, are parameters too: somebody must choose them."""
    if len(item.items) < 2 or not isinstance(item.items[1], Word):
        raise Refused("pddl-action", item.span, "an action begins with its name")
    name = item.items[1].text
    scope = replace(scope, where=f"the action `{name}`")
    parts = _keyed(item.items[2:], scope)
    found: tuple[Typed, ...] = ()
    for key in (":parameters", ":vars"):
        if key in parts:
            what = f"parameters of `{name}`"
            found += variables(inside(parts[key], what).items, what)
    seen: set[str] = set()
    for parameter in found:
        if parameter.name in seen:
            raise Refused(
                "pddl-parameter-twice",
                parameter.span,
                f"`{name}` has two parameters `{parameter.name}`",
            )
        seen.add(parameter.name)
    inner = scope.bind(found)
    condition: Formula = TRUE
    if ":precondition" in parts:
        condition = formula(parts[":precondition"], inner)
    effects = changes(parts[":effect"], inner) if ":effect" in parts else ()
    return Action(name, found, condition, effects, span=item.items[1].span)


def _keyed(items: tuple[Item, ...], scope: Scope) -> dict[str, Item]:
    parts: dict[str, Item] = {}
    index = 0
    while index < len(items):
        key = items[index]
        if not isinstance(key, Word) or not key.text.startswith(":"):
            words = f"a keyword such as :effect is expected in {scope.where}"
            raise Refused("pddl-action-part", key.span, words)
        if key.text in BEYOND:
            raise beyond(key, BEYOND[key.text])
        if key.text not in KEYS:
            raise Refused(
                "pddl-action-part", key.span, f"`{key.text}` in {scope.where} is not known here"
            )
        if index + 1 < len(items) and not _is_key(items[index + 1]):
            parts[key.text] = items[index + 1]
            index += 1
        index += 1
    return parts


def _is_key(item: Item) -> bool:
    return isinstance(item, Word) and item.text in KEYS


def axiom(item: Listed, scope: Scope) -> Axiom:
    if len(item.items) != 3:
        raise Refused("pddl-derived", item.span, "`:derived` takes a head and a condition")
    head = signature(item.items[1], "derived predicate")
    scope = replace(scope, where=f"the derived predicate `{head.name}`")
    declared = scope.predicates[head.name]
    if len(declared.parameters) != len(head.parameters):
        raise Refused(
            "pddl-arity",
            item.items[1].span,
            f"the predicate `{head.name}` takes {len(declared.parameters)} arguments, "
            f"not {len(head.parameters)}",
        )
    types = tuple(
        replace(own, types=known.types) if own.types == ("object",) else own
        for own, known in zip(head.parameters, declared.parameters, strict=True)
    )
    head = replace(head, parameters=types)
    return Axiom(head, formula(item.items[2], scope.bind(types)), span=item.span)
