"""Formulas → expressions of the language, with the world's names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from worldengine.importers.naming import TAKEN, Space
from worldengine.importers.pddl import model as m
from worldengine.importers.pddl.kinds import Kinds
from worldengine.importers.pddl.numbers import ONE, Numbers, factored, fractions
from worldengine.importers.pddl.reading import Refused
from worldengine.importers.pddl.wording import Parts
from worldengine.syntax import ast

FALSE = ast.Boolean(False)
TRUE = ast.Boolean(True)


@dataclass(frozen=True)
class Vocabulary:
    """What everything is called in the script."""

    kinds: Kinds
    objects: dict[str, str]
    facts: dict[str, str]
    functions: dict[str, str]
    numbers: Numbers

    def space(self) -> Space:
        """Names for variables: none may hide an object or a fact."""
        taken = {*TAKEN, *self.objects.values(), *self.facts.values(), *self.functions.values()}
        return Space(taken, "the_{}")


@dataclass(frozen=True)
class Sight:
    """The variables in sight: PDDL name → name in the script."""

    words: Vocabulary
    space: Space
    variables: dict[str, str]

    @staticmethod
    def empty(words: Vocabulary) -> Sight:
        return Sight(words, words.space(), {})

    def bind(self, name: str) -> tuple[Sight, ast.Name]:
        made = self.space.name(name)
        return replace(self, variables={**self.variables, name: made}), ast.Name(made)

    def term(self, name: str) -> ast.Ref:
        return ast.Ref(self.variables[name] if name.startswith("?") else self.words.objects[name])

    def said(self, name: str) -> Parts:
        """How a text shows the term."""
        return (ast.Insert("", self.term(name)),)


def expression(formula: m.Formula, sight: Sight) -> ast.Expr:
    words = sight.words
    if isinstance(formula, m.Atom):
        if formula.predicate in words.kinds.sort_kinds:
            kind = words.kinds.sort_kinds[formula.predicate]
            return ast.IsKind(sight.term(formula.terms[0]), ast.Name(kind))
        return fact(words.facts[formula.predicate], formula.terms, sight)
    if isinstance(formula, m.Equal):
        return ast.Compare("==", sight.term(formula.left), sight.term(formula.right))
    if isinstance(formula, m.Negation):
        inner = expression(formula.item, sight)
        if (
            isinstance(inner, ast.Compare)
            and inner.op == "=="
            and isinstance(formula.item, m.Equal)
        ):
            return ast.Compare("!=", inner.left, inner.right)
        return ast.Not(inner)
    if isinstance(formula, m.Conjunction):
        items = tuple(expression(item, sight) for item in formula.items)
        return items[0] if len(items) == 1 else ast.And(_flat(items, ast.And)) if items else TRUE
    if isinstance(formula, m.Disjunction):
        items = tuple(expression(item, sight) for item in formula.items)
        return items[0] if len(items) == 1 else ast.Or(_flat(items, ast.Or)) if items else FALSE
    if isinstance(formula, m.Quantified):
        return _quantified(formula, sight)
    times = Fraction(lcm(*fractions(formula.left), *fractions(formula.right)))
    left, right = (number(item, sight, times) for item in (formula.left, formula.right))
    return ast.Compare(formula.op, left, right)


def _flat(items: tuple[ast.Expr, ...], sort: type[ast.And] | type[ast.Or]) -> tuple[ast.Expr, ...]:
    found: list[ast.Expr] = []
    for item in items:
        found += item.items if isinstance(item, sort) else (item,)
    return tuple(found)


def _quantified(formula: m.Quantified, sight: Sight) -> ast.Expr:
    if not formula.variables:
        return expression(formula.body, sight)
    first, *rest = formula.variables
    inner, name = sight.bind(first.name)
    body = expression(replace(formula, variables=tuple(rest)), inner)
    return ast.Quantifier(formula.which, name, ast.Name(sight.words.kinds.of(first.types)), body)


def fact(name: str, terms: tuple[str, ...], sight: Sight) -> ast.Ref | ast.Call:
    if not terms:
        return ast.Ref(name)
    return ast.Call(ast.Name(name), tuple(sight.term(item) for item in terms))


# --- numbers, in units of 1 / scale ----------------------------------------------------------


def number(value: m.Numeric, sight: Sight, times: Fraction = ONE) -> ast.Expr:
    """`times` the value, in whole numbers; Refused where it would leave them."""
    if isinstance(value, m.Constant):
        return ast.Number(_whole(value.value * sight.words.numbers.scale * times, value))
    if isinstance(value, m.Fluent):
        made = fact(sight.words.functions[value.function], value.terms, sight)
        whole = _whole(times, value)
        return made if whole == 1 else ast.Arithmetic("*", made, ast.Number(whole))
    if value.op in "+-":
        left, right = number(value.left, sight, times), number(value.right, sight, times)
        return ast.Arithmetic(value.op, left, right)
    factor, other = factored(value)
    return number(other, sight, times * factor)


def _whole(value: Fraction, where: m.Numeric) -> int:
    if value.denominator == 1:
        return int(value)
    raise Refused(
        "pddl-construct",
        where.span,
        f"a change by {value} times this leaves the whole numbers",
        "sums, and products with a whole number, are within reach",
    )
