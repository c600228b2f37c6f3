"""Effects → changes, each with the variables it ranges over and the condition it needs.

Order among the changes of one action means nothing in PDDL: all happen at once, and what is
both deleted and added is true afterwards. Refused by name: chance, choice, continuous change.
"""

from __future__ import annotations

from worldengine.importers.pddl.formulas import (
    Scope,
    atom,
    beyond,
    conjunction,
    fluent,
    formula,
    number,
)
from worldengine.importers.pddl.lists import inside, variables
from worldengine.importers.pddl.model import TRUE, Change, Formula, Typed
from worldengine.importers.pddl.reading import Item, Listed, Refused, Word

NUMERIC = {
    "assign": "=", "increase": "+=", "decrease": "-=", "scale-up": "*=", "scale-down": "/=",
}  # fmt: skip
BEYOND = {
    "oneof": "a choice of the environment",
    "probabilistic": "probabilities",
    "unknown": "unknown facts",
    "observe": "sensing",
    "at": "times",
    "preference": "preferences",
}


def changes(
    item: Item,
    scope: Scope,
    bound: tuple[Typed, ...] = (),
    condition: Formula = TRUE,
) -> tuple[Change, ...]:
    if isinstance(item, Word):
        if item.text in scope.predicates:
            return changes(Listed((item,), item.span), scope, bound, condition)
        raise Refused(
            "pddl-effect",
            item.span,
            f"an effect is expected in {scope.where}, not `{item.text}`",
            "effects stand in parentheses",
        )
    if not item.items:
        return ()
    head, rest = item.head, item.items[1:]
    if head == "and":
        return tuple(change for part in rest for change in changes(part, scope, bound, condition))
    if head == "forall" and len(rest) == 2:
        found = variables(inside(rest[0], "variables of `forall`").items, "variables of `forall`")
        return changes(rest[1], scope.bind(found), bound + found, condition)
    if head == "when" and len(rest) == 2:
        more = conjunction((condition, formula(rest[0], scope)))
        return changes(rest[1], scope, bound, more if more.items else TRUE)
    if head in NUMERIC and len(rest) == 2:
        return (_numeric(item, scope, bound, condition),)
    if head in BEYOND and head not in scope.predicates:
        raise beyond(item, BEYOND[head])
    if head == "not" and len(rest) == 1:
        target = atom(inside(rest[0], "an effect"), scope)
        return (Change(bound, condition, target, "=", False, span=item.span),)
    return (Change(bound, condition, atom(item, scope), "=", True, span=item.span),)


def _numeric(item: Listed, scope: Scope, bound: tuple[Typed, ...], condition: Formula) -> Change:
    name = item.items[1]
    call = name if isinstance(name, Listed) else Listed((name,), name.span)
    target = fluent(call, scope)
    value = number(item.items[2], scope)
    return Change(bound, condition, target, NUMERIC[item.head], value, span=item.span)
