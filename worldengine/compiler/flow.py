"""What can change, and to which values: relaxed reachability over the resolved world.

A cell is fixed unless some action, rule or hook that might ever apply sets it, or the start
variants differ in it. References carry the set of values they may take, so that `x.in`
ranges over where x can really get. The least fixed point is found by walking all statements
with sets of arguments instead of single ones, again and again until nothing is added;
requirements whose one parameter decides them drop arguments early.
"""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import MAX_CELLS, Meter, OverBudget
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.initial import Initial
from worldengine.compiler.trees import Key, Tree, Unbounded
from worldengine.compiler.types import Type, names_nothing
from worldengine.machine.schema import NONE

Ranges = dict[int, frozenset[int]]
UNKNOWN: Tree = ("unknown",)
MAX_DEPTH = 64
"""Parameters and bound variables that may be in sight at one place."""


class Flow:
    """`assigned` holds the keys that can change; `values` what references may hold."""

    def __init__(self, world: r.Resolved, initial: Initial, meter: Meter) -> None:
        self.world = world
        self.initial = initial
        self.meter = meter
        self.objects = world.objects
        self.assigned: set[Key] = set(initial.varied)
        self.values: dict[Key, set[int]] = {}
        self.fact_types = initial.fact_types
        self._locals: dict[int, frozenset[int]] = {}
        self._keep: list[r.Expr] = []
        self._grew = True
        self.evaluator = Evaluator(
            self.objects, self.cell, self.possible_of, lambda name, args, prior: UNKNOWN, meter
        )
        for key, values in initial.varied.items():
            self.values[key] = set(values)
        while self._grew:
            self._grew = False
            self._pass()

    # -- what the evaluator asks -----------------------------------------------------------

    def type_of(self, key: Key) -> Type:
        return self.initial.type_of(key)

    def cell(self, key: Key) -> int | None:
        return None if key in self.assigned else self.initial.value(key)

    def possible_of(self, key: Key) -> frozenset[int] | None:
        if key[0] == "derived":
            return None
        declared = self.type_of(key)
        if declared.kind == "ref":
            values = self.values.get(key)
            return frozenset({self.initial.value(key)}) if values is None else frozenset(values)
        if declared.kind == "enum":
            return frozenset(declared.symbols)
        if declared.kind == "bool":
            return frozenset({0, 1})
        if declared.kind == "int" and declared.high - declared.low <= 1000:
            return frozenset(range(declared.low, declared.high + 1))
        if declared.kind == "text" and key in self.values:
            return frozenset(self.values[key])
        return None

    # -- one pass ----------------------------------------------------------------------------

    def _pass(self) -> None:
        for action in self.world.actions:
            self.meter.at = action.span if action.own else None
            ranges: Ranges | None = {
                index: frozenset(parameter.values)
                for index, parameter in enumerate(action.parameters)
                if parameter.kind != "number"
            }
            for index, parameter in enumerate(action.parameters):
                if parameter.scope == "held" and ranges is not None:
                    ranges[index] = frozenset(v for v in ranges[index] if self._holdable(v))
            for demand in action.demands:
                if not demand.guard and ranges is not None:
                    ranges = self._restrict(demand.condition, ranges)
            if ranges is None:
                continue
            for guarded in action.body:
                inner: Ranges | None = dict(ranges)
                for index, values in guarded.guard:
                    if inner is not None and index in inner:
                        inner[index] = inner[index] & values
                        inner = inner if inner[index] else None
                if inner is not None:
                    self._statements(guarded.body, inner)
        for rule in self.world.rules:
            self.meter.at = rule.span
            ranges = {} if rule.when is None else self._restrict(rule.when, {})
            if ranges is not None:
                self._statements(rule.body, ranges)

    def _holdable(self, index: int) -> bool:
        key = (index, "in")
        places = self.values.get(key) or {self.initial.value(key)}
        return any(
            place == self.world.player
            or (place != NONE and self.objects[place].role not in ("place", "person"))
            for place in places
        )

    def _statements(self, nodes: tuple[r.Statement, ...], ranges: Ranges) -> None:
        for node in nodes:
            if isinstance(node, r.SetTo):
                self._set(node, ranges)
            elif isinstance(node, r.IfDo):
                for condition, body in node.branches:
                    inner = self._restrict(condition, ranges)
                    if inner is not None:
                        self._statements(body, inner)
                self._statements(node.otherwise, ranges)
            elif isinstance(node, r.EachDo):
                bound: Ranges | None = {**ranges, node.index: frozenset(node.values)}
                if node.where is not None and bound is not None:
                    bound = self._restrict(node.where, bound)
                if bound is not None and bound[node.index]:
                    self._statements(node.body, bound)

    def _set(self, node: r.SetTo, ranges: Ranges) -> None:
        keys = self._keys(node.target, ranges)
        self.meter.spend(len(keys))
        declared = node.target.type
        found = self._possible(node.value, ranges) if declared.kind == "ref" else None
        for key in keys:
            if key not in self.assigned:
                self._assign(key, node)
            if declared.kind == "ref":
                self.meter.spend(1 if found is None else 1 + len(found))
                known = self.values.setdefault(key, {self.initial.value(key)})
                extra = self._legal(key, found) - known
                if extra:
                    known |= extra
                    self._grew = True

    def _assign(self, key: Key, node: r.SetTo) -> None:
        if len(self.assigned) >= MAX_CELLS:
            raise OverBudget(
                "budget-cells",
                node.span,
                f"more than {MAX_CELLS} attributes and facts could change",
                "a fact over two or three large kinds multiplies: use smaller kinds",
            )
        self.assigned.add(key)
        self._grew = True

    def _legal(self, key: Key, found: frozenset[int] | None) -> frozenset[int]:
        """The values of `found` that may be stored in the cell."""
        every = found if found is not None else self._all_of(self.type_of(key))
        return frozenset(value for value in every if self.initial.legal(key, value))

    def _all_of(self, declared: Type) -> frozenset[int]:
        return frozenset({NONE, *(item.index for item in self.objects)})

    def _keys(self, target: r.AttrOf | r.FactOf, ranges: Ranges) -> list[Key]:
        if isinstance(target, r.AttrOf):
            bases = self._possible(target.base, ranges)
            if bases is None:
                bases = self._all_of(target.base.type)
            return [
                (index, target.name)
                for index in sorted(bases)
                if self._has(index, target.name, target.type)
            ]
        choices: list[tuple[int, ...]] = [()]
        for argument, declared in zip(target.arguments, target.fact.parameters, strict=True):
            values = self._possible(argument, ranges)
            if values is None:
                values = self._domain(declared)
            self.meter.spend(len(choices) * len(values))
            choices = [(*done, value) for done in choices for value in sorted(values)]
        kinds = target.fact.parameters
        return [
            (target.fact.name, choice) for choice in choices if not names_nothing(kinds, choice)
        ]

    def _has(self, index: int, name: str, declared: Type) -> bool:
        """Whether the object has this attribute, of this sort."""
        if index < 0 or name not in self.objects[index].values:
            return False
        return name == "in" or self.objects[index].attributes[name].type.kind == declared.kind

    def _domain(self, declared: Type) -> frozenset[int]:
        if declared.kind == "int":
            return frozenset(range(declared.low, declared.high + 1))
        if declared.kind == "enum":
            return frozenset(declared.symbols)
        kinds = self.world.kinds
        return frozenset(
            item.index for item in self.objects if declared.of in kinds[item.kind].ancestors
        )

    # -- sets of values ---------------------------------------------------------------------

    def _possible(self, node: r.Expr, ranges: Ranges) -> frozenset[int] | None:
        if isinstance(node, r.Const):
            return frozenset({node.value})
        if isinstance(node, r.Local):
            return ranges.get(node.index)
        if isinstance(node, r.Prior):
            return self._possible(node.item, ranges)
        if isinstance(node, r.AttrOf):
            bases = self._possible(node.base, ranges)
            if bases is None:
                return None
            found: set[int] = set()
            for index in bases:
                if self._has(index, node.name, node.type):
                    known = self.possible_of((index, node.name))
                    if known is None:
                        return None
                    found |= known
            return frozenset(found)
        if isinstance(node, r.FactOf):
            found = set()
            for key in self._keys(node, ranges):
                known = self.possible_of(key)
                if known is None:
                    return None
                found |= known
            return frozenset(found)
        return None

    # -- conditions that narrow the arguments -------------------------------------------------

    def _restrict(self, node: r.Expr, ranges: Ranges) -> Ranges | None:
        """The arguments for which `node` may hold; None if for none."""
        if isinstance(node, r.AllOf):
            found: Ranges | None = ranges
            for item in node.items:
                if found is None:
                    return None
                found = self._restrict(item, found)
            return found
        indices = self._indices(node)
        known = [index for index in indices if index in ranges]
        if len(known) != len(indices) or len(indices) > 1:
            return ranges
        if not indices:
            return ranges if self._may_hold(node, [UNKNOWN] * MAX_DEPTH) else None
        index = known[0]
        kept = set()
        self.meter.spend(len(ranges[index]))
        for value in ranges[index]:
            env: list[Tree] = [UNKNOWN] * MAX_DEPTH
            env[index] = value
            if self._may_hold(node, env):
                kept.add(value)
        return {**ranges, index: frozenset(kept)} if kept else None

    def _may_hold(self, node: r.Expr, env: list[Tree]) -> bool:
        try:
            found = self.evaluator.tree(node, env)
        except Unbounded:
            return True
        return type(found) is not int or found == 1

    def _indices(self, node: r.Expr) -> frozenset[int]:
        """Places of the environment an expression reads, bound variables left out."""
        cached = self._locals.get(id(node))
        if cached is None:
            cached = frozenset(free_locals(node))
            self._locals[id(node)] = cached
            self._keep.append(node)
        return cached


def free_locals(node: object) -> set[int]:
    if isinstance(node, r.Local):
        return {node.index}
    if isinstance(node, r.Quant):
        inner = free_locals(node.where) | free_locals(node.value)
        return inner - {node.index}
    found: set[int] = set()
    if isinstance(node, tuple):
        for item in node:
            found |= free_locals(item)
    elif hasattr(node, "__dataclass_fields__") and not isinstance(node, r.Const | Type):
        for name in ("item", "items", "left", "right", "base", "arguments"):
            child = getattr(node, name, None)
            if child is not None:
                found |= free_locals(child)
    return found
