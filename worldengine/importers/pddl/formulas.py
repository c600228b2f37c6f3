"""Preconditions, goals and conditions: lists of words → formulas.

Tolerated: an empty list is true; `and` within `and`; a variable that hides another of the
same name. Refused by name: preferences, constraints over time, anything unknown. Whether
names are declared is asked here too, where the complaint can name the place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from worldengine.importers.pddl.lists import inside, variables
from worldengine.importers.pddl.model import (
    TRUE,
    Atom,
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Equal,
    Fluent,
    Formula,
    Negation,
    Numeric,
    Predicate,
    Quantified,
    Sum,
    Typed,
)
from worldengine.importers.pddl.reading import Item, Listed, Refused, Word

BEYOND = {
    "preference": "preferences (soft goals)",
    "always": "constraints over time", "sometime": "constraints over time",
    "at-most-once": "constraints over time", "within": "constraints over time",
    "at": "times", "over": "times",
    "oneof": "non-deterministic parts", "unknown": "unknown facts", "knows": "knowledge",
    "probabilistic": "probabilities",
}  # fmt: skip
COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=="}


@dataclass(frozen=True)
class Scope:
    """What is declared, the variables in sight, and where we are, for complaints."""

    predicates: Mapping[str, Predicate]
    functions: Mapping[str, Predicate]
    objects: Mapping[str, tuple[str, ...]]
    where: str
    variables: Mapping[str, Typed]

    def bind(self, found: tuple[Typed, ...]) -> Scope:
        return replace(self, variables={**self.variables, **{item.name: item for item in found}})


def formula(item: Item, scope: Scope) -> Formula:
    if isinstance(item, Word):
        return _bare(item, scope)
    if not item.items:
        return TRUE
    head = item.head
    rest = item.items[1:]
    if head in ("and", "or"):
        parts = tuple(formula(part, scope) for part in rest)
        made = conjunction(parts) if head == "and" else Disjunction(parts)
        return replace(made, span=item.span)
    if head == "not":
        _count(item, 1)
        return Negation(formula(rest[0], scope), span=item.span)
    if head in ("imply", "implies"):
        _count(item, 2)
        before, after = (formula(part, scope) for part in rest)
        return Disjunction((Negation(before, span=item.span), after), span=item.span)
    if head in ("exists", "forall"):
        _count(item, 2)
        bound = variables(inside(rest[0], f"variables of `{head}`").items, f"variables of `{head}`")
        which = "any" if head == "exists" else "all"
        return Quantified(which, bound, formula(rest[1], scope.bind(bound)), span=item.span)
    if head == "=" and len(rest) == 2 and all(_names_object(part, scope) for part in rest):
        left, right = (term(part, scope) for part in rest)
        return Equal(left, right, span=item.span)
    if head in COMPARISONS and head not in scope.predicates:
        _count(item, 2)
        return Comparison(
            COMPARISONS[head], number(rest[0], scope), number(rest[1], scope), span=item.span
        )
    if head in BEYOND and head not in scope.predicates:
        raise beyond(item, BEYOND[head])
    return atom(item, scope)


def conjunction(parts: tuple[Formula, ...]) -> Conjunction:
    """Nested conjunctions are one."""
    found: list[Formula] = []
    for part in parts:
        found += part.items if isinstance(part, Conjunction) else (part,)
    return Conjunction(tuple(found))


def beyond(item: Item, what: str) -> Refused:
    name = item.head if isinstance(item, Listed) else item.text
    return Refused(
        "pddl-construct",
        item.span,
        f"`{name}` brings {what}, which this importer does not take",
        "within reach are STRIPS, types, ADL, derived predicates and numbers that stay finite",
    )


def _bare(item: Word, scope: Scope) -> Formula:
    """Some write `handempty` for `(handempty)`."""
    if item.text in scope.predicates:
        return atom(Listed((item,), item.span), scope)
    if item.text in ("true", "false"):
        return TRUE if item.text == "true" else Disjunction(())
    raise Refused(
        "pddl-condition",
        item.span,
        f"a condition is expected in {scope.where}, not `{item.text}`",
        "conditions stand in parentheses",
    )


def atom(item: Listed, scope: Scope) -> Atom:
    name = item.head
    declared = scope.predicates.get(name)
    if declared is None:
        what = f"`{name}` in {scope.where}" if name else f"this in {scope.where}"
        raise Refused(
            "pddl-predicate-unknown",
            item.items[0].span if item.items else item.span,
            f"{what} is not a declared predicate",
            "declare it under :predicates",
        )
    terms = tuple(term(part, scope) for part in item.items[1:])
    _arity(item, declared, len(terms), "predicate")
    return Atom(name, terms, span=item.span)


def _arity(item: Listed, declared: Predicate, count: int, what: str) -> None:
    if len(declared.parameters) != count:
        raise Refused(
            "pddl-arity",
            item.span,
            f"the {what} `{declared.name}` takes {len(declared.parameters)} arguments, not {count}",
        )


def _count(item: Listed, wanted: int) -> None:
    if len(item.items) != wanted + 1:
        found = len(item.items) - 1
        raise Refused(
            "pddl-arguments", item.span, f"`{item.head}` takes {wanted} parts, not {found}"
        )


def _names_object(item: Item, scope: Scope) -> bool:
    if not isinstance(item, Word):
        return False
    return item.text.startswith("?") or item.text in scope.objects


def term(item: Item, scope: Scope) -> str:
    """A variable in sight or an object of domain or problem."""
    if isinstance(item, Listed):
        if item.head in scope.functions:
            raise beyond(item, "a function as an argument")
        raise Refused("pddl-argument", item.span, f"an argument in {scope.where} must be a name")
    known = item.text in (scope.variables if item.text.startswith("?") else scope.objects)
    if known:
        return item.text
    what = "variable" if item.text.startswith("?") else "object"
    raise Refused(
        f"pddl-{what}-unknown", item.span, f"`{item.text}` in {scope.where} is no declared {what}"
    )


# --- numbers ------------------------------------------------------------------------------


def literal(text: str) -> Fraction | None:
    digits = text.lstrip("+-")
    if not digits.replace(".", "", 1).isdigit() or not digits.isascii() or len(text) > 40:
        return None
    return Fraction(text)


def number(item: Item, scope: Scope) -> Numeric:
    if isinstance(item, Word):
        value = literal(item.text)
        if value is not None:
            return Constant(value, span=item.span)
        if item.text in scope.functions:
            return fluent(Listed((item,), item.span), scope)
        words = f"`{item.text}` in {scope.where} is neither number nor function"
        raise Refused("pddl-number", item.span, words)
    head, rest = item.head, item.items[1:]
    if head in ("+", "-", "*", "/") and rest:
        parts = [number(part, scope) for part in rest]
        if len(parts) == 1:
            parts.insert(0, Constant(Fraction(0), span=item.span))
        found = parts[0]
        for part in parts[1:]:
            found = Sum(head, found, part, span=item.span)
        return found
    if head == "#t" or head in BEYOND:
        raise beyond(item, "continuous time" if head == "#t" else BEYOND[head])
    return fluent(item, scope)


def fluent(item: Listed, scope: Scope) -> Fluent:
    declared = scope.functions.get(item.head)
    if declared is None:
        raise Refused(
            "pddl-function-unknown",
            item.span,
            f"`{item.head}` in {scope.where} is not a declared function",
            "declare it under :functions",
        )
    terms = tuple(term(part, scope) for part in item.items[1:])
    _arity(item, declared, len(terms), "function")
    return Fluent(item.head, terms, span=item.span)
