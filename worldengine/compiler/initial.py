"""The starts: first values, `vary` rows, then the `start` block, for every variant.

Everything is concrete here, so the partial evaluator yields plain numbers.
"""

from __future__ import annotations

from itertools import product

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import Meter
from worldengine.compiler.constants import zero
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.scopes import Scopes
from worldengine.compiler.trees import Key, Tree, arithmetic
from worldengine.compiler.types import Type
from worldengine.machine.schema import NONE, UNDEFINED


class Initial:
    """`value(key)` in variant 0; `varied` maps the keys in which variants differ to their
    values; `starts[i]` is what variant i sets beside the first values."""

    def __init__(self, world: r.Resolved, meter: Meter) -> None:
        self.world = world
        self.meter = meter
        self.objects = world.objects
        self._facts = {fact.name: zero(fact.type) for fact in world.facts}
        self.rows: list[tuple[int, ...]] = list(
            product(*(range(len(vary.rows)) for vary in world.varies))
        )
        self.starts: list[dict[Key, int]] = [self._variant(row) for row in self.rows]
        self._first = self.starts[0]
        self.varied: dict[Key, tuple[int, ...]] = self._varied()

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
        return changed

    def labels(self, row: tuple[int, ...]) -> list[tuple[r.AttrOf | r.FactOf, r.Const]]:
        """(target, value) of every `vary` in a variant."""
        found = []
        for number, vary in zip(row, self.world.varies, strict=True):
            found += list(zip(vary.targets, vary.rows[number], strict=True))
        return found


class Concrete:
    """Runs statements on known values; used for `start` only."""

    def __init__(self, initial: Initial, changed: dict[Key, int]) -> None:
        self.initial = initial
        self.changed = changed
        self.evaluator = Evaluator(
            initial.objects, self.read, lambda key: None, self._derive, initial.meter
        )
        self.evaluator.turn = 0
        self.scopes = Scopes(initial.world, self.evaluator)

    def read(self, key: Key) -> int:
        found = self.changed.get(key)
        return self.initial.first(key) if found is None else found

    def _derive(self, name: str, arguments: tuple[int, ...], prior: bool) -> Tree:
        return self.scopes.tree(name, arguments, prior)

    def keys(self, target: r.AttrOf | r.FactOf, env: list[Tree]) -> list[Key]:
        if isinstance(target, r.AttrOf):
            base = self.evaluator.tree(target.base, env)
            if base in (NONE, UNDEFINED) or target.name not in self.initial.objects[base].values:
                return []
            return [(base, target.name)]
        values = tuple(self.evaluator.tree(item, env) for item in target.arguments)
        return [] if UNDEFINED in values else [(target.fact.name, values)]

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
            if value != UNDEFINED:
                self.changed[key] = stored(node.target.type, value)


def stored(declared: Type, value: int) -> int:
    """Numbers stop at the ends of their range."""
    if declared.kind == "int":
        return min(max(value, declared.low), declared.high)
    return value
