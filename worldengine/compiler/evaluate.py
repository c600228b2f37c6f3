"""Partial evaluation: a resolved expression under an environment gives a number, if all it
reads is fixed, or else a tree over the cells that can change (see `trees`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import Meter
from worldengine.compiler.trees import (
    AND,
    ARITHMETIC,
    CELL,
    CMP,
    COUNT,
    DERIVED,
    MIRROR,
    NOT,
    NUMBER,
    OR,
    SCOPE,
    SELECT,
    SMALL,
    TURN,
    UNDEF,
    Key,
    Tree,
    Unbounded,
    arithmetic,
    compare,
    conjunction,
    disjunction,
    fold,
    negate,
)
from worldengine.compiler.types import ObjectInfo, names_nothing
from worldengine.machine.schema import NONE, UNDEFINED


class Evaluator:
    """`cell(key)` gives a cell's fixed value, or None while it can change; `possible_of(key)`
    the values it may take, or None if unknown; `derive` grounds a derived value or scope."""

    def __init__(
        self,
        objects: Sequence[ObjectInfo],
        cell: Callable[[Key], int | None],
        possible_of: Callable[[Key], frozenset[int] | None],
        derive: Callable[[str, tuple[int, ...], bool], Tree],
        meter: Meter,
    ) -> None:
        self.objects = objects
        self.cell = cell
        self.possible_of = possible_of
        self.derive = derive
        self.meter = meter
        self.turn: int | None = None
        self._handlers: dict[type, Callable[[Any, list[Tree], bool], Tree]] = {
            r.Const: lambda node, env, prior: node.value,
            r.Local: lambda node, env, prior: env[node.index],
            r.AttrOf: self._attr,
            r.FactOf: self._fact,
            r.DeriveOf: self._derived,
            r.Turn: self._turn,
            r.NotOf: lambda node, env, prior: negate(self.tree(node.item, env, prior)),
            r.AllOf: self._all,
            r.AnyOf: self._any,
            r.Cmp: self._cmp,
            r.IsUndefined: self._undefined,
            r.OneOf: self._one_of,
            r.Arith: self._arith,
            r.Quant: self._quant,
            r.Prior: lambda node, env, prior: self.tree(node.item, env, True),
            r.Changed: self._changed,
            r.Lookup: self._lookup,
            r.Builtin: self._builtin,
        }

    def tree(self, node: r.Expr, env: list[Tree], prior: bool = False) -> Tree:
        return self._handlers[type(node)](node, env, prior)

    # -- reading -------------------------------------------------------------------------

    def read(self, key: Key, prior: bool) -> Tree:
        value = self.cell(key)
        return (CELL, key, prior) if value is None else value

    def attribute(self, index: int, name: str, prior: bool) -> Tree:
        """The attribute of one object; UNDEFINED of none, or where it has no such thing."""
        if index in (NONE, UNDEFINED):
            return UNDEFINED
        if name not in self.objects[index].values:
            return UNDEFINED
        return self.read((index, name), prior)

    def over(self, key: Tree, make: Callable[[int], Tree]) -> Tree:
        """`make(value)` for whatever value the tree `key` may have."""
        if type(key) is int:
            return make(key) if key != UNDEFINED else UNDEFINED
        values = self.possible(key)
        if values is None:
            raise Unbounded(key)
        self.meter.spend(len(values))
        rows = tuple((value, make(value)) for value in sorted(values) if value != UNDEFINED)
        kept = tuple(row for row in rows if not (type(row[1]) is int and row[1] == UNDEFINED))
        same = {row[1] for row in kept}
        if len(same) == 1 and len(kept) == len(values) and type(next(iter(same))) is int:
            return next(iter(same))
        return (SELECT, key, kept) if kept else UNDEFINED

    def possible(self, item: Tree) -> frozenset[int] | None:
        """The values a tree may have; None if that is not known or not a small set."""
        if type(item) is int:
            return frozenset({item})
        kind = item[0]
        if kind == CELL:
            return self.possible_of(item[1])
        if kind == SELECT:
            found: set[int] = set()
            for _, row in item[2]:
                values = self.possible(row)
                if values is None:
                    return None
                found |= values
            keys = self.possible(item[1])
            if keys is None or len(item[2]) < len(keys):
                found.add(UNDEFINED)
            return frozenset(found)
        if kind in (NOT, AND, OR, CMP, UNDEF):
            return frozenset({0, 1})
        if kind == NUMBER:
            return frozenset(range(item[1], item[2] + 1)) if item[2] - item[1] < SMALL else None
        if kind in ARITHMETIC:
            left, right = self.possible(item[1]), self.possible(item[2])
            if left is None or right is None or len(left) * len(right) > SMALL:
                return None
            return frozenset(arithmetic(ARITHMETIC[kind], a, b) for a in left for b in right)
        return self.possible_of(("derived", item[1])) if kind == DERIVED else None

    def _attr(self, node: r.AttrOf, env: list[Tree], prior: bool) -> Tree:
        base = self.tree(node.base, env, prior)
        name, kind = node.name, node.type.kind
        if type(base) is int:
            return self._typed(base, name, kind, prior)
        return self.over(base, lambda index: self._typed(index, name, kind, prior))

    def _typed(self, index: int, name: str, kind: str, prior: bool) -> Tree:
        """The attribute, unless this object's own of that name is of another sort."""
        if index >= 0 and name != "in":
            declared = self.objects[index].attributes.get(name)
            if declared is not None and declared.type.kind != kind:
                return UNDEFINED
        return self.attribute(index, name, prior)

    def _fact(self, node: r.FactOf, env: list[Tree], prior: bool) -> Tree:
        def cell(arguments: tuple[int, ...]) -> Tree:
            if names_nothing(node.fact.parameters, arguments):
                return UNDEFINED
            return self.read((node.fact.name, arguments), prior)

        return self._spread(node.arguments, env, prior, cell)

    def _derived(self, node: r.DeriveOf, env: list[Tree], prior: bool) -> Tree:
        name = node.derive.name
        return self._spread(node.arguments, env, prior, lambda args: self.derive(name, args, prior))

    def _builtin(self, node: r.Builtin, env: list[Tree], prior: bool) -> Tree:
        return self._spread(
            node.arguments, env, prior, lambda args: self.derive(SCOPE + node.name, args, prior)
        )

    def _spread(
        self,
        nodes: tuple[r.Expr, ...],
        env: list[Tree],
        prior: bool,
        make: Callable[[tuple[int, ...]], Tree],
    ) -> Tree:
        """Ground arguments that are not fixed by choosing among their possible values."""
        self.meter.spend(1)
        trees = [self.tree(node, env, prior) for node in nodes]
        if all(type(item) is int for item in trees):
            values = tuple(trees)
            return UNDEFINED if UNDEFINED in values else make(values)

        def choose(done: tuple[int, ...]) -> Tree:
            if len(done) == len(trees):
                return make(done)
            return self.over(trees[len(done)], lambda value: choose((*done, value)))

        return choose(())

    def _turn(self, node: r.Turn, env: list[Tree], prior: bool) -> Tree:
        return (TURN, prior) if self.turn is None else self.turn

    # -- logic ---------------------------------------------------------------------------

    def _all(self, node: r.AllOf, env: list[Tree], prior: bool) -> Tree:
        kept = []
        for item in node.items:
            found = self.tree(item, env, prior)
            if type(found) is int:
                if found != 1:
                    return 0
            else:
                kept.append(found)
        return conjunction(kept)

    def _any(self, node: r.AnyOf, env: list[Tree], prior: bool) -> Tree:
        kept = []
        for item in node.items:
            found = self.tree(item, env, prior)
            if type(found) is int:
                if found == 1:
                    return 1
            else:
                kept.append(found)
        return disjunction(kept)

    def _cmp(self, node: r.Cmp, env: list[Tree], prior: bool) -> Tree:
        return self.comparison(
            node.op, self.tree(node.left, env, prior), self.tree(node.right, env, prior)
        )

    def comparison(self, op: str, left: Tree, right: Tree) -> Tree:
        if type(left) is int:
            if type(right) is int:
                return compare(op, left, right)
            left, right, op = right, left, MIRROR[op]
        if type(right) is int:
            if right == UNDEFINED:
                return 0
            known = self.possible(left) if op in ("==", "!=") else None
            if known is not None and right not in known:
                if op == "==":
                    return 0
                if UNDEFINED not in known:
                    return 1
        elif left == right and left[0] in (CELL, NUMBER):
            return int(op in ("==", "<=", ">="))
        return (CMP, op, left, right)

    def _undefined(self, node: r.IsUndefined, env: list[Tree], prior: bool) -> Tree:
        item = self.tree(node.item, env, prior)
        if type(item) is int:
            return int(item == UNDEFINED)
        return (UNDEF, item)

    def _one_of(self, node: r.OneOf, env: list[Tree], prior: bool) -> Tree:
        item = self.tree(node.item, env, prior)
        if type(item) is int:
            return int(item in node.values)
        known = self.possible(item)
        values = node.values if known is None else known & node.values
        if known is not None and known <= node.values:
            return 1
        return disjunction([(CMP, "==", item, value) for value in sorted(values)])

    def _changed(self, node: r.Changed, env: list[Tree], prior: bool) -> Tree:
        now = self.tree(node.item, env, prior)
        return self.comparison("!=", now, self.tree(node.item, env, True))

    def _lookup(self, node: r.Lookup, env: list[Tree], prior: bool) -> Tree:
        rows = dict(node.rows)
        return self.over(self.tree(node.item, env, prior), lambda value: rows.get(value, UNDEFINED))

    # -- numbers --------------------------------------------------------------------------

    def _arith(self, node: r.Arith, env: list[Tree], prior: bool) -> Tree:
        left = self.tree(node.left, env, prior)
        right = self.tree(node.right, env, prior)
        return arithmetic(node.op, left, right)

    def _quant(self, node: r.Quant, env: list[Tree], prior: bool) -> Tree:
        pairs: list[tuple[Tree, Tree]] = []
        which = node.which
        self.meter.spend(len(node.values))
        for value in node.values:
            inner = [*env[: node.index], value]
            where = 1 if node.where is None else self.tree(node.where, inner, prior)
            if type(where) is int:
                if where == 1 and which == "any":
                    return 1
                if where != 1 and which == "all":
                    return 0
                if where != 1:
                    continue
            amount = 1 if node.value is None else self.tree(node.value, inner, prior)
            pairs.append((where, amount))
        if which == "any":
            return disjunction([where for where, _ in pairs])
        if which == "all":
            return conjunction([where for where, _ in pairs])
        if which == "count":
            fixed = sum(1 for where, _ in pairs if type(where) is int)
            rest = tuple(where for where, _ in pairs if type(where) is not int)
            return fixed if not rest else arithmetic("+", (COUNT, rest), fixed)
        return fold(which, pairs)
