"""Trees to steps: conditions become forward jumps, numbers become assignments.

`Code` collects draft steps with labels; `finish` settles the labels, joins steps that can be
one and drops what cannot be reached. The result means the same, in fewer steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from worldengine.compiler import evaluate as e
from worldengine.compiler.evaluate import Tree
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
    Argument,
    Assign,
    Program,
    Step,
    Test,
)

OPERATORS = {"==": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}
BOOLEAN = (e.NOT, e.AND, e.OR, e.CMP, e.UNDEF)
ARITHMETIC = {e.ADD: ADD, e.SUB: SUB, e.MUL: MUL, e.DIV: DIV, e.MOD: MOD}


class TooComplex(Exception):
    """An expression needs more registers than there are."""


class Label:
    """A place in the program that jumps go to. `kept` ones may not be joined away."""

    __slots__ = ("at", "kept")

    def __init__(self, kept: bool = False) -> None:
        self.at = -1
        self.kept = kept


@dataclass(slots=True)
class _Draft:
    tests: list[Test] = field(default_factory=list)
    assigns: list[Assign] = field(default_factory=list)
    text: int = -1
    arguments: tuple[Argument, ...] = ()
    call: int = -1
    refuse: int = 0
    then: Label | None = None
    other: Label | None = None

    @property
    def acts(self) -> bool:
        return bool(self.assigns) or self.text >= 0 or self.call >= 0 or self.refuse > 0

    @property
    def only_assigns(self) -> bool:
        return self.text < 0 and self.call < 0 and self.refuse == 0


@dataclass(frozen=True, slots=True)
class Layout:
    """Where trees find their slots."""

    slot: Callable[[Tree], int]
    """The slot of a CELL, NUMBER, DERIVED or TURN tree."""
    table: Callable[[tuple[tuple[int, int, int], ...]], int]
    """The number of a SELECT table."""
    register_base: int


class Code:
    """A program under construction."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.drafts: list[_Draft] = []
        self.labels: list[Label] = []
        self.used = 0

    # -- labels and steps -----------------------------------------------------------------

    def label(self, kept: bool = False) -> Label:
        found = Label(kept)
        self.labels.append(found)
        return found

    def place(self, label: Label) -> None:
        label.at = len(self.drafts)

    def here(self, kept: bool = False) -> Label:
        found = self.label(kept)
        self.place(found)
        return found

    def jump(self, label: Label) -> None:
        self.drafts.append(_Draft(then=label, other=label))

    def assign(self, assign: Assign) -> None:
        self.drafts.append(_Draft(assigns=[assign]))

    def test(self, test: Test, yes: Label, no: Label) -> None:
        self.drafts.append(_Draft(tests=[test], then=yes, other=no))

    def say(self, text: int, arguments: tuple[Argument, ...]) -> None:
        self.drafts.append(_Draft(text=text, arguments=arguments))

    def call(self, block: int) -> None:
        self.drafts.append(_Draft(call=block))

    def refuse(self, refusal: int) -> None:
        self.drafts.append(_Draft(refuse=refusal))

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
            yes, more = self.label(), self.label()
            self.test(Test(at, EQ, -1, value), yes, more)
            self.place(yes)
            self.store(row, target)
            self.jump(end)
            self.place(more)
        self.place(end)

    def _store_fold(self, tree: Tree, target: int) -> None:
        which, items = tree
        total = self.register()
        first = UNDEFINED if which in (e.MIN, e.MAX) else 0
        self.assign(Assign(total, CONST, -1, -1, first))
        for item in items:
            condition, value = (item, 1) if which == e.COUNT else item
            mark = self.used
            yes, more = self.label(), self.label()
            self.branch(condition, yes, more)
            self.place(yes)
            self._add_to_fold(which, total, value, more)
            self.place(more)
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

    # -- the finished program ---------------------------------------------------------------

    def finish(self) -> tuple[Program, dict[Label, int]]:
        """The program, and where each kept label ended up."""
        count = len(self.drafts)
        for label in self.labels:
            if label.at < 0:
                label.at = count
        edges = [self._targets(index) for index in range(count)]
        edges = [tuple(self._thread(edges, target) for target in pair) for pair in edges]
        kept = {label.at for label in self.labels if label.kept}
        groups = self._joined(edges, kept)
        return self._emit(groups, edges)

    def _targets(self, index: int) -> tuple[int, int]:
        draft = self.drafts[index]
        then = draft.then.at if draft.then is not None else index + 1
        other = draft.other.at if draft.other is not None else index + 1
        return then, other if draft.tests else then

    def _thread(self, edges: list[tuple[int, int]], target: int) -> int:
        """Where a jump to `target` really leads: past steps that do nothing but jump."""
        while target < len(edges):
            draft = self.drafts[target]
            if draft.tests or draft.acts:
                break
            target = edges[target][0]
        return target

    def _joined(self, edges: list[tuple[int, ...]], kept: set[int]) -> list[list[int]]:
        """Reachable drafts, in order, grouped into steps that can be one."""
        count = len(self.drafts)
        reachable = [False] * (count + 1)
        for start in (0, *kept):
            if start <= count:
                reachable[start] = True
        incoming: dict[int, int] = {}
        order = []
        for index in range(count):
            if not reachable[index]:
                continue
            draft = self.drafts[index]
            if not draft.tests and not draft.acts and index not in kept:
                reachable[edges[index][0]] = True
                if index == 0:
                    incoming[edges[index][0]] = 2
                continue
            order.append(index)
            for target in set(edges[index]):
                reachable[target] = True
                incoming[target] = incoming.get(target, 0) + 1
        groups: list[list[int]] = []
        for index in order:
            if groups and index not in kept and self._joins(groups[-1], index, edges, incoming):
                groups[-1].append(index)
            else:
                groups.append([index])
        return groups

    def _joins(
        self,
        group: list[int],
        index: int,
        edges: list[tuple[int, ...]],
        incoming: dict[int, int],
    ) -> bool:
        """Whether draft `index` may become part of the step before it."""
        last = self.drafts[group[-1]]
        draft = self.drafts[index]
        if edges[group[-1]][0] != index or incoming.get(index, 0) != 1:
            return False
        first = self.drafts[group[0]]
        acts = any(self.drafts[item].acts for item in group)
        if draft.tests:
            # test after test: both must hold, and both fail to the same place
            return not acts and bool(first.tests) and edges[group[0]][1] == edges[index][1] != index
        if first.tests and edges[group[0]][1] == index:
            return False
        return last.only_assigns if acts else True

    def _emit(
        self, groups: list[list[int]], edges: list[tuple[int, ...]]
    ) -> tuple[Program, dict[Label, int]]:
        number = {group[0]: place for place, group in enumerate(groups)}
        end = len(groups)
        starts = sorted(number)

        def place(target: int) -> int:
            found = number.get(target)
            if found is not None:
                return found
            # a target that was dropped lies at the next step that was kept
            later = [start for start in starts if start >= target]
            return number[later[0]] if later else end

        steps = []
        for group in groups:
            drafts = [self.drafts[item] for item in group]
            final = drafts[-1]
            tests = tuple(test for draft in drafts for test in draft.tests)
            then = place(edges[group[-1]][0])
            other = place(edges[group[0]][1]) if tests else then
            steps.append(
                Step(
                    tests,
                    tuple(assign for draft in drafts for assign in draft.assigns),
                    final.text,
                    final.arguments,
                    final.call,
                    final.refuse,
                    then,
                    other,
                )
            )
        where = {label: place(label.at) for label in self.labels if label.kept}
        return tuple(steps), where
