"""A second opinion about a turn: it walks the resolved tree, where the Machine runs programs.

Grounding, the relaxed flow, inlining, jumps and registers are what the two do not share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from worldengine.compiler import resolved as r
from worldengine.compiler.assemble import assemble
from worldengine.compiler.budget import Meter
from worldengine.compiler.collect import collect
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.ground import Ground
from worldengine.compiler.initial import Initial, stored
from worldengine.compiler.library import used_library
from worldengine.compiler.reporter import Reporter
from worldengine.compiler.resolve import resolve
from worldengine.compiler.scopes import NAMES, Scopes
from worldengine.compiler.tables import Tables
from worldengine.compiler.trees import Key, Tree, arithmetic
from worldengine.compiler.types import names_nothing
from worldengine.machine.schema import LOST, NONE, RUNNING, UNDEFINED, WON, Machine, State
from worldengine.source import Source
from worldengine.syntax import parse


@dataclass(frozen=True, slots=True)
class Compiled:
    """All that the compiler knows about a script."""

    world: r.Resolved
    ground: Ground
    machine: Machine


def compiled(text: str) -> Compiled:
    document, _ = parse(Source("random.world", text))
    assert document is not None
    reporter = Reporter()
    tables = Tables(reporter)
    library = used_library(document, reporter)
    collect(tables, document, library)
    world = resolve(tables, document, library)
    ground = Ground(tables, world)
    return Compiled(world, ground, assemble(ground)[0])


class _Reading(Evaluator):
    """Everything is known: cells are read from the walk."""

    walk: Walk

    def read(self, key: Key, prior: bool) -> Tree:
        return self.walk.read(key, prior)


class Walk:
    """One turn over a state, by the tree."""

    def __init__(self, compiled: Compiled, state: State) -> None:
        self.compiled = compiled
        self.world = compiled.world
        ground = compiled.ground
        self.initial: Initial = ground.initial
        self.now = {key: state[slot] for key, slot in ground.index.items()}
        self.before = dict(self.now)
        self.extra = dict(enumerate(state))
        evaluator = _Reading(
            self.world.objects, lambda key: None, lambda key: None, self._derive, Meter()
        )
        evaluator.walk = self
        self.evaluator: Evaluator = evaluator
        self.turn = 0
        if ground.turn >= 0:
            self.turn = state[ground.turn]
        self.turn_before = self.turn
        self.scopes = Scopes(self.world, self.evaluator)
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()

    def read(self, key: Key, prior: bool) -> int:
        cells = self.before if prior else self.now
        found = cells.get(key)
        return self.initial.value(key) if found is None else found

    def value(self, node: r.Expr, env: Sequence[Tree]) -> Tree:
        self.evaluator.turn = self.turn
        return self.evaluator.tree(node, list(env))

    def _derive(self, name: str, arguments: tuple[int, ...], prior: bool) -> Tree:
        key = (name, arguments, prior)
        if key in self._open:
            return 0
        self._open.add(key)
        try:
            if name in NAMES:
                return self.scopes.body(name, arguments, prior)
            derive = self.compiled.ground.derives[name]
            if names_nothing(derive.types, arguments):
                return UNDEFINED
            body: r.Expr = derive.body  # type: ignore[assignment]
            found = self.evaluator.tree(body, list(arguments), prior)
            if found == UNDEFINED:
                return {"bool": 0, "ref": NONE}.get(derive.type.kind, UNDEFINED)
            return stored(derive.type, found)
        finally:
            self._open.discard(key)

    # -- a turn --------------------------------------------------------------------------

    def act(self, action: r.ActionInfo, env: list[Tree]) -> int:
        """0 and the turn done, or the class of the refusal."""
        for demand in action.demands:
            if _applies(demand.guard, env) and self.value(demand.condition, env) != 1:
                return demand.refusal
        self.turn += 1
        for guarded in action.body:
            if _applies(guarded.guard, env):
                self.run(guarded.body, env)
        for rule in self.world.rules:
            self._rule(rule)
        return 0

    def _rule(self, rule: r.RuleInfo) -> None:
        ground = self.compiled.ground
        slot = NONE
        if rule.kind == "milestone":
            slot = ground.latch[rule.name]
        elif rule.kind == "rule" and rule.once:
            slot = ground.once[rule.name]
        ending = rule.kind in ("win", "lose")
        if (slot >= 0 and self.extra[slot]) or (ending and self.extra[ground.status] != RUNNING):
            return
        if rule.when is not None and self.value(rule.when, []) != 1:
            return
        if slot >= 0:
            self.extra[slot] = 1
        if ending:
            self.extra[ground.status] = WON if rule.kind == "win" else LOST
        self.run(rule.body, [])

    def run(self, nodes: tuple[r.Statement, ...], env: list[Tree]) -> None:
        for node in nodes:
            if isinstance(node, r.SetTo):
                self._set(node, env)
            elif isinstance(node, r.IfDo):
                for condition, body in node.branches:
                    if self.value(condition, env) == 1:
                        self.run(body, env)
                        break
                else:
                    self.run(node.otherwise, env)
            elif isinstance(node, r.EachDo):
                for value in node.values:
                    inner = [*env[: node.index], value]
                    if node.where is None or self.value(node.where, inner) == 1:
                        self.run(node.body, inner)

    def _set(self, node: r.SetTo, env: list[Tree]) -> None:
        value = self.value(node.value, env)
        key = self._key(node.target, env)
        if key is None:
            return
        if node.op != "=":
            value = arithmetic(node.op[0], self.read(key, False), value)
        if value == UNDEFINED or not self.initial.legal(key, value):
            return
        if key[1] == "in" and self._inside(value, key[0]):
            return
        self.now[key] = stored(self.initial.type_of(key), value)

    def _inside(self, at: int, index: int) -> bool:
        seen = set()
        while at not in (NONE, UNDEFINED) and at not in seen:
            if at == index:
                return True
            seen.add(at)
            at = self.evaluator.attribute(at, "in", False)
        return False

    def _key(self, target: r.AttrOf | r.FactOf, env: list[Tree]) -> Key | None:
        if isinstance(target, r.AttrOf):
            base = self.value(target.base, env)
            if base in (NONE, UNDEFINED):
                return None
            return (base, target.name) if target.name in self.world.objects[base].values else None
        values = tuple(self.value(item, env) for item in target.arguments)
        if UNDEFINED in values or names_nothing(target.fact.parameters, values):
            return None
        return target.fact.name, values

    # -- what came of it -----------------------------------------------------------------

    def differences(self, state: State) -> list[str]:
        """Where a state is not what the walk came to."""
        ground = self.compiled.ground
        names = [variable.name for variable in self.compiled.machine.variables]
        wanted = dict(self.extra)
        wanted |= {slot: self.now[key] for key, slot in ground.index.items()}
        if ground.turn >= 0:
            wanted[ground.turn] = min(self.turn, self.world.turns)
        return [
            f"{names[slot]} is {state[slot]}, the tree says {value}"
            for slot, value in wanted.items()
            if state[slot] != value
        ]


def _applies(guard: tuple[tuple[int, frozenset[int]], ...], env: list[Tree]) -> bool:
    return all(env[index] in values for index, values in guard)


def environment(compiled: Compiled, operator: int, number: int) -> tuple[r.ActionInfo, list[Tree]]:
    """The action of an operator and its arguments as the tree sees them."""
    machine = compiled.machine
    ground = machine.operators[operator]
    schema = machine.schemas[ground.schema]
    named = (schema.name, schema.own)
    action = next(item for item in compiled.world.actions if (item.name, item.own) == named)
    env: list[Tree] = []
    for info, argument in zip(action.parameters, ground.arguments, strict=True):
        if info.kind != "number":
            env.append(argument)
        else:
            env.append(number if argument == NONE else int(machine.symbols[argument].id))
    return action, env
