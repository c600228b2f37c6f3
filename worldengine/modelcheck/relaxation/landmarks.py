"""Landmarks: facts that every win passes through, and the goals a world itself names.

In: relaxed clauses and a start. Out: facts (variable, value) and tests that serve a search as
milestones on its way. They guide and never decide, so nothing here has to be proven.

A fact is a landmark of an atom if every way to derive the atom uses it: the greatest fixed
point of  LM(atom) = {atom} + intersection over its clauses of the union of LM(body)
(Keyder, Richter and Helmert, "Sound and complete landmarks for and/or graphs", 2010).
"""

from __future__ import annotations

from collections.abc import Container

from worldengine.machine.schema import EQ, Machine, State, Test
from worldengine.modelcheck.programs.silence import silent
from worldengine.modelcheck.relaxation.horn import FACT
from worldengine.modelcheck.relaxation.relaxed import Relaxed
from worldengine.modelcheck.relaxation.together import plain

PATIENCE = 400_000
"""Updates after which what has been found so far is used."""

Fact = tuple[int, int]


def landmarks(relaxed: Relaxed, start: State, derived: bool = False) -> tuple[Fact, ...]:
    """Facts that are not so at the start and that every win passes through; with `derived`
    also those about derived variables."""
    horn = relaxed.horn
    known = set(horn.state_atoms(start))
    last = len(horn.reach.machine.variables)
    bits: dict[int, int] = {}
    facts: dict[Fact, int] = {}
    for index, (slot, value) in _facts(relaxed).items():
        if relaxed.atoms[index] not in known and (derived or slot < last):
            bits[index] = 1 << facts.setdefault((slot, value), len(facts))
    sets = _fixpoint(relaxed, known, bits)
    goal = sets[0] or 0
    return tuple(fact for fact, place in facts.items() if goal >> place & 1)


def needed_before(relaxed: Relaxed, marks: tuple[Fact, ...]) -> tuple[int, ...]:
    """For each landmark those, as bits, that hold just before it whichever command or rule
    makes it true (greedy-necessary orders: Hoffmann, Porteous and Sebastia, "Ordered
    landmarks in planning", 2004)."""
    last = len(relaxed.horn.reach.machine.variables)
    facts = _facts(relaxed)
    place = {fact: bit for bit, fact in enumerate(marks)}
    bits = {index: 1 << place[fact] for index, fact in facts.items() if fact in place}
    held = {index for index, (slot, _) in facts.items() if slot < last}
    sets = _fixpoint(relaxed, {relaxed.atoms[index] for index in held}, bits, held)
    c = relaxed.clauses
    found = dict.fromkeys(range(len(marks)), -1)
    for clause, head in enumerate(c.heads.tolist()):
        fact = facts.get(head)
        if fact is None or fact not in place:
            continue
        body = [sets[a] for a in c.bodies[c.body_starts[clause] : c.body_starts[clause + 1]]]
        if None not in body:
            union = 0
            for part in body:
                union |= part or 0
            found[place[fact]] &= union
    return tuple(0 if found[bit] < 0 else found[bit] & ~(1 << bit) for bit in range(len(marks)))


def _facts(relaxed: Relaxed) -> dict[int, Fact]:
    """The atoms that are facts, in a context or not."""
    found: dict[int, Fact] = {}
    for index, atom in enumerate(relaxed.atoms):
        name = plain(relaxed.horn.names[atom])
        if name[0] == FACT:
            _, slot, value = name
            assert isinstance(slot, int) and isinstance(value, int)
            found[index] = slot, value
    return found


def _fixpoint(
    relaxed: Relaxed, known: set[int], bits: dict[int, int], leaves: Container[int] = ()
) -> list[int | None]:
    """The landmarks of every atom as bits; None where it does not follow. What is known has
    none, but its own where it is one of the `leaves`, which stay as they are."""
    c = relaxed.clauses
    bodies = [
        c.bodies[c.body_starts[i] : c.body_starts[i + 1]].tolist() for i in range(len(c.heads))
    ]
    uses = [
        c.uses[c.use_starts[i] : c.use_starts[i + 1]].tolist() for i in range(len(relaxed.atoms))
    ]
    heads = c.heads.tolist()
    sets: list[int | None] = [None] * len(relaxed.atoms)
    waiting: dict[int, None] = {}
    for index, atom in enumerate(relaxed.atoms):
        if atom in known:
            sets[index] = bits.get(index, 0) if index in leaves else 0
            waiting.update(dict.fromkeys(uses[index]))
    waiting.update(dict.fromkeys(c.axioms.tolist()))
    for _ in range(PATIENCE):
        if not waiting:
            break
        clause = next(iter(waiting))
        del waiting[clause]
        union = 0
        for atom in bodies[clause]:
            part = sets[atom]
            if part is None:
                break
            union |= part
        else:
            head = heads[clause]
            if head in leaves:
                continue
            before = sets[head]
            own = bits.get(head, 0)
            after = union | own if before is None else before & (union | own)
            if after != before:
                sets[head] = after
                waiting.update(dict.fromkeys(uses[head]))
    return sets


def goal_tests(machine: Machine) -> tuple[Test, ...]:
    """The plain conditions of the first `win` that is a plain conjunction, () if none is."""
    for rule in machine.rules:
        if rule.kind != "win":
            continue
        program = silent(machine, rule.program)
        if len(program) == 1:
            return tuple(t for t in program[0].tests if t.left != machine.status)
    return ()


def milestone_tests(machine: Machine) -> tuple[Test, ...]:
    """That each milestone has been passed."""
    return tuple(Test(slot, EQ, -1, 1) for slot in machine.milestones)
