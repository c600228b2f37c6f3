"""Functions → whole numbers in a range that no episode leaves.

Costs that are only summed up are left out: nothing an action needs depends on them. The
others are counted in units of the least common denominator. Their range is what `turns` many
actions could make of the first values, so the language's stopping at the ends of a range is
never met within an episode. Refused by name: what grows beyond 32 bits, scaling.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from worldengine.importers.pddl import model as m
from worldengine.importers.pddl.reading import Refused

LIMIT = 1_000_000_000
MAX_SCALE = 10_000
ONE = Fraction(1)
Interval = tuple[Fraction, Fraction]


class Numbers:
    """`used` functions by name, `scale`, and for each the `ranges` (in scaled units)."""

    def __init__(self, task: m.Task, turns: int) -> None:
        self.task = task
        self.used = _used(task)
        self.changes = [
            change
            for action in task.actions
            for change in action.changes
            if isinstance(change.target, m.Fluent) and change.target.function in self.used
        ]
        self.first = {
            fluent: value for fluent, value in task.numbers if fluent.function in self.used
        }
        self.scale = self._scale()
        self.ranges = self._ranges(turns)

    def changes_of(self, action: m.Action) -> tuple[m.Change, ...]:
        """The action's changes without those of costs."""
        return tuple(
            change
            for change in action.changes
            if isinstance(change.target, m.Atom) or change.target.function in self.used
        )

    def _scale(self) -> int:
        found = [value.denominator for value in self.first.values()]
        for value in _values(self.task, self.changes):
            found += [amount.denominator for amount, function in linear(value) if function is None]
        scale = lcm(*found) if found else 1
        if scale > MAX_SCALE:
            span = next(iter(self.first)).span if self.first else self.changes[0].span
            raise Refused(
                "pddl-fractions", span, f"these numbers need steps of 1/{scale}; that is too fine"
            )
        return scale

    def _ranges(self, turns: int) -> dict[str, tuple[int, int]]:
        now: dict[str, Interval] = {}
        for name in self.used:
            values = [v for fluent, v in self.first.items() if fluent.function == name]
            low, high = min(values, default=Fraction(0)), max(values, default=Fraction(0))
            if any(
                c.target.function == name for c in self.changes if isinstance(c.target, m.Fluent)
            ):
                low, high = min(low, Fraction(0)), max(high, Fraction(0))
            now[name] = (low, high)
        for _ in range(turns if self.changes else 0):
            after = dict(now)
            for change in self.changes:
                assert isinstance(change.target, m.Fluent)
                name = change.target.function
                after[name] = _hull(after[name], _changed(now, change))
                if max(-after[name][0], after[name][1]) * self.scale > LIMIT:
                    raise Refused(
                        "pddl-number-grows",
                        change.span,
                        f"`{name}` could grow beyond {LIMIT:,} within {turns} actions",
                    )
            if after == now:
                break
            now = after
        return {
            name: (int(low * self.scale), int(high * self.scale))
            for name, (low, high) in now.items()
        }


def _used(task: m.Task) -> tuple[str, ...]:
    """Functions that some condition or goal depends on, directly or through changes."""
    found: set[str] = set()
    formulas = [task.goal, *(axiom.body for axiom in task.axioms)]
    for action in task.actions:
        formulas.append(action.precondition)
        formulas += [change.condition for change in action.changes]
    for formula in formulas:
        for comparison in comparisons(formula):
            found |= {item.function for item in _fluents(comparison.left)}
            found |= {item.function for item in _fluents(comparison.right)}
    grown = True
    while grown:
        size = len(found)
        for action in task.actions:
            for change in action.changes:
                if isinstance(change.target, m.Fluent) and change.target.function in found:
                    assert not isinstance(change.value, bool)
                    found |= {item.function for item in _fluents(change.value)}
        grown = len(found) > size
    return tuple(name for name in task.functions if name in found)


def comparisons(formula: m.Formula) -> Iterator[m.Comparison]:
    if isinstance(formula, m.Comparison):
        yield formula
    elif isinstance(formula, m.Conjunction | m.Disjunction):
        for item in formula.items:
            yield from comparisons(item)
    elif isinstance(formula, m.Negation):
        yield from comparisons(formula.item)
    elif isinstance(formula, m.Quantified):
        yield from comparisons(formula.body)


def _values(task: m.Task, changes: list[m.Change]) -> Iterator[m.Numeric]:
    formulas = [task.goal, *(axiom.body for axiom in task.axioms)]
    for action in task.actions:
        formulas.append(action.precondition)
        formulas += [change.condition for change in action.changes]
    for formula in formulas:
        for comparison in comparisons(formula):
            yield comparison.left
            yield comparison.right
    for change in changes:
        assert not isinstance(change.value, bool)
        yield change.value


def linear(value: m.Numeric, times: Fraction = ONE) -> Iterator[tuple[Fraction, m.Fluent | None]]:
    """The value as a sum: each function with its factor, each constant with None. Refused
    where it is none."""
    if isinstance(value, m.Constant):
        yield times * value.value, None
    elif isinstance(value, m.Fluent):
        yield times, value
    elif value.op in "+-":
        yield from linear(value.left, times)
        yield from linear(value.right, times if value.op == "+" else -times)
    else:
        factor, other = factored(value)
        yield from linear(other, times * factor)


def factored(value: m.Sum) -> tuple[Fraction, m.Numeric]:
    """A product with a number, or a quotient by one, as that number and the rest."""
    left, right = _fixed(value.left), _fixed(value.right)
    if value.op == "*" and left is not None:
        return left, value.right
    if right is not None and (value.op == "*" or right != 0):
        return (right if value.op == "*" else 1 / right), value.left
    raise Refused(
        "pddl-construct",
        value.span,
        f"`{value.op}` of two functions leaves what can be counted here",
        "sums, and products with a number, are within reach",
    )


def _fixed(value: m.Numeric) -> Fraction | None:
    """The value, if no function is in it."""
    if isinstance(value, m.Constant):
        return value.value
    parts = () if isinstance(value, m.Fluent) else tuple(linear(value))
    if not parts or any(function is not None for _, function in parts):
        return None
    return sum((amount for amount, _ in parts), Fraction(0))


def fractions(value: m.Numeric) -> Iterator[int]:
    """Denominators of the factors of functions."""
    return (times.denominator for times, function in linear(value) if function is not None)


def _fluents(value: m.Numeric) -> Iterator[m.Fluent]:
    if isinstance(value, m.Sum):
        yield from _fluents(value.left)
        yield from _fluents(value.right)
    elif isinstance(value, m.Fluent):
        yield value


# --- intervals ------------------------------------------------------------------------------


def _hull(left: Interval, right: Interval) -> Interval:
    return min(left[0], right[0]), max(left[1], right[1])


def _changed(now: dict[str, Interval], change: m.Change) -> Interval:
    assert isinstance(change.target, m.Fluent) and not isinstance(change.value, bool)
    value = _interval(change.value, now)
    own = now[change.target.function]
    if change.op == "=":
        return value
    if change.op == "+=":
        return own[0] + value[0], own[1] + value[1]
    if change.op == "-=":
        return own[0] - value[1], own[1] - value[0]
    raise Refused(
        "pddl-construct",
        change.span,
        "`scale-up` and `scale-down` make numbers that are not bounded",
        "write `increase`, `decrease` or `assign`",
    )


def _interval(value: m.Numeric, now: dict[str, Interval]) -> Interval:
    if isinstance(value, m.Constant):
        return value.value, value.value
    if isinstance(value, m.Fluent):
        return now[value.function]
    low = high = Fraction(0)
    for times, function in linear(value):
        ends = (ONE, ONE) if function is None else now[function.function]
        low += min(times * end for end in ends)
        high += max(times * end for end in ends)
    return low, high
