"""Words for facts and conditions, made from the names: `(on ?x ?y)` is "x is on y".

In: formulas, and for each term how it is printed. Out: parts of a text, without a capital
and a full stop. It is English by rule of thumb; an importer cannot know what was meant, so
it never says more than the name does.
"""

from __future__ import annotations

from collections.abc import Callable

from worldengine.importers.naming import words
from worldengine.importers.pddl.model import (
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
    Quantified,
)
from worldengine.syntax import ast

Parts = tuple[ast.Part, ...]
Term = Callable[[str], Parts]

PREPOSITIONS = {
    "at", "in", "on", "onto", "into", "inside", "under", "above", "below", "behind", "near", "by",
    "with", "to", "from", "of", "for", "over", "beside", "against", "through", "within", "upon",
    "left", "right", "front", "up", "down", "than", "as",
}  # fmt: skip
NEEDS_TO = {"connected", "adjacent", "linked", "next", "close", "attached", "joined", "assigned",
            "allocated", "equal", "neighbouring"}  # fmt: skip
NOT_VERBS = ("ss", "us", "is", "os")
PLACES = {"at", "in", "on", "inside", "near", "located", "location", "here", "holding", "carry",
          "carrying", "held", "reachable", "robby", "ontable", "connected", "adjacent"}  # fmt: skip
OPERATORS = {"==": "", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least "}


def literal(text: str) -> Parts:
    return (ast.Literal(text),)


def about_place(formula: Formula) -> bool:
    """Whether a condition is about where somebody or something is."""
    while isinstance(formula, Negation):
        formula = formula.item
    if not isinstance(formula, Atom):
        return False
    return bool(PLACES & set(words(formula.predicate).split()))


def phrase(formula: Formula, term: Term, holds: bool = True) -> Parts:
    """What the formula says, or what its negation says."""
    if isinstance(formula, Atom):
        return _atom(formula, term, holds)
    if isinstance(formula, Equal):
        verb = " is the same as " if holds else " is not "
        return (*term(formula.left), *literal(verb), *term(formula.right))
    if isinstance(formula, Negation):
        return phrase(formula.item, term, not holds)
    if isinstance(formula, Conjunction | Disjunction):
        both = isinstance(formula, Conjunction) == holds
        pieces = [phrase(item, term, holds) for item in formula.items]
        return _joined(pieces, " and " if both else " or ", both)
    if isinstance(formula, Quantified):
        return _quantified(formula, term, holds)
    return _comparison(formula, term, holds)


def _joined(pieces: list[Parts], word: str, empty: bool) -> Parts:
    if not pieces:
        return literal("all is well" if empty else "it cannot be")
    found = pieces[0]
    for piece in pieces[1:]:
        found = (*found, *literal(word), *piece)
    return found


def _quantified(formula: Quantified, term: Term, holds: bool) -> Parts:
    every = (formula.which == "all") == holds
    bound = {item.name: f"{words(item.types[0])} {item.name[1:]}" for item in formula.variables}
    start = "for every " if every else "for some "
    names = " and ".join(bound.values())

    def inner(name: str) -> Parts:
        return literal(bound[name]) if name in bound else term(name)

    return (*literal(f"{start}{names}, "), *phrase(formula.body, inner, holds))


def _atom(atom: Atom, term: Term, holds: bool) -> Parts:
    said = words(atom.predicate)
    terms = [term(name) for name in atom.terms]
    if not terms:
        return literal(said if holds else f"not so: {said}")
    if len(terms) > 2:
        listed = _joined(terms, ", ", True)
        return (*literal(f"{said}: " if holds else f"not so, {said}: "), *listed)
    if len(terms) == 1 and said.startswith("at "):  # `at-robby ?room`
        copula = "is" if holds else "is not"
        return (*literal(f"{said[3:]} {copula} at "), *terms[0])
    verb = _verb(said, len(terms), holds)
    if verb is None:
        copula = "is" if holds else "is not"
        return (*literal(f"{said} of "), *terms[0], *literal(f" {copula} "), *terms[1])
    return (
        *terms[0],
        *literal(f" {verb}"),
        *(literal(" ") if terms[1:] else ()),
        *sum(terms[1:], ()),
    )


def _verb(said: str, count: int, holds: bool) -> str | None:
    """The middle of the sentence; None where the predicate reads as a noun with two ends."""
    first, *rest = said.split()
    last = said.split()[-1]
    copula = "is" if holds else "is not"
    if first in ("is", "has", "can", "was", "must"):
        after = " ".join(rest)
        if first == "has":
            return f"has {after}" if holds else f"has no {after}"
        return f"{first} {after}".strip() if holds else f"{first} not {after}".strip()
    if last in NEEDS_TO and count == 2:
        return f"{copula} {said} to"
    if last in PREPOSITIONS or first in PREPOSITIONS or count == 1:
        return f"{copula} {said}"
    if first.endswith(("ing", "ed")):
        return f"{copula} {said}"
    if first.endswith("s") and not first.endswith(NOT_VERBS) and len(first) > 3:
        return said if holds else f"does not {' '.join([first[:-1], *rest])}"
    return None


# --- numbers ------------------------------------------------------------------------------


def _comparison(formula: Comparison, term: Term, holds: bool) -> Parts:
    verb = " is " if holds else " is not "
    return (
        *number(formula.left, term),
        *literal(verb + OPERATORS[formula.op]),
        *number(formula.right, term),
    )


def number(value: Numeric, term: Term) -> Parts:
    if isinstance(value, Constant):
        whole = value.value.denominator == 1
        return literal(str(value.value if whole else round(float(value.value), 4)))
    if isinstance(value, Fluent):
        return fluent(value, term)
    return (*number(value.left, term), *literal(f" {value.op} "), *number(value.right, term))


def fluent(value: Fluent, term: Term) -> Parts:
    terms = [term(name) for name in value.terms]
    if not terms:
        return literal(words(value.function))
    return (*literal(f"{words(value.function)} of "), *_joined(terms, " and ", True))


# --- sentences ------------------------------------------------------------------------------


def sentence(parts: Parts) -> Parts:
    """With a capital and a full stop; neighbouring literals are merged."""
    merged: list[ast.Part] = []
    for part in (*parts, ast.Literal(".")):
        if isinstance(part, ast.Literal) and merged and isinstance(merged[-1], ast.Literal):
            merged[-1] = ast.Literal(merged[-1].value + part.value)
        else:
            merged.append(part)
    first = merged[0]
    if isinstance(first, ast.Literal):
        merged[0] = ast.Literal(first.value[:1].upper() + first.value[1:])
    elif isinstance(first, ast.Insert) and first.style == "":
        merged[0] = ast.Insert("The", first.value)
    return tuple(merged)


def plain(parts: Parts) -> str:
    return "".join(part.value for part in parts if isinstance(part, ast.Literal))
