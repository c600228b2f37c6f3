"""Conditions that have to hold together, in the relaxed world.

In: a `Horn` and the clauses kept of it. Out: clauses in which what a command or a win asks at
once is asked at once. Left alone the relaxation takes the conditions of one command one by one,
each from a state of its own: the tap runs while the stopcock is open, nothing leaks while it is
shut.

The conditions of a program are asked in one state, and so are the derived variables behind them,
up to where the program stores something. What every way to derive them uses holds in that state
(the greatest fixed point of `landmarks`, cut at the variables): the context. A way to derive one
of them that needs another value of a variable of the context is none, and is left out for this
program. Where that leaves out something the atoms behind a condition are made anew for the
context, all others are shared. A program with two values of one variable in its context never
comes to store anything.

What is left out could not have been done in any state, so what does not follow is still
impossible.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from worldengine.modelcheck.programs.units import DERIVED, OPERATOR
from worldengine.modelcheck.relaxation.horn import EDGE, FACT, NUMBER, POINT, WAS, Atom, Horn

PATIENCE = 1_000_000
"""Updates after which no contexts are made."""
DEEP = 200
"""Atoms behind one another that are made anew."""

IN = "in"


def plain(name: Atom) -> Atom:
    """What an atom is called outside of contexts."""
    return name[2:] if name[0] == IN else name


def together(
    horn: Horn, clauses: list[int], spared: Collection[int] = ()
) -> tuple[Horn, tuple[int, ...]]:
    """The same atoms and clauses, the operators and rules among the clauses kept in their
    contexts, but for the units `spared`. Clauses made anew stand at the end; of one without hope
    the body is its own head. And the units that lost a condition to that."""
    found = replace(
        horn,
        atoms=dict(horn.atoms),
        heads=[*horn.heads],
        costs=[*horn.costs],
        bodies=[*horn.bodies],
        names=[*horn.names],
    )
    work = _Contexts(found, clauses)
    needs = work.needs()
    if needs is not None:
        for number, unit in enumerate(found.reach.units):
            if unit.kind != DERIVED and number not in spared:
                work.narrow(number, needs)
    return found, tuple(dict.fromkeys(work.without_hope))


class _Contexts:
    def __init__(self, horn: Horn, clauses: list[int]) -> None:
        self.horn = horn
        self.clauses = clauses
        self.room = len(clauses)  # clauses that may be added
        self.without_hope: list[int] = []
        self.variables = len(horn.reach.machine.variables)
        self.makers: dict[int, list[int]] = {}
        self.bits: dict[int, int] = {}
        self.of_slot: dict[int, int] = {}
        for clause in clauses:
            self.makers.setdefault(horn.heads[clause], []).append(clause)
            for atom in (horn.heads[clause], *horn.bodies[clause]):
                slot = self._slot(atom)
                if slot >= 0 and atom not in self.bits:
                    self.bits[atom] = 1 << len(self.bits)
                    self.of_slot[slot] = self.of_slot.get(slot, 0) | self.bits[atom]
        self.mentioned = self._mentioned()

    def _slot(self, atom: int) -> int:
        """The variable or derived variable that a fact is about, else -1."""
        name = self.horn.names[atom]
        return int(name[1]) if name[0] == FACT else -1  # type: ignore[call-overload]

    def _leaf(self, atom: int) -> bool:
        # What was before the turn need not be so any more.
        free = self.horn.names[atom][0] in (NUMBER, WAS)
        return free or 0 <= self._slot(atom) < self.variables

    # -- what holds together -----------------------------------------------------------

    def needs(self) -> dict[int, int] | None:
        """For each atom the facts, as bits, of any state in which it follows; None if that
        takes too long."""
        return self._spread(meet=True)

    def _mentioned(self) -> dict[int, int]:
        """For each atom the facts, as bits, that are used by some way to derive it."""
        return self._spread(meet=False) or {}

    def _spread(self, meet: bool) -> dict[int, int] | None:
        horn, found = self.horn, dict[int, int]()
        uses: dict[int, list[int]] = {}
        for clause in self.clauses:
            for atom in horn.bodies[clause]:
                uses.setdefault(atom, []).append(clause)
        leaves = [atom for atom in (*self.bits, *uses) if self._leaf(atom)]
        waiting = dict.fromkeys(c for c in self.clauses if not horn.bodies[c])
        for atom in leaves:
            found[atom] = self.bits.get(atom, 0)
            waiting.update(dict.fromkeys(uses.get(atom, ())))
        for _ in range(PATIENCE):
            if not waiting:
                return found
            clause = next(iter(waiting))
            del waiting[clause]
            head = horn.heads[clause]
            if self._leaf(head):
                continue
            union = self.bits.get(head, 0)
            for atom in horn.bodies[clause]:
                part = found.get(atom)
                if part is None:
                    break
                union |= part
            else:
                before = found.get(head)
                after = union if before is None else before & union if meet else before | union
                if after != before:
                    found[head] = after
                    waiting.update(dict.fromkeys(uses.get(head, ())))
        return None

    # -- one program -------------------------------------------------------------------

    def narrow(self, number: int, needs: dict[int, int]) -> None:
        """Leave out what the conditions of a program exclude among one another."""
        targets, asked = self._targets(number)
        atoms = [self.horn.atoms.get(target, -1) for target in targets]
        kept = [needs[atom] for atom in atoms if atom in needs]
        if not kept or self.room <= 0:
            return
        context = kept[0]
        for each in kept[1:]:
            context &= each
        against = 0
        for alike in self.of_slot.values():
            held = context & alike
            if held & (held - 1):
                against = -1
                break
            if held:
                against |= alike & ~held
        heads = self._conditions(number, asked)
        renewed = _Renewed(self, against, heads)
        for head in heads:
            for clause in self.makers.get(head, ()):
                body = self.horn.bodies[clause]
                after = renewed.body(body) if against >= 0 else None
                if after is None:
                    self.horn.bodies[clause] = (head,)
                    self.without_hope.append(number)
                elif after != body:
                    self.horn.bodies[clause] = after

    def _targets(self, number: int) -> tuple[list[tuple[object, ...]], int]:
        """The atoms one of which follows wherever a program comes to store something, and how
        many steps there are before."""
        unit = self.horn.reach.units[number]
        if unit.kind == OPERATOR and unit.body:
            return [(POINT, number, unit.body)], unit.body
        storing = [
            index
            for index, step in enumerate(unit.program)
            if any(assign.target < self.variables for assign in step.assigns)
        ]
        steps = [(EDGE if unit.program[i].tests else POINT, number, i) for i in storing]
        return [tuple(step) for step in steps], min(storing, default=0)

    def _conditions(self, number: int, asked: int) -> list[int]:
        """The atoms of a program that serve to come to its first store."""
        unit = self.horn.reach.units[number]
        # Behind its conditions an operator is another program.
        edges = asked if unit.kind == OPERATOR and unit.body else asked + 1
        names = [(POINT, number, index) for index in range(asked + 1)]
        names += [(EDGE, number, index) for index in range(edges)]
        return [self.horn.atoms[name] for name in names if name in self.horn.atoms]


class _Renewed:
    """Atoms made anew for one context, where that leaves something out."""

    def __init__(self, contexts: _Contexts, against: int, heads: list[int]) -> None:
        self.contexts = contexts
        self.horn = contexts.horn
        self.against = against
        self.known: dict[int, int | None] = {head: head for head in heads}

    def body(self, body: tuple[int, ...], depth: int = 0) -> tuple[int, ...] | None:
        """A body in the context; None if it cannot hold there."""
        found: list[int] = []
        for atom in body:
            after = self._atom(atom, depth)
            if after is None:
                return None
            found.append(after)
        return tuple(found)

    def _atom(self, atom: int, depth: int) -> int | None:
        contexts = self.contexts
        if contexts.bits.get(atom, 0) & self.against:
            return None
        if contexts.mentioned.get(atom, 0) & self.against == 0 or contexts._leaf(atom):
            return atom
        if atom in self.known:
            return self.known[atom]
        self.known[atom] = atom  # what is behind itself stays as it is
        if depth >= DEEP or contexts.room <= 0:
            return atom
        makers = contexts.makers.get(atom, [])
        bodies = [self.body(self.horn.bodies[clause], depth + 1) for clause in makers]
        if all(self.horn.bodies[c] == body for c, body in zip(makers, bodies, strict=True)):
            return atom
        if all(body is None for body in bodies):
            self.known[atom] = None
            return None
        new = self.horn.atom(IN, self.against, *self.horn.names[atom])
        self.known[atom] = new
        for clause, body in zip(makers, bodies, strict=True):
            if body is not None:
                self.horn.add(new, body, self.horn.costs[clause])
                contexts.room -= 1
        return new
