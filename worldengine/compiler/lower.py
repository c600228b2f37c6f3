"""Lowering: ground actions, rules and derived values become programs of the Machine."""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.compiler import resolved as r
from worldengine.compiler.code import Code
from worldengine.compiler.doing import Doing, told_at
from worldengine.compiler.notes import Note
from worldengine.compiler.saying import Saying
from worldengine.compiler.trees import Tree
from worldengine.machine.schema import (
    CONST,
    EQ,
    LOST,
    NONE,
    RUNNING,
    WON,
    Assign,
    Program,
    Requirement,
    Test,
)
from worldengine.source import Span


@dataclass(frozen=True, slots=True)
class GroundAction:
    """A lowered operator: its program, where the requirements begin and where they end."""

    program: Program
    requirements: tuple[tuple[int, int, Span], ...]
    body: int
    notes: tuple[Note, ...]

    def as_requirements(self, spans: list[int]) -> tuple[Requirement, ...]:
        return tuple(
            Requirement(entry, refusal, span)
            for (entry, refusal, _), span in zip(self.requirements, spans, strict=True)
        )


class Lower(Doing):
    """Lowers one construct at a time."""

    # -- whole constructs ---------------------------------------------------------------------

    def action(self, action: r.ActionInfo, env: list[Tree]) -> GroundAction:
        self.ground.meter.at = action.span if action.own else None
        code = self.ground.code()
        requirements = []
        refused = False
        for demand in action.demands:
            if not self._applies(demand.guard, env):
                continue
            tree = self._tree(demand.condition, env, demand.span)
            if type(tree) is int and tree == 1:
                continue
            entry = code.here(kept=True)
            requirements.append((entry, demand.refusal, demand.span))
            refused = type(tree) is int
            self._demand(code, demand, tree, env)
            if refused:
                break
        body = code.here(kept=True)
        if not refused:
            for guarded in action.body:
                if self._applies(guarded.guard, env):
                    self.statements(code, guarded.body, env)
        program, where = code.finish()
        entries = tuple((where[entry], refusal, span) for entry, refusal, span in requirements)
        return GroundAction(program, entries, where[body], code.notes)

    def _applies(self, guard: tuple[tuple[int, frozenset[int]], ...], env: list[Tree]) -> bool:
        return all(env[index] in values for index, values in guard)

    def _demand(self, code: Code, demand: r.Demand, tree: Tree, env: list[Tree]) -> None:
        holds = code.label()
        if type(tree) is not int:
            fails = code.label()
            with told_at(demand.span):
                code.branch(tree, holds, fails)
            code.place(fails)
        self._say(code, demand.text, env, demand.span)
        code.refuse(demand.refusal)
        code.place(holds)

    def rule(self, rule: r.RuleInfo) -> tuple[Program, tuple[Note, ...]]:
        self.ground.meter.at = rule.span
        code = self.ground.code()
        run, end = code.label(), code.label()
        condition = 1 if rule.when is None else self._tree(rule.when, [], rule.span)
        if type(condition) is int and condition != 1:
            return (), ()
        for slot, value in self._rule_guards(rule):
            more = code.label()
            code.test(Test(slot, EQ, -1, value), more, end)
            code.place(more)
        if type(condition) is not int:
            with told_at(rule.span):
                code.branch(condition, run, end)
        code.place(run)
        for assign in self._rule_marks(rule):
            code.assign(assign)
        self.statements(code, rule.body, [])
        code.place(end)
        program, _ = code.finish()
        return program, code.notes

    def _rule_guards(self, rule: r.RuleInfo) -> list[tuple[int, int]]:
        """(slot, value) that must hold before the rule is looked at."""
        if rule.kind == "milestone":
            return [(self.ground.latch[rule.name], 0)]
        if rule.kind in ("win", "lose"):
            return [(self.ground.status, RUNNING)]
        return [(self.ground.once[rule.name], 0)] if rule.once else []

    def _rule_marks(self, rule: r.RuleInfo) -> list[Assign]:
        if rule.kind == "milestone":
            return [Assign(self.ground.latch[rule.name], CONST, -1, -1, 1)]
        if rule.kind in ("win", "lose"):
            ending = WON if rule.kind == "win" else LOST
            return [Assign(self.ground.status, CONST, -1, -1, ending)]
        return [Assign(self.ground.once[rule.name], CONST, -1, -1, 1)] if rule.once else []

    def derived(self, number: int) -> Program:
        ground = self.ground
        tree = ground.derived_trees[number]
        target = ground.derived_base + number
        code = ground.code()
        name = ground.derived[number][0]
        ground.meter.at = ground.derives[name].node.name.span if name in ground.derives else None
        declared = ground.derives[name].type if name in ground.derives else None
        if declared is None or declared.kind == "bool":
            yes, end = code.label(), code.label()
            with told_at(None):
                code.branch(tree, yes, end)
            code.place(yes)
            code.assign(Assign(target, CONST, -1, -1, 1))
            code.place(end)
        else:
            if declared.kind == "ref":
                code.assign(Assign(target, CONST, -1, -1, NONE))
            with told_at(None):
                code.store(tree, target)
        return code.finish()[0]

    def block(self, name: str) -> tuple[Program, tuple[Note, ...]]:
        code = self.ground.code()
        if name == "look":
            self.statements(code, self.ground.world.look, [])
        else:
            derive = self.ground.derives[name]
            saying = Saying(self.ground, code, self.blocks, opens=False)
            with code.writing(derive.node.span):
                saying.say(derive.body, [])  # type: ignore[arg-type]
        program, _ = code.finish()
        return program, code.notes
