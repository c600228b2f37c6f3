"""Trees to steps: conditions become forward jumps, numbers become assignments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from worldengine.compiler import trees as e
from worldengine.compiler.steps import Drafts, Label
from worldengine.compiler.trees import Tree
from worldengine.machine.schema import (
    ADD,
    CONST,
    COPY,
    DIV,
    EQ,
    GE,
    GT,
    IS_UNDEFINED,
    LE,
    LT,
    MAX,
    MIN,
    MOD,
    MUL,
    NE,
    REGISTERS,
    SELECT,
    SUB,
    UNDEFINED,
    Assign,
    Program,
    Test,
)
from worldengine.source import Span

OPERATORS = {"==": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}
BOOLEAN = (e.NOT, e.AND, e.OR, e.CMP, e.UNDEF)
ARITHMETIC = {e.ADD: ADD, e.SUB: SUB, e.MUL: MUL, e.DIV: DIV, e.MOD: MOD}


class TooComplex(Exception):
    """An expression needs more registers than there are."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where trees find their slots."""

    slot: Callable[[Tree], int]
    """The slot of a CELL, NUMBER, DERIVED or TURN tree."""
    table: Callable[[tuple[tuple[int, int, int], ...]], int]
    """The number of a SELECT table."""
    register_base: int
    spend: Callable[[int], None]
    """Counts steps against the budget."""


class Code(Drafts):
    """A program under construction, over one layout of slots."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout
        self.used = 0

    def finish(self) -> tuple[Program, dict[Label, int]]:
        self.layout.spend(len(self.drafts))
        return super().finish()

    def register(self) -> int:
        if self.used >= REGISTERS:
            raise TooComplex
        self.used += 1
        return self.layout.register_base + self.used - 1

    # -- conditions -------------------------------------------------------------------------

    def branch(self, tree: Tree, yes: Label, no: Label) -> None:
        """Go to `yes` if the condition holds, else to `no`."""
        mark = self.used
        if type(tree) is int:
            self.jump(yes if tree == 1 else no)
        elif tree[0] == e.NOT:
            self.branch(tree[1], no, yes)
        elif tree[0] in (e.AND, e.OR):
            for item in tree[1][:-1]:
                more = self.label()
                self.branch(item, *((more, no) if tree[0] == e.AND else (yes, more)))
                self.place(more)
            self.branch(tree[1][-1], yes, no)
        elif tree[0] == e.CMP:
            self.test(self._comparison(tree), yes, no)
        elif tree[0] == e.UNDEF:
            self.test(Test(self.slot(tree[1]), IS_UNDEFINED, -1, 0), yes, no)
        else:
            self.test(Test(self.slot(tree), EQ, -1, 1), yes, no)
        self.used = mark

    def _comparison(self, tree: Tree) -> Test:
        _, op, left, right = tree
        slot, offset = self.operand(left)
        other, constant = self.operand(right)
        if slot < 0:
            slot, offset, other, constant = other, constant, slot, offset
            op = e.MIRROR[op]
        return Test(slot, OPERATORS[op], other, constant - offset)

    def decide(self, tree: Tree, yes: Label, no: Label, span: Span | None) -> None:
        """A branch that the author wrote, at `span`."""
        with self.choosing(yes, no, span):
            self.branch(tree, yes, no)

    @contextmanager
    def where(self, tree: Tree, span: Span | None = None) -> Iterator[Label]:
        """What is written inside runs only if the condition holds; gives the label after it."""
        yes, more = self.label(), self.label()
        self.decide(tree, yes, more, span)
        self.place(yes)
        yield more
        self.place(more)

    @contextmanager
    def case(self, at: int, value: int, end: Label) -> Iterator[None]:
        """What is written inside runs only if slot `at` holds `value`, and then goes to `end`."""
        yes, more = self.label(), self.label()
        self.test(Test(at, EQ, -1, value), yes, more)
        self.place(yes)
        yield
        self.jump(end)
        self.place(more)

    # -- values -----------------------------------------------------------------------------

    def operand(self, tree: Tree) -> tuple[int, int]:
        """(slot, offset) of a value, or (-1, constant)."""
        if type(tree) is int:
            return -1, tree
        kind = tree[0]
        if kind in (e.CELL, e.NUMBER, e.DERIVED, e.TURN):
            return self.layout.slot(tree), 0
        if kind == e.ADD and type(tree[2]) is int:
            slot, offset = self.operand(tree[1])
            return slot, offset + tree[2]
        target = self.register()
        self.store(tree, target)
        return target, 0

    def slot(self, tree: Tree) -> int:
        """A slot that holds exactly the value."""
        slot, offset = self.operand(tree)
        if slot >= 0 and offset == 0:
            return slot
        target = self.register()
        if slot < 0:
            self.assign(Assign(target, CONST, -1, -1, offset))
        else:
            self.assign(Assign(target, COPY, slot, -1, offset))
        return target

    def store(self, tree: Tree, target: int) -> None:
        """Put the value into `target` (a register, variable or derived variable)."""
        mark = self.used
        if type(tree) is int:
            if tree != UNDEFINED or target >= self.layout.register_base:
                self.assign(Assign(target, CONST, -1, -1, tree))
        elif tree[0] in BOOLEAN:
            self._store_condition(tree, target)
        elif tree[0] == e.SELECT:
            self._store_select(tree, target)
        elif tree[0] in (e.COUNT, e.SUM, e.MIN, e.MAX):
            self._store_fold(tree, target)
        elif tree[0] in ARITHMETIC:
            self._store_arithmetic(tree, target)
        else:
            self.assign(Assign(target, COPY, self.layout.slot(tree), -1, 0))
        self.used = mark

    def _store_condition(self, tree: Tree, target: int) -> None:
        yes, no, end = self.label(), self.label(), self.label()
        self.branch(tree, yes, no)
        self.place(yes)
        self.assign(Assign(target, CONST, -1, -1, 1))
        self.jump(end)
        self.place(no)
        self.assign(Assign(target, CONST, -1, -1, 0))
        self.place(end)

    def _store_arithmetic(self, tree: Tree, target: int) -> None:
        op, left, right = tree
        if op in (e.MUL, e.DIV, e.MOD):
            self.assign(Assign(target, ARITHMETIC[op], self.slot(left), -1, right))
            return
        slot, offset = self.operand(left)
        other, constant = self.operand(right)
        if op == e.ADD and other < 0:
            self.assign(Assign(target, COPY, slot, -1, offset + constant))
        elif op == e.ADD:
            self.assign(Assign(target, ADD, slot, other, offset + constant))
        else:
            if slot < 0:
                slot, offset = self.slot(left), 0
            self.assign(Assign(target, SUB, slot, other, offset - constant))

    def _store_select(self, tree: Tree, target: int) -> None:
        _, key, rows = tree
        at = self.slot(key)
        if all(type(row) is int or row[0] in (e.CELL, e.DERIVED, e.TURN) for _, row in rows):
            table = tuple(
                (value, -1, row) if type(row) is int else (value, self.layout.slot(row), 0)
                for value, row in rows
            )
            self.assign(Assign(target, SELECT, at, -1, self.layout.table(table)))
            return
        end = self.label()
        if target >= self.layout.register_base:
            self.assign(Assign(target, CONST, -1, -1, UNDEFINED))
        for value, row in rows:
            with self.case(at, value, end):
                self.store(row, target)
        self.place(end)

    def _store_fold(self, tree: Tree, target: int) -> None:
        which, items = tree
        total = self.register()
        first = UNDEFINED if which in (e.MIN, e.MAX) else 0
        self.assign(Assign(total, CONST, -1, -1, first))
        for item in items:
            condition, value = (item, 1) if which == e.COUNT else item
            mark = self.used
            with self.where(condition) as more:
                self._add_to_fold(which, total, value, more)
            self.used = mark
        self.assign(Assign(target, COPY, total, -1, 0))

    def _add_to_fold(self, which: str, total: int, value: Tree, more: Label) -> None:
        if which in (e.MIN, e.MAX):
            self.assign(Assign(total, MIN if which == e.MIN else MAX, total, self.slot(value), 0))
            return
        slot, offset = self.operand(value)
        if slot < 0:
            self.assign(Assign(total, COPY, total, -1, offset))
            return
        if self.may_be_undefined(value):
            known = self.label()
            self.test(Test(slot, IS_UNDEFINED, -1, 0), more, known)
            self.place(known)
        self.assign(Assign(total, ADD, total, slot, offset))

    def may_be_undefined(self, tree: Tree) -> bool:
        return type(tree) is not int and tree[0] not in (e.CELL, e.NUMBER, e.DERIVED, e.TURN)
