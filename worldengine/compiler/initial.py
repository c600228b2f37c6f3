"""The starts: first values, `vary` rows, then the `start` block, for every variant.

Everything is concrete here, so the partial evaluator yields plain numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import Meter, OverBudget
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.scopes import NAMES, Scopes
from worldengine.compiler.tables import LOCATION
from worldengine.compiler.trees import Key, Tree, arithmetic
from worldengine.compiler.types import DeriveInfo, Type, names_nothing
from worldengine.machine.schema import NONE, UNDEFINED


class Initial:
    """`value(key)` in variant 0; `varied` maps the keys in which variants differ to their
    values; `starts[i]` is what variant i sets beside the first values."""

    def __init__(self, world: r.Resolved, derives: Mapping[str, DeriveInfo], meter: Meter) -> None:
        self.world = world
        self.derives = derives
        self.meter = meter
        self.objects = world.objects
        self.fact_types = {fact.name: fact for fact in world.facts}
        self._facts = {fact.name: fact.default for fact in world.facts}
        self.rows: list[tuple[int, ...]] = list(
            product(*(range(len(vary.rows)) for vary in world.varies))
        )
        self.starts: list[dict[Key, int]] = [self._variant(row) for row in self.rows]
        self._first = self.starts[0]
        self.varied: dict[Key, tuple[int, ...]] = self._varied()

    def type_of(self, key: Key) -> Type:
        """The type of a cell, as its own object or fact declares it."""
        if isinstance(key[0], int):
            return LOCATION if key[1] == "in" else self.objects[key[0]].attributes[key[1]].type
        return self.fact_types[key[0]].type

    def legal(self, key: Key, value: int) -> bool:
        """Whether a value may stand in a cell: of its kind, and somewhere things can be."""
        declared = self.type_of(key)
        if declared.kind != "ref":
            return True
        if value == NONE:
            return declared.optional and key != (self.world.player, "in")
        kind, role = self.objects[value].kind, self.objects[value].role
        if key[1] == "in":
            if key[0] == self.world.player:
                return role == "place"
            return value != key[0] and role not in ("exit", "concept")
        return not declared.of or declared.of in self.world.kinds[kind].ancestors

    def first(self, key: Key) -> int:
        """The value before any variant or `start`."""
        if isinstance(key[0], int):
            return self.objects[key[0]].values[key[1]]
        return self._facts[key[0]]

    def value(self, key: Key) -> int:
        found = self._first.get(key)
        return self.first(key) if found is None else found

    def _varied(self) -> dict[Key, tuple[int, ...]]:
        keys = list(dict.fromkeys(key for start in self.starts for key in start))
        found = {}
        for key in keys:
            default = self.first(key)
            values = tuple(dict.fromkeys(start.get(key, default) for start in self.starts))
            if len(values) > 1:
                found[key] = values
        return found

    def _variant(self, row: tuple[int, ...]) -> dict[Key, int]:
        changed: dict[Key, int] = {}
        concrete = Concrete(self, changed)
        for number, vary in zip(row, self.world.varies, strict=True):
            for target, value in zip(vary.targets, vary.rows[number], strict=True):
                for key in concrete.keys(target, []):
                    changed[key] = value.value
        concrete.run(self.world.starts, [])
        for vary in self.world.varies:
            keys = [key for target in vary.targets for key in concrete.keys(target, [])]
            if any(key[1] == "in" and concrete.holds_itself(key[0]) for key in keys):
                raise OverBudget(
                    "containment-circle",
                    vary.span,
                    "in one of the starts something is inside itself",
                    "let each row of the `vary` name a place, or a thing that is elsewhere",
                )
        return changed

    def labels(self, row: tuple[int, ...]) -> list[tuple[r.AttrOf | r.FactOf, r.Const]]:
        """(target, value) of every `vary` in a variant."""
        found = []
        for number, vary in zip(row, self.world.varies, strict=True):
            found += list(zip(vary.targets, vary.rows[number], strict=True))
        return found


MAX_OPEN = 60
"""Derived values that may wait for one another; more would outgrow the stack."""


class Concrete:
    """Runs statements on known values; used for `start` only."""

    def __init__(self, initial: Initial, changed: dict[Key, int]) -> None:
        self.initial = initial
        self.changed = changed
        self.evaluator = Evaluator(
            initial.objects, self.read, lambda key: None, self._derive, initial.meter
        )
        self.evaluator.turn = 0
        self._open: set[tuple[str, tuple[int, ...]]] = set()
        self.scopes = Scopes(initial.world, self.evaluator)

    def read(self, key: Key) -> int:
        found = self.changed.get(key)
        return self.initial.first(key) if found is None else found

    def _derive(self, name: str, arguments: tuple[int, ...], prior: bool) -> Tree:
        if name in NAMES:
            return self.scopes.tree(name, arguments, prior)
        if names_nothing(self.initial.derives[name].types, arguments):
            return UNDEFINED
        if (name, arguments) in self._open:
            return 0  # the least fixed point: what needs itself does not hold
        if len(self._open) >= MAX_OPEN:
            raise OverBudget(
                "budget-work",
                None,
                "a derived value asks for too many others to be worked out at the start",
                "leave it out of `start`, or let it ask for fewer",
            )
        self._open.add((name, arguments))
        body: r.Expr = self.initial.derives[name].body  # type: ignore[assignment]
        found = self.evaluator.tree(body, list(arguments), prior)
        self._open.discard((name, arguments))
        return found

    def holds_itself(self, index: int) -> bool:
        """Whether following `in` from an object leads back to it."""
        at, seen = self.read((index, "in")), set()
        while at not in (NONE, UNDEFINED, index) and at not in seen:
            seen.add(at)
            at = self.evaluator.attribute(at, "in", False)
        return at == index

    def keys(self, target: r.AttrOf | r.FactOf, env: list[Tree]) -> list[Key]:
        if isinstance(target, r.AttrOf):
            base = self.evaluator.tree(target.base, env)
            if base in (NONE, UNDEFINED) or target.name not in self.initial.objects[base].values:
                return []
            return [(base, target.name)]
        values = tuple(self.evaluator.tree(item, env) for item in target.arguments)
        if UNDEFINED in values or names_nothing(target.fact.parameters, values):
            return []
        return [(target.fact.name, values)]

    def run(self, nodes: tuple[r.Statement, ...], env: list[Tree]) -> None:
        for node in nodes:
            if isinstance(node, r.SetTo):
                self._set(node, env)
            elif isinstance(node, r.IfDo):
                for condition, body in node.branches:
                    if self.evaluator.tree(condition, env) == 1:
                        self.run(body, env)
                        break
                else:
                    self.run(node.otherwise, env)
            elif isinstance(node, r.EachDo):
                self.initial.meter.spend(len(node.values))
                for value in node.values:
                    inner = [*env[: node.index], value]
                    if node.where is None or self.evaluator.tree(node.where, inner) == 1:
                        self.run(node.body, inner)

    def _set(self, node: r.SetTo, env: list[Tree]) -> None:
        value = self.evaluator.tree(node.value, env)
        for key in self.keys(node.target, env):
            if node.op != "=":
                value = arithmetic("+" if node.op == "+=" else "-", self.read(key), value)
            if value != UNDEFINED and self.initial.legal(key, value):
                before = self.read(key)
                self.changed[key] = stored(self.initial.type_of(key), value)
                if key[1] == "in" and self.holds_itself(key[0]):
                    self.changed[key] = before


def stored(declared: Type, value: int) -> int:
    """Numbers stop at the ends of their range."""
    if declared.kind == "int":
        return min(max(value, declared.low), declared.high)
    return value
