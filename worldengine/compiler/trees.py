"""Trees: what is left of an expression when all that is fixed has been worked out.

A **cell** is one changeable thing: `(object, attribute)` or `(fact, arguments)`. A tree is a
number, or a tuple over the cells (so that equal ones are equal and hashable):

```
(CELL, key, prior)           a cell now, or as the turn began
(NUMBER, low, high)          the number argument of the command
(DERIVED, name, args, prior) a derived value, grounded on its own
(TURN, prior)                the turn counter
(NOT, a)  (AND, items)  (OR, items)  (CMP, op, a, b)  (UNDEF, a)
(ADD, a, b)  (SUB, a, b)  (MUL, a, k)  (DIV, a, k)  (MOD, a, k)
(SELECT, key, rows)          rows: ((value, tree), …); a value without a row is UNDEFINED
(COUNT, conditions)  (SUM, pairs)  (MIN, pairs)  (MAX, pairs)   pairs: ((condition, value), …)
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from worldengine.machine.schema import UNDEFINED

Tree: TypeAlias = Any
"""An int, or one of the tuples above."""
Key: TypeAlias = tuple[Any, Any]

CELL, NUMBER, DERIVED, TURN = "cell", "number", "derived", "turn"
SCOPE = "scope."
"""What built-in values are called inside the compiler: a script may use their names."""
NOT, AND, OR, CMP, UNDEF = "not", "and", "or", "cmp", "undefined"
ADD, SUB, MUL, DIV, MOD = "add", "sub", "mul", "div", "mod"
SELECT, COUNT, SUM, MIN, MAX = "select", "count", "sum", "min", "max"

ARITHMETIC = {ADD: "+", SUB: "-", MUL: "*", DIV: "/", MOD: "%"}
SMALL = 1001
"""How many values of a number may be listed one by one."""

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRROR = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def compare(op: str, left: int, right: int) -> int:
    """A comparison of two numbers; false if either is undefined."""
    if left == UNDEFINED or right == UNDEFINED:
        return 0
    if op == "==":
        return int(left == right)
    if op == "!=":
        return int(left != right)
    if op == "<":
        return int(left < right)
    if op == "<=":
        return int(left <= right)
    return int(left > right) if op == ">" else int(left >= right)


def negate(item: Tree) -> Tree:
    if type(item) is int:
        return 0 if item == 1 else 1
    return item[1] if item[0] == NOT else (NOT, item)


def conjunction(items: Sequence[Tree]) -> Tree:
    kept: list[Tree] = []
    for item in items:
        if type(item) is int:
            if item != 1:
                return 0
        elif item[0] == AND:
            kept.extend(item[1])
        else:
            kept.append(item)
    if not kept:
        return 1
    return kept[0] if len(kept) == 1 else (AND, tuple(kept))


def disjunction(items: Sequence[Tree]) -> Tree:
    kept: list[Tree] = []
    for item in items:
        if type(item) is int:
            if item == 1:
                return 1
        elif item[0] == OR:
            kept.extend(item[1])
        else:
            kept.append(item)
    if not kept:
        return 0
    return kept[0] if len(kept) == 1 else (OR, tuple(kept))


class Unbounded(Exception):
    """A choice among values that are not a small known set; `tree` is what was to choose."""

    def __init__(self, tree: Tree) -> None:
        super().__init__("not a small set of values")
        self.tree = tree


def fold(which: str, pairs: list[tuple[Tree, Tree]]) -> Tree:
    kept = tuple(pair for pair in pairs if not (type(pair[1]) is int and pair[1] == UNDEFINED))
    if all(type(where) is int and type(value) is int for where, value in kept):
        values = [value for _, value in kept]
        if which == "sum":
            return sum(values)
        if not values:
            return UNDEFINED
        return min(values) if which == "min" else max(values)
    return ({"sum": SUM, "min": MIN, "max": MAX}[which], kept)


def may_be_undefined(tree: Tree, possible: Callable[[Tree], frozenset[int] | None]) -> bool:
    """Whether a number or a value of an enum may come out undefined."""
    if type(tree) is int:
        return bool(tree == UNDEFINED)
    if tree[0] in (MIN, MAX):
        return not any(
            type(where) is int and not may_be_undefined(value, possible) for where, value in tree[1]
        )
    if tree[0] == SELECT:
        values = possible(tree)
        return values is None or UNDEFINED in values
    if tree[0] in ARITHMETIC:
        return any(may_be_undefined(side, possible) for side in tree[1:])
    return False


def arithmetic(op: str, left: Tree, right: Tree) -> Tree:
    """Folds constants; keeps a constant on the right where it can be."""
    for side in (left, right):
        if type(side) is int and side == UNDEFINED:
            return UNDEFINED
    if type(left) is int and type(right) is int:
        if op == "+":
            return left + right
        if op == "-":
            return left - right
        if op == "*":
            return left * right
        return left // right if op == "/" else left % right
    if op == "+":
        if type(left) is int:
            left, right = right, left
        return left if type(right) is int and right == 0 else (ADD, left, right)
    if op == "-":
        if type(right) is int:
            return left if right == 0 else (ADD, left, -right)
        return (SUB, left, right)
    if op == "*":
        return (MUL, left, right) if type(right) is int else (MUL, right, left)
    return (DIV, left, right) if op == "/" else (MOD, left, right)
