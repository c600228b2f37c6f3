"""What a program does, in a form that does not hang on the order in which it asks.

In: a program without words, a renaming of slots. Out: for a store, or for being refused, a
decision diagram over the tests that are made of what was there before; equal programs have equal
diagrams, and so have programs that differ only in the order of what they count, add up or try
(reduced ordered decision diagrams: Bryant, "Graph-based algorithms for Boolean function
manipulation", 1986).

Nothing is known here of what the tests mean: two tests are two questions, whatever they ask. So
equal diagrams are equal programs, while some equal programs have diagrams that differ. Refused
with `TooLarge`: programs beyond the bounds below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from worldengine.machine.schema import (
    ADD,
    CONST,
    COPY,
    IS_UNDEFINED,
    MAX,
    MIN,
    SELECT,
    UNDEFINED,
    Assign,
    Machine,
    Test,
)
from worldengine.modelcheck.programs.silence import Quiet, Silent
from worldengine.modelcheck.programs.values import computed, true

LARGEST = 20_000
"""Points of one program, each with what has been stored by then."""
MANY_ATOMS = 200
"""Questions of one program."""
STEEP = 1 << 20
"""Variables that reach further may stop a sum at the ends of a register, where order counts."""

Term = tuple[object, ...]
"""A value in terms of what was there before: a constant, a slot, or something computed."""
Env = tuple[tuple[int, Term], ...]
"""What slots hold, by ascending slot, so far as the program has stored into them."""
Rename = Callable[[int], int]


class TooLarge(ValueError):
    """A program whose diagram is not worth its size."""


@dataclass(slots=True)
class Diagrams:
    """Diagrams of a Machine's programs, all in one room: equal ones have the same number.
    `support` gives the variables that a derived slot depends on."""

    machine: Machine
    support: Mapping[int, frozenset[int]]
    nodes: dict[tuple[object, ...], int] = field(default_factory=dict)
    parts: list[tuple[object, ...]] = field(default_factory=list)
    atoms: dict[Term, int] = field(default_factory=dict)
    known: dict[tuple[int, int, int], int] = field(default_factory=dict)
    gentle: bool = field(init=False)

    def __post_init__(self) -> None:
        """`gentle`: no sum of what stands in slots comes to the ends of a register."""
        ranges = [(part.low, part.high) for part in self.machine.variables]
        ranges += [(part.low, part.high) for part in self.machine.derived]
        for schema in self.machine.schemas:
            ranges += [(p.low, p.high) for p in schema.parameters if p.type == "number"]
        self.gentle = all(max(abs(low), abs(high)) <= STEEP for low, high in ranges)

    # -- nodes ---------------------------------------------------------------------------

    def leaf(self, content: object) -> int:
        return self._node(("leaf", content))

    def _node(self, part: tuple[object, ...]) -> int:
        found = self.nodes.get(part)
        if found is None:
            found = self.nodes[part] = len(self.parts)
            self.parts.append(part)
        return found

    def _ask(self, atom: int, yes: int, no: int) -> int:
        return yes if yes == no else self._node((atom, yes, no))

    def choose(self, atom: int, yes: int, no: int) -> int:
        """The diagram that asks `atom` and goes on with `yes` or `no`, in which it may be asked
        too, and questions that come before it."""
        if yes == no:
            return yes
        key = (atom, yes, no)
        found = self.known.get(key)
        if found is None:
            first = min(atom, self._first(yes), self._first(no))
            if first == atom:
                found = self._ask(atom, self._side(yes, atom, True), self._side(no, atom, False))
            else:
                found = self._ask(
                    first,
                    self.choose(atom, self._side(yes, first, True), self._side(no, first, True)),
                    self.choose(atom, self._side(yes, first, False), self._side(no, first, False)),
                )
            self.known[key] = found
        return found

    def _first(self, node: int) -> int:
        head = self.parts[node][0]
        return head if isinstance(head, int) else 1 << 30

    def _side(self, node: int, atom: int, holds: bool) -> int:
        part = self.parts[node]
        if part[0] != atom:
            return node
        side = part[1] if holds else part[2]
        assert isinstance(side, int)
        return side


@dataclass(slots=True)
class Reading:
    """One program read with its slots renamed; `wanted` says what is asked of its end."""

    room: Diagrams
    program: Silent
    rename: Rename
    wanted: Callable[[Mapping[int, Term], bool], object]

    def diagram(self, start: int = 0, end: int = -1) -> int:
        """From a step on up to another (or the end). Steps only lead ahead, so what can be come
        to is gathered first and the diagrams are made from the end on."""
        end = len(self.program) if end < 0 else end
        points: list[dict[Env, int]] = [{} for _ in range(end + 1)]
        points[start][()] = -1
        size = 0
        for index in range(start, end):
            step = self.program[index]
            for env in points[index]:
                size += 1
                if size > LARGEST or len(self.room.atoms) > MANY_ATOMS:
                    raise TooLarge(f"more than {LARGEST} points of one program")
                if not step.refuse:
                    points[min(step.then, end)][self._after(step, env)] = -1
                if step.tests:
                    points[min(step.other, end)][env] = -1
        for env in points[end]:
            points[end][env] = self.room.leaf(self.wanted(dict(env), False))
        for index in range(end - 1, start - 1, -1):
            step = self.program[index]
            for env in points[index]:
                after = self._after(step, env)
                if step.refuse:
                    found = self.room.leaf(self.wanted(dict(after), True))
                else:
                    found = points[min(step.then, end)][after]
                for test in reversed(step.tests):
                    found = self._asked(test, dict(env), found, points[min(step.other, end)][env])
                points[index][env] = found
        return points[start][()]

    def _after(self, step: Quiet, env: Env) -> Env:
        after = dict(env)
        for assign in step.assigns:
            self._store(assign, after)
        return tuple(sorted(after.items()))

    def _asked(self, test: Test, env: dict[int, Term], yes: int, no: int) -> int:
        left = self._term(test.left, env)
        paired = test.right >= 0 and test.op != IS_UNDEFINED
        right: Term = self._term(test.right, env) if paired else ("constant", 0)
        if left[0] == right[0] == "constant":
            one, other = left[1], right[1]
            assert isinstance(one, int) and isinstance(other, int)
            return yes if true(test, one, other) else no
        atom: Term = (test.op, test.offset, left, right if paired else ())
        atoms = self.room.atoms
        return self.room.choose(atoms.setdefault(atom, len(atoms)), yes, no)

    # -- values --------------------------------------------------------------------------

    def _term(self, slot: int, env: dict[int, Term]) -> Term:
        """What a slot holds. A derived one is worked out anew from what has been stored."""
        machine = self.room.machine
        slot = self.rename(slot)
        known = env.get(slot)
        if known is not None:
            return known
        if machine.register_base <= slot < machine.derived_base:
            return ("constant", 0)
        if slot >= machine.derived_base:
            below = self.room.support[slot]
            changed = tuple(item for item in sorted(env.items()) if item[0] in below)
            if changed:
                return ("derived", slot, changed)
        return ("slot", slot)

    def _store(self, assign: Assign, env: dict[int, Term]) -> None:
        machine = self.room.machine
        target = self.rename(assign.target)
        made = self._computed(assign, env)
        if not machine.register_base <= target < machine.derived_base:
            made = self._stopped(target, made, env)
        env[target] = made

    def _stopped(self, target: int, made: Term, env: dict[int, Term]) -> Term:
        """What a variable or derived variable comes to hold."""
        machine = self.room.machine
        part = (
            machine.variables[target]
            if target < len(machine.variables)
            else machine.derived[target - machine.derived_base]
        )
        bounds = (part.low, part.high) if part.kind == "int" else ()
        if made[0] == "constant":
            value = made[1]
            assert isinstance(value, int)
            if value == UNDEFINED:
                return env.get(target, ("slot", target))
            return ("constant", min(max(value, part.low), part.high) if bounds else value)
        return ("stored", bounds, made, env.get(target, ("slot", target)))

    def _computed(self, assign: Assign, env: dict[int, Term]) -> Term:
        if assign.op == CONST:
            return ("constant", assign.constant)
        left = self._term(assign.left, env)
        if assign.op == SELECT:
            rows = {row.value: row for row in reversed(self.room.machine.tables[assign.constant])}
            if left[0] == "constant":
                value = left[1]
                assert isinstance(value, int)
                row = rows.get(value)
                if row is None:
                    return ("constant", UNDEFINED)
                return ("constant", row.constant) if row.slot < 0 else self._term(row.slot, env)
            table = tuple(
                (value, ("constant", row.constant) if row.slot < 0 else self._term(row.slot, env))
                for value, row in sorted(rows.items())
            )
            return ("select", left, table)
        right = self._term(assign.right, env) if assign.right >= 0 else ("constant", 0)
        one, other = left[1], right[1]
        if left[0] == right[0] == "constant" and isinstance(one, int) and isinstance(other, int):
            return ("constant", computed(assign, one, other))
        if assign.op == COPY and assign.constant == 0:
            return left
        if assign.op in (COPY, ADD) and _plain(left) and _plain(right) and self.room.gentle:
            return _sum(left, right if assign.op == ADD else ("constant", 0), assign.constant)
        if assign.op in (MIN, MAX):
            left, right = sorted((left, right), key=repr)
        return (assign.op, assign.constant, left, right)


def _plain(term: Term) -> bool:
    """Whether a value is no larger than what stands in a slot, or a sum of such."""
    if term[0] == "constant":
        return term[1] == UNDEFINED or (isinstance(term[1], int) and abs(term[1]) <= STEEP)
    return term[0] in ("slot", "stored", "derived", "sum")


def _sum(one: Term, other: Term, constant: int) -> Term:
    """A sum as its parts, in an order of their own."""
    parts: list[Term] = []
    for term in (one, other):
        if term[0] == "constant" and term[1] != UNDEFINED:
            assert isinstance(term[1], int)
            constant += term[1]
        elif term[0] == "sum":
            inner, more = term[1], term[2]
            assert isinstance(inner, tuple) and isinstance(more, int)
            parts.extend(inner)
            constant += more
        else:
            parts.append(term)
    if len(parts) == 1 and constant == 0:
        return parts[0]
    return ("sum", tuple(sorted(parts, key=repr)), constant)
