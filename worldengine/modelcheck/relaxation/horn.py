"""The relaxed world as Horn clauses, for heuristics, reasons and landmarks.

In: a `Reach` (which values can occur at all). Out: `Horn`: atoms, and clauses
`head <- body` with a cost. An atom is one of
- fact: a variable or derived variable has a value;
- register: a register of one program has a value;
- point: a step of a program is come to;  edge: the tests of that step hold there;
- test: a test holds (or fails), whichever program asks;
- number: the command of an operator is given this number, which is free;
- was: a variable had a value before the turn, which follows from having it.

Beginning an operator costs 1, as it costs a turn; so does beginning a rule, since a rule
fires once a turn and a counter is counted up turn by turn. Derived variables are axioms and
cost nothing (Thiébaux, Hoffmann and Nebel, "In defense of PDDL axioms", 2005).

Clauses whose sums or comparisons range over too many pairs are replaced by ones with fewer
conditions. A clause with fewer conditions only makes more follow, so that what does not
follow is still impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from worldengine.machine.schema import (
    ADD,
    CONST,
    EQ,
    IS_UNDEFINED,
    MAX,
    MIN,
    NE,
    SELECT,
    SUB,
    UNDEFINED,
    WON,
    Assign,
    State,
    Test,
)
from worldengine.modelcheck.programs.silence import Quiet
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, scopes_of
from worldengine.modelcheck.programs.values import Env, bounded, computed, true
from worldengine.modelcheck.relaxation.abstract import Run
from worldengine.modelcheck.relaxation.circular import circular
from worldengine.modelcheck.relaxation.reached import Reach

MANY_PAIRS = 400
"""Pairs of values for which clauses of their own are made."""

Atom = tuple[object, ...]
FACT, REGISTER, POINT, EDGE = "fact", "register", "point", "edge"
TEST, ANY, NUMBER, WAS = "test", "any", "number", "was"


@dataclass(slots=True)
class Horn:
    """Clauses over numbered atoms. `entries[unit]` is the atom that begins a program."""

    reach: Reach
    atoms: dict[Atom, int] = field(default_factory=dict)
    heads: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    bodies: list[tuple[int, ...]] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    names: list[Atom] = field(default_factory=list)

    def atom(self, *name: object) -> int:
        """The number of an atom, made when first asked for."""
        found = self.atoms.get(name)
        if found is None:
            found = self.atoms[name] = len(self.names)
            self.names.append(name)
        return found

    def add(self, head: int, body: tuple[int, ...], cost: int = 0) -> None:
        if head not in body:
            self.heads.append(head)
            self.bodies.append(body)
            self.costs.append(cost)

    @property
    def goal(self) -> int:
        """The atom that the world is won."""
        return self.atom(FACT, self.reach.machine.status, WON)

    def state_atoms(self, state: State) -> tuple[int, ...]:
        """The facts of a state."""
        found = (self.atoms.get((FACT, slot, value)) for slot, value in enumerate(state))
        return tuple(atom for atom in found if atom is not None)


def horn_of(reach: Reach) -> Horn:
    """All clauses of a relaxed world."""
    horn = Horn(reach)
    for number in range(len(reach.units)):
        _Clauses(horn, number).build()
    machine = reach.machine
    for index in circular(reach):
        horn.add(horn.atom(FACT, machine.derived_base + index, 0), ())
    if machine.turn >= 0:  # grows by itself, one a turn
        for value in range(machine.variables[machine.turn].high):
            later = horn.atom(FACT, machine.turn, value + 1)
            horn.add(later, (horn.atom(FACT, machine.turn, value),), 1)
    return horn


class _Clauses:
    """The clauses of one program."""

    def __init__(self, horn: Horn, number: int) -> None:
        self.horn = horn
        self.number = number
        self.reach = horn.reach
        self.machine = horn.reach.machine
        self.unit = horn.reach.units[number]
        self.run = Run(horn.reach, number)
        self.registers = range(self.machine.register_base, self.machine.derived_base)

    def build(self) -> None:
        points = self.reach.points[self.number]
        entry = self._point(0)
        self.horn.entries.append(entry)
        if points[0] is None:
            return
        scopes = scopes_of(self.machine, self.unit.index) if self.unit.kind == OPERATOR else []
        asked = tuple(
            self._test(Test(slot, NE, -1, 0), points[0], True) for slot, _ in scopes if slot >= 0
        )
        self.horn.add(entry, asked, self._cost())
        for register in self.unit.registers:
            self.horn.add(self._value(register, 0), ())
        for index, step in enumerate(self.unit.program):
            env = points[index]
            if env is not None:
                self._step(index, step, env)
        end = points[len(self.unit.program)]
        if self.unit.kind == DERIVED and end is not None:
            own = self.machine.derived_base + self.unit.index
            if 0 in end.get(own, (0,)):
                self.horn.add(self._value(own, 0), (self._point(len(self.unit.program)),))

    def _cost(self) -> int:
        if self.unit.kind == DERIVED:
            return 0
        if self.unit.kind == OPERATOR:
            return 1
        return int(self.machine.rules[self.unit.index].kind == "rule")

    def _point(self, index: int) -> int:
        return self.horn.atom(POINT, self.number, index)

    def _step(self, index: int, step: Quiet, env: Env) -> None:
        here = self._point(index)
        if self.run.refuted(step.tests, env) is not None:
            for test in step.tests:
                if self.run.may_fail(test, env):
                    self.horn.add(self._point(step.other), (here, self._test(test, env, False)))
        after = self.run.satisfied(step.tests, env)
        if after is None:
            return
        edge = here
        if step.tests:
            edge = self.horn.atom(EDGE, self.number, index)
            tests = (self._test(test, env, True) for test in step.tests)
            self.horn.add(edge, (here, *dict.fromkeys(tests)))
        for assign in step.assigns:
            self._assign(assign, after, edge)
            self.run.assign(assign, after)
        if not step.refuse and not self._settles(step):
            self.horn.add(self._point(step.then), (edge,))

    def _settles(self, step: Quiet) -> bool:
        """Whether a derived variable has its value after a step, and not the 0 of the end."""
        own = self.machine.derived_base + self.unit.index
        return (
            self.unit.kind == DERIVED
            and step.then == len(self.unit.program)
            and any(assign.target == own and assign.op == CONST for assign in step.assigns)
        )

    # -- values and tests --------------------------------------------------------------

    def _value(self, slot: int, value: int) -> int:
        count = len(self.machine.variables)
        if slot in self.registers:
            return self.horn.atom(REGISTER, self.number, slot, value)
        if slot == self.machine.number_slot:
            return self._made((NUMBER, self.number, value), iter(((),)))
        if count <= slot < 2 * count:
            now = self.horn.atom(FACT, slot - count, value)
            return self._made((WAS, slot - count, value), iter(((now,),)))
        return self.horn.atom(FACT, slot, value)

    def _any(self, slot: int, env: Env) -> int:
        """The atom that a slot has some value or other."""
        if slot in self.registers or slot == self.machine.number_slot:
            return self._point(0)
        return self._made((ANY, slot), ((self._value(slot, v),) for v in self._values(slot, {})))

    def _values(self, slot: int, env: Env) -> tuple[int, ...]:
        return tuple(sorted(self.reach.possible(slot, env)))

    def _made(self, name: Atom, bodies: Iterator[tuple[int, ...]]) -> int:
        """An atom with its clauses, made when first asked for."""
        known = self.horn.atoms.get(name)
        if known is not None:
            return known
        atom = self.horn.atom(*name)
        for body in bodies:
            self.horn.add(atom, body)
        return atom

    def _local(self, test: Test) -> bool:
        slots = (test.left, test.right) if test.op != IS_UNDEFINED else (test.left,)
        return any(slot in self.registers or slot == self.machine.number_slot for slot in slots)

    def _test(self, test: Test, env: Env, wanted: bool) -> int:
        """The atom that a test holds, or that it fails."""
        if self._local(test):
            name: Atom = (TEST, self.number, *test, wanted)
        else:
            name, env = (TEST, *test, wanted), {}
        if test.right >= 0 and test.op != IS_UNDEFINED:
            return self._made(name, self._pair_bodies(test, env, wanted))
        return self._made(
            name,
            (
                (self._value(test.left, value),)
                for value in self._values(test.left, env)
                if true(test, value) == wanted
            ),
        )

    def _pair_bodies(self, test: Test, env: Env, wanted: bool) -> Iterator[tuple[int, ...]]:
        lefts, rights = self._values(test.left, env), self._values(test.right, env)
        if test.op == EQ and wanted:
            there = set(rights)
            for left in lefts:
                if left != UNDEFINED and left - test.offset in there:
                    right = left - test.offset
                    yield self._value(test.left, left), self._value(test.right, right)
        elif len(lefts) * len(rights) > MANY_PAIRS:
            yield self._any(test.left, env), self._any(test.right, env)
        else:
            for left in lefts:
                for right in rights:
                    if true(test, left, right) == wanted:
                        yield self._value(test.left, left), self._value(test.right, right)

    # -- assignments -------------------------------------------------------------------

    def _assign(self, assign: Assign, env: Env, edge: int) -> None:
        for value, sources in self._results(assign, env):
            if assign.target in self.registers:
                self.horn.add(self._value(assign.target, value), (edge, *sources))
            elif value != UNDEFINED:
                (stored,) = bounded(self.machine, assign.target, frozenset({value}))
                if stored in self.reach.values[assign.target]:
                    self.horn.add(self._value(assign.target, stored), (edge, *sources))

    def _results(self, assign: Assign, env: Env) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every value an assignment may compute, with what it is computed from."""
        if assign.op == CONST:
            yield assign.constant, ()
            return
        lefts = self._values(assign.left, env)
        if assign.op == SELECT:
            yield from self._selected(assign, lefts, env)
            return
        if assign.op not in (ADD, SUB, MIN, MAX):
            for left in lefts:
                yield computed(assign, left, 0), (self._value(assign.left, left),)
            return
        rights = self._values(assign.right, env)
        if len(lefts) * len(rights) > MANY_PAIRS:
            sources = self._any(assign.left, env), self._any(assign.right, env)
            for value in self.run.results(assign, env):
                yield value, sources
            return
        for left in lefts:
            for right in rights:
                body = self._value(assign.left, left), self._value(assign.right, right)
                yield computed(assign, left, right), body

    def _selected(
        self, assign: Assign, lefts: tuple[int, ...], env: Env
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        rows = {row.value: row for row in reversed(self.machine.tables[assign.constant])}
        for left in lefts:
            chosen = self._value(assign.left, left)
            row = rows.get(left)
            if row is None:
                yield UNDEFINED, (chosen,)
            elif row.slot < 0:
                yield row.constant, (chosen,)
            else:
                for value in self._values(row.slot, env):
                    yield value, (chosen, self._value(row.slot, value))
