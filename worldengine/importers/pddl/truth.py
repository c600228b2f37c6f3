"""Whether a goal holds before anybody has acted. A world that is won at its start cannot be
played, so such a goal has to wait for the first action."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

from worldengine.importers.pddl import model as m

MAX_CASES = 100_000
"""Cases that are looked at; a goal with more is taken as not yet reached."""
COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
Bound = Mapping[str, str]


class TooMany(Exception):
    """The goal has more cases than are looked at."""


def holds_at_first(task: m.Task) -> bool:
    """Whether the goal is true in the initial state."""
    try:
        return _Beginning(task).holds(task.goal, {})
    except (TooMany, RecursionError):
        return False


class _Beginning:
    def __init__(self, task: m.Task) -> None:
        self.task = task
        self.true = {(atom.predicate, atom.terms) for atom in task.init}
        self.numbers = {(item.function, item.terms): value for item, value in task.numbers}
        self.rules: dict[str, list[m.Axiom]] = {}
        for axiom in task.axioms:
            self.rules.setdefault(axiom.head.name, []).append(axiom)
        self.left = MAX_CASES
        self.open: set[tuple[str, tuple[str, ...]]] = set()

    def holds(self, formula: m.Formula, bound: Bound) -> bool:
        self.left -= 1
        if self.left < 0:
            raise TooMany
        if isinstance(formula, m.Atom):
            return self._atom(formula.predicate, self._terms(formula.terms, bound))
        if isinstance(formula, m.Equal):
            left, right = self._terms((formula.left, formula.right), bound)
            return left == right
        if isinstance(formula, m.Negation):
            return not self.holds(formula.item, bound)
        if isinstance(formula, m.Conjunction):
            return all(self.holds(item, bound) for item in formula.items)
        if isinstance(formula, m.Disjunction):
            return any(self.holds(item, bound) for item in formula.items)
        if isinstance(formula, m.Quantified):
            return self._quantified(formula, bound)
        left_value, right_value = (self._number(i, bound) for i in (formula.left, formula.right))
        if left_value is None or right_value is None:
            return False
        return COMPARE[formula.op](left_value, right_value)

    def _terms(self, terms: tuple[str, ...], bound: Bound) -> tuple[str, ...]:
        return tuple(bound.get(term, term) for term in terms)

    def _quantified(self, formula: m.Quantified, bound: Bound) -> bool:
        names = [item.name for item in formula.variables]
        members = [self.task.members(item.types) for item in formula.variables]
        found = (
            self.holds(formula.body, {**bound, **dict(zip(names, values, strict=True))})
            for values in product(*members)
        )
        return any(found) if formula.which == "any" else all(found)

    def _atom(self, name: str, terms: tuple[str, ...]) -> bool:
        """A derived atom that is being asked for already adds nothing: least fixed point."""
        if (name, terms) in self.true:
            return True
        if name not in self.rules or (name, terms) in self.open:
            return False
        self.open.add((name, terms))
        found = False
        for rule in self.rules[name]:
            heads = rule.head.parameters
            bound = {item.name: term for item, term in zip(heads, terms, strict=True)}
            fits = all(
                self.task.is_of(term, item.types) for item, term in zip(heads, terms, strict=True)
            )
            found = found or (fits and self.holds(rule.body, bound))
        self.open.discard((name, terms))
        return found

    def _number(self, value: m.Numeric, bound: Bound) -> Fraction | None:
        if isinstance(value, m.Constant):
            return value.value
        if isinstance(value, m.Fluent):
            return self.numbers.get((value.function, self._terms(value.terms, bound)))
        left, right = self._number(value.left, bound), self._number(value.right, bound)
        if left is None or right is None or (value.op == "/" and right == 0):
            return None
        results = {"+": left + right, "-": left - right, "*": left * right}
        return results[value.op] if value.op in results else left / right
