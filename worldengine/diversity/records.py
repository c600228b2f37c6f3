"""A Machine as flat records of tokens, in which every name is a reference.

In: a Machine. Out: `Records`: one array of tokens, cut into records. A token is a plain number,
or refers to a slot, an object, a symbol or a variant. Texts, names and forms are left out: two
Machines that only call things otherwise give the same records in another order and with other
references. What a constant stands for is read off the slot it is compared with or stored into.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import SELECT, Assign, Machine, Program, Test

PLAIN, SLOT, OBJECT, SYMBOL, VARIANT = range(5)
Token = tuple[int, int]


@dataclass(frozen=True)
class Records:
    """`kinds` and `values` are the tokens; `starts` where each record begins; `sizes` how many
    slots, objects, symbols and variants there are."""

    kinds: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    sizes: tuple[int, int, int, int]


def records_of(machine: Machine) -> Records:
    """See the module."""
    tokens: list[Token] = []
    starts: list[int] = []
    for record in _Reader(machine).records():
        starts.append(len(tokens))
        tokens.extend(record)
    flat = np.array(tokens, np.int64).reshape(-1, 2)
    sizes = (
        len(machine.variables) + len(machine.derived),
        len(machine.objects),
        len(machine.symbols),
        len(machine.variants),
    )
    return Records(flat[:, 0], flat[:, 1], np.array(starts, np.int64), sizes)


def _word(text: str) -> Token:
    return PLAIN, crc32(text.encode())


class _Reader:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.count = len(machine.variables)
        self.registers: dict[int, str] = {}

    def records(self) -> Iterator[list[Token]]:
        machine = self.machine
        yield [_word("turns"), (PLAIN, machine.turns)]
        for index, item in enumerate(machine.variables):
            head = [_word("variable"), (SLOT, index), _word(item.kind), _word(item.role)]
            # A saved game's status and counters are told apart by what reads them.
            yield [*head, (PLAIN, item.low), (PLAIN, item.high), self.constant(index, item.initial)]
            for value in item.domain if item.kind in ("enum", "ref") else ():
                yield [_word("value"), (SLOT, index), self.constant(index, value)]
        for index, thing in enumerate(machine.objects):
            place = self.slot(thing.location) if thing.location >= 0 else [(PLAIN, -1)]
            fixed = (OBJECT, thing.fixed) if thing.fixed >= 0 else (PLAIN, -1)
            yield [_word("object"), (OBJECT, index), _word(thing.role), *place, fixed]
        for index, derived in enumerate(machine.derived):
            head = [_word("derived"), (SLOT, self.count + index), _word(derived.kind)]
            bounds = [(PLAIN, derived.low), (PLAIN, derived.high), (PLAIN, int(derived.group >= 0))]
            yield [*head, *bounds, *self.program(derived.program)]
        yield from self._actions()
        yield from self._rest()

    def _actions(self) -> Iterator[list[Token]]:
        for operator in self.machine.operators:
            entries = [(PLAIN, item.entry) for item in operator.requirements]
            head = [_word("operator"), (PLAIN, operator.body), *entries]
            yield [*head, *self.program(operator.program)]
        order = 0
        for rule in self.machine.rules:
            # Rules run in their order; whether a milestone or an ending stands before another
            # makes no difference.
            order += rule.kind == "rule"
            place = order if rule.kind == "rule" else 0
            yield [_word(rule.kind), (PLAIN, place), *self.program(rule.program)]

    def _rest(self) -> Iterator[list[Token]]:
        for scope in self.machine.scopes:
            for row in scope.rows:
                read = self.slot(row.slot) if row.slot >= 0 else [(PLAIN, row.constant)]
                yield [_word("scope"), _word(scope.word), (OBJECT, row.object), *read]
        for index, variant in enumerate(self.machine.variants):
            yield [_word("variant"), (VARIANT, index)]
            for slot, value in variant.assignments:
                pair = [*self.slot(slot), self.constant(slot, value)]
                yield [_word("start"), (VARIANT, index), *pair]
        for slot in self.machine.milestones:
            yield [_word("counts"), *self.slot(slot)]

    # --- parts of programs --------------------------------------------------------------------

    def slot(self, slot: int) -> list[Token]:
        """A slot as tokens; what `prior` reads is marked."""
        if slot < 0:
            return [(PLAIN, -1)]
        if slot < self.count:
            return [(SLOT, slot)]
        if slot < 2 * self.count:
            return [_word("prior"), (SLOT, slot - self.count)]
        if slot >= self.machine.derived_base:
            return [(SLOT, self.count + slot - self.machine.derived_base)]
        return [(PLAIN, slot - 2 * self.count)]

    def kind(self, slot: int) -> str:
        """What values a slot holds: ref, enum, text or a number."""
        if slot < 0:
            return ""
        if slot < 2 * self.count:
            return self.machine.variables[slot % self.count].kind
        if slot >= self.machine.derived_base:
            return self.machine.derived[slot - self.machine.derived_base].kind
        return self.registers.get(slot, "")

    def constant(self, slot: int, value: int) -> Token:
        """A value stored into or compared with `slot`."""
        kind = self.kind(slot)
        if kind == "ref" and 0 <= value < len(self.machine.objects):
            return OBJECT, value
        if kind == "enum" and 0 <= value < len(self.machine.symbols):
            return SYMBOL, value
        return PLAIN, 0 if kind == "text" else value

    def program(self, program: Program) -> list[Token]:
        self.registers = {}
        tokens: list[Token] = []
        for step in program:
            tokens.append((PLAIN, len(step.tests)))
            for test in step.tests:
                tokens += self._test(test)
            for assign in step.assigns:
                tokens += self._assign(assign)
            tokens += [(PLAIN, step.refuse), (PLAIN, step.then), (PLAIN, step.other)]
            tokens.append((PLAIN, int(step.text >= 0)))
        return tokens

    def _test(self, test: Test) -> list[Token]:
        offset = self.constant(test.left, test.offset) if test.right < 0 else (PLAIN, test.offset)
        return [(PLAIN, test.op), *self.slot(test.left), *self.slot(test.right), offset]

    def _assign(self, item: Assign) -> list[Token]:
        target, left = item.target, item.left
        base = self.machine.register_base
        if base <= target < self.machine.derived_base:
            self.registers[target] = self._given(item)
        head = [(PLAIN, item.op), *self.slot(target), *self.slot(left), *self.slot(item.right)]
        if item.op != SELECT:
            return [*head, self.constant(target, item.constant)]
        rows: list[Token] = []
        for row in self.machine.tables[item.constant]:
            read = self.slot(row.slot) if row.slot >= 0 else [self.constant(target, row.constant)]
            rows += [self.constant(left, row.value), *read]
        return [*head, (PLAIN, len(rows)), *rows]

    def _given(self, item: Assign) -> str:
        """What kind of value an assignment leaves in a register."""
        if item.op != SELECT:
            return self.kind(item.left)
        rows: tuple[Any, ...] = self.machine.tables[item.constant]
        return next((self.kind(row.slot) for row in rows if row.slot >= 0), "")
