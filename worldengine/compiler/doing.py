"""Statements to steps: what is set, said, decided and repeated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from worldengine.compiler import resolved as r
from worldengine.compiler import trees as e
from worldengine.compiler.budget import OverBudget
from worldengine.compiler.code import Code, TooComplex
from worldengine.compiler.ground import Ground
from worldengine.compiler.initial import stored
from worldengine.compiler.saying import Saying
from worldengine.compiler.trees import SCOPE, Key, Tree
from worldengine.compiler.types import names_nothing
from worldengine.machine.schema import (
    CONST,
    COPY,
    NE,
    NONE,
    UNDEFINED,
    Assign,
    Test,
)
from worldengine.source import Span


class Doing:
    """Lowers statements over a shared `Ground`; `blocks` numbers the texts they call."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.blocks: dict[str, int] = {"look": 0}

    # -- statements -----------------------------------------------------------------------------

    def statements(self, code: Code, nodes: tuple[r.Statement, ...], env: list[Tree]) -> None:
        self.ground.meter.spend(len(nodes))
        for node in nodes:
            mark = code.used
            if isinstance(node, r.SetTo):
                with told_at(node.span):
                    self._set(code, node, env)
            elif isinstance(node, r.SayText):
                self._say(code, node.text, env, node.span)
            elif isinstance(node, r.IfDo):
                self._if(code, node, env)
            else:
                self._each(code, node, env)
            code.used = mark

    def _say(self, code: Code, text: r.TextTree, env: list[Tree], span: Span) -> None:
        saying = Saying(self.ground, code, self.blocks, opens=True)
        with told_at(span), code.writing(span):
            saying.say(text, env)

    def _if(self, code: Code, node: r.IfDo, env: list[Tree]) -> None:
        end = code.label()
        for (condition, body), span in zip(node.branches, node.spans, strict=True):
            tree = self._tree(condition, env, None)
            if type(tree) is int:
                if tree == 1:
                    self.statements(code, body, env)
                    code.place(end)
                    return
                continue
            with told_at(None), code.where(tree, span):
                self.statements(code, body, env)
                code.jump(end)
        self.statements(code, node.otherwise, env)
        code.place(end)

    def _each(self, code: Code, node: r.EachDo, env: list[Tree]) -> None:
        self.ground.meter.spend(len(node.values))
        for value in node.values:
            inner = [*env[: node.index], value]
            tree = 1 if node.where is None else self._tree(node.where, inner, None)
            if type(tree) is int:
                if tree == 1:
                    self.statements(code, node.body, inner)
                continue
            with told_at(None), code.where(tree, node.span):
                self.statements(code, node.body, inner)

    # -- set ------------------------------------------------------------------------------------

    def _set(self, code: Code, node: r.SetTo, env: list[Tree]) -> None:
        value = self._tree(node.value, env, node.span)
        if isinstance(node.target, r.AttrOf):
            name = node.target.name
            trees = [self._tree(node.target.base, env, node.span)]
            self._target(code, trees, (), lambda at: (at[0], name), node, value)
        else:
            fact = node.target.fact.name
            trees = [self._tree(item, env, node.span) for item in node.target.arguments]
            self._target(code, trees, (), lambda at: (fact, at), node, value)

    def _target(
        self,
        code: Code,
        trees: list[Tree],
        done: tuple[int, ...],
        make: object,
        node: r.SetTo,
        value: Tree,
    ) -> None:
        """Store into the cell the trees name; one branch for each value they may have."""
        if not trees:
            nothing = (
                names_nothing(node.target.fact.parameters, done)
                if isinstance(node.target, r.FactOf)
                else NONE in done
            )
            if UNDEFINED not in done and not nothing:
                self._store(code, make(done), node, value)  # type: ignore[operator]
            return
        tree, rest = trees[0], trees[1:]
        if type(tree) is int:
            self._target(code, rest, (*done, tree), make, node, value)
            return
        values = self.ground.evaluator.possible(tree)
        if values is None:
            raise e.Unbounded(tree)
        self.ground.meter.spend(len(values))
        at = code.slot(tree)
        end = code.label()
        for item in sorted(values):
            if item == UNDEFINED:
                continue
            with code.case(at, item, end):
                self._target(code, rest, (*done, item), make, node, value)
        code.place(end)

    def _store(self, code: Code, key: Key, node: r.SetTo, value: Tree) -> None:
        ground = self.ground
        target = ground.index.get(key)
        if target is None:
            return  # nothing that could happen here reaches this cell
        declared = ground.flow.type_of(key)
        if node.op != "=":
            value = e.arithmetic(node.op[0], ground.evaluator.read(key, False), value)
        if declared.kind == "ref":
            self._store_reference(code, key, target, value)
        elif type(value) is int:
            if value != UNDEFINED:
                code.store(stored(declared, value), target)
        else:
            code.store(value, target)

    def _store_reference(self, code: Code, key: Key, target: int, value: Tree) -> None:
        """Only values that may stand in the cell are stored, and nothing enters itself."""
        ground = self.ground
        domain = set(ground.variables[target].domain)
        possible = ground.evaluator.possible(value)
        values = domain if possible is None else possible
        if type(value) is int and value not in domain:
            return
        end = code.label()
        source: Tree = value
        slot = -1
        illegal = sorted(values - domain) if type(value) is not int else []
        if type(value) is not int:
            slot = code.slot(value)
        for bad in illegal:
            more = code.label()
            test = Test(slot, NE, -1, bad) if bad != UNDEFINED else None
            if test is None:
                continue  # storing an undefined value does nothing anyway
            code.test(test, more, end)
            code.place(more)
        if isinstance(key[0], int) and key[1] == "in":
            circle = self._circle(key[0], source)
            if type(circle) is int and circle == 1:
                code.place(end)
                return
            if type(circle) is not int:
                go = code.label()
                code.branch(circle, end, go)
                code.place(go)
        if slot >= 0:
            code.assign(Assign(target, COPY, slot, -1, 0))
        else:
            code.assign(Assign(target, CONST, -1, -1, value))
        code.place(end)

    def _circle(self, index: int, value: Tree) -> Tree:
        """Whether what the object would be put into is inside it already."""
        ground = self.ground

        def inside(at: int) -> Tree:
            if at == NONE or ground.objects[at].role in ("place", "player"):
                return 0
            return 1 if at == index else ground.derive(SCOPE + "inside", (at, index), False)

        found = ground.evaluator.over(value, inside)
        if type(found) is int:
            return 0 if found == UNDEFINED else found
        never = found[0] == e.SELECT and all(row == 0 for _, row in found[2])
        return 0 if never else found

    # -- trees ------------------------------------------------------------------------------------

    def _tree(self, node: r.Expr, env: list[Tree], span: Span | None) -> Tree:
        with told_at(span):
            return self.ground.evaluator.tree(node, env)


@contextmanager
def told_at(span: Span | None) -> Iterator[None]:
    """What is too complex to be lowered inside is the author's matter, and told at `span`."""
    try:
        yield
    except TooComplex:
        raise OverBudget(
            "too-complex",
            span,
            "this expression is too deeply nested to be computed",
            "name a part of it with `derive`",
        ) from None
    except e.Unbounded:
        raise OverBudget(
            "choice-unbounded",
            span,
            "a number with more than 1000 values picks a fact or an object here",
            "use a smaller range, or an attribute instead of a fact",
        ) from None
