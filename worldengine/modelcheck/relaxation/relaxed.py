"""Heuristics over Horn clauses, compiled: h_add, the relaxed plan, what never follows.

In: a `Horn` and states. Out: estimates of the turns to a win. Only clauses that can help
towards the goal are kept (the cone of influence over facts, see `cone`).

h_add is the least cost at which an atom follows when the costs of a body are added up; the
relaxed plan is read off the cheapest clauses, each operator in it counted once (Hoffmann and
Nebel, "The FF planning system", 2001; Keyder and Geffner, "Heuristics for planning with
action costs revisited", 2008). Without a finite value the goal cannot be reached at all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.programs.units import OPERATOR
from worldengine.modelcheck.programs.values import WIDE, TooWide
from worldengine.modelcheck.relaxation.horn import FACT, Horn
from worldengine.modelcheck.relaxation.together import together

Ints = npt.NDArray[np.int32]
FAR = 1 << 29
"""The value of what never follows."""


class Clauses(NamedTuple):
    """Clauses in rows for compiled code; atoms are numbered anew, the goal is atom 0."""

    heads: Ints  # [clauses]
    costs: Ints  # [clauses]
    body_starts: Ints  # [clauses + 1]
    bodies: Ints  # [...] atoms
    use_starts: Ints  # [atoms + 1]
    uses: Ints  # [...] clauses with the atom in their body
    axioms: Ints  # [...] clauses without a body
    units: Ints  # [clauses] the operator begun by this clause, or -1
    fact_starts: Ints  # [variables + 1] where a variable's facts begin in `facts`
    facts: Ints  # [...] atom of (variable, value), or -1
    lows: Ints  # [variables] the value of a variable's first fact


@dataclass(frozen=True, slots=True)
class Relaxed:
    """`variables` are those of which some fact can help towards the goal; `operators`
    those that can. Conditions of the units `without_hope` exclude one another."""

    horn: Horn
    clauses: Clauses
    variables: tuple[int, ...]
    operators: tuple[int, ...]
    atoms: tuple[int, ...]
    without_hope: tuple[int, ...] = ()


def relaxed_of(horn: Horn, goals: tuple[int, ...] = (), spared: Collection[int] = ()) -> Relaxed:
    """The clauses that can help towards the goal (or one of several), the conditions of the units
    `spared` taken one by one (see `together`)."""
    horn, without_hope = together(horn, _backward(horn, goals or (horn.goal,))[1], spared)
    kept_atoms, kept_clauses = _backward(horn, goals or (horn.goal,))
    number = {atom: index for index, atom in enumerate(kept_atoms)}
    entry_of = {
        atom: horn.reach.units[unit].index
        for unit, atom in enumerate(horn.entries)
        if horn.reach.units[unit].kind == OPERATOR
    }
    heads = [number[horn.heads[c]] for c in kept_clauses]
    bodies = [[number[a] for a in horn.bodies[c]] for c in kept_clauses]
    uses: list[list[int]] = [[] for _ in kept_atoms]
    for clause, body in enumerate(bodies):
        for atom in body:
            uses[atom].append(clause)
    begun = [entry_of.get(horn.heads[c], -1) for c in kept_clauses]
    facts, fact_starts, lows, variables = _facts(horn, number)
    clauses = Clauses(
        _ints(heads),
        _ints([horn.costs[c] for c in kept_clauses]),
        _starts(bodies),
        _ints([atom for body in bodies for atom in body]),
        _starts(uses),
        _ints([clause for users in uses for clause in users]),
        _ints([clause for clause, body in enumerate(bodies) if not body]),
        _ints(begun),
        _ints(fact_starts),
        _ints(facts),
        _ints(lows),
    )
    operators = tuple(sorted({operator for operator in begun if operator >= 0}))
    return Relaxed(horn, clauses, variables, operators, tuple(kept_atoms), without_hope)


def _backward(horn: Horn, goals: tuple[int, ...]) -> tuple[list[int], list[int]]:
    makers: dict[int, list[int]] = {}
    for clause, head in enumerate(horn.heads):
        makers.setdefault(head, []).append(clause)
    kept = dict.fromkeys(goals)
    waiting = list(kept)
    clauses: list[int] = []
    while waiting:
        atom = waiting.pop()
        for clause in makers.get(atom, ()):
            if atom in horn.bodies[clause]:
                continue
            clauses.append(clause)
            for other in horn.bodies[clause]:
                if other not in kept:
                    kept[other] = None
                    waiting.append(other)
    return list(kept), clauses


def _facts(
    horn: Horn, number: dict[int, int]
) -> tuple[list[int], list[int], list[int], tuple[int, ...]]:
    facts: list[int] = []
    starts = [0]
    lows: list[int] = []
    relevant: list[int] = []
    for slot in range(len(horn.reach.machine.variables)):
        values = sorted(horn.reach.values[slot])
        atoms = {}
        for value in values:
            atom = horn.atoms.get((FACT, slot, value), -1)
            if atom in number:
                atoms[value] = number[atom]
        low, high = values[0], values[-1]
        if high - low > WIDE:
            raise TooWide(f"{horn.reach.machine.variables[slot].name} may be anything")
        lows.append(low)
        facts.extend(atoms.get(value, -1) for value in range(low, high + 1))
        starts.append(len(facts))
        if atoms:
            relevant.append(slot)
    return facts, starts, lows, tuple(relevant)


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int32).reshape(-1)


def _starts(rows: list[list[int]]) -> Ints:
    return np.cumsum([0, *map(len, rows)]).astype(np.int32)


class Space:
    """Room for one evaluation at a time."""

    def __init__(self, relaxed: Relaxed) -> None:
        atoms, clauses = len(relaxed.atoms), len(relaxed.clauses.heads)
        self.cost = np.zeros(atoms, np.int32)
        self.best = np.zeros(atoms, np.int32)
        self.missing = np.zeros(clauses, np.int32)
        self.sums = np.zeros(clauses, np.int32)
        self.queue = np.zeros((BUCKETS, 2), np.int32)
        self.links = np.zeros((clauses + atoms + 1, 2), np.int32)
        self.marks = np.zeros(atoms, np.uint8)
        self.stack = np.zeros(atoms + 1, np.int32)
        self.plan = np.zeros(clauses, np.int32)

    def estimate(self, relaxed: Relaxed, state: Any) -> tuple[int, int]:
        """(h_add, length of the relaxed plan); FAR for a state from which no win follows."""
        c = relaxed.clauses
        added = spread_costs(
            c,
            state,
            self.cost,
            self.best,
            self.missing,
            self.sums,
            self.queue,
            self.links,
            self.marks,
        )
        if added >= FAR:
            return FAR, FAR
        length = relaxed_plan(c, self.best, self.marks, self.stack, self.plan)
        return added, length


BUCKETS = 4096
"""Costs beyond this are lumped together, which only blurs far estimates."""


@compiled
def push(queue: Any, links: Any, free: Any, cost: Any, atom: Any) -> Any:
    """Put an atom into the bucket of its cost."""
    bucket = min(cost, queue.shape[0] - 1)
    links[free, 0] = atom
    links[free, 1] = queue[bucket, 0]
    queue[bucket, 0] = free
    return free + 1


@compiled
def spread_costs(
    c: Clauses,
    state: Any,
    cost: Any,
    best: Any,
    missing: Any,
    sums: Any,
    queue: Any,
    links: Any,
    done: Any,
) -> Any:
    """h_add of every atom by a bucket queue, cheapest first. Gives back that of the goal."""
    cost[:] = FAR
    done[:] = 0
    best[:] = -1
    queue[:, 0] = 0
    free = 1
    for clause in range(len(c.heads)):
        missing[clause] = c.body_starts[clause + 1] - c.body_starts[clause]
        sums[clause] = c.costs[clause]
    for variable in range(len(c.lows)):
        place = c.fact_starts[variable] + state[variable] - c.lows[variable]
        if c.fact_starts[variable] <= place < c.fact_starts[variable + 1]:
            atom = c.facts[place]
            if atom >= 0 and cost[atom] != 0:
                cost[atom] = 0
                free = push(queue, links, free, 0, atom)
    for at in range(len(c.axioms)):
        clause = c.axioms[at]
        head = c.heads[clause]
        if sums[clause] < cost[head]:
            cost[head] = sums[clause]
            best[head] = clause
            free = push(queue, links, free, cost[head], head)
    for bucket in range(queue.shape[0]):
        while queue[bucket, 0] != 0:
            link = queue[bucket, 0]
            queue[bucket, 0] = links[link, 1]
            atom = links[link, 0]
            if done[atom] != 0:
                continue
            done[atom] = 1
            if atom == 0:
                return cost[0]
            for at in range(c.use_starts[atom], c.use_starts[atom + 1]):
                clause = c.uses[at]
                missing[clause] -= 1
                sums[clause] = min(sums[clause] + cost[atom], FAR - 1)
                if missing[clause] != 0:
                    continue
                head = c.heads[clause]
                if sums[clause] < cost[head]:
                    cost[head] = sums[clause]
                    best[head] = clause
                    free = push(queue, links, free, cost[head], head)
    return cost[0]


@compiled
def relaxed_plan(c: Clauses, best: Any, marks: Any, stack: Any, plan: Any) -> Any:
    """The number of turns in the relaxed plan; its clauses that begin something in `plan`."""
    marks[:] = 0
    stack[0] = 0
    marks[0] = 1
    size = 1
    length = 0
    while size > 0:
        size -= 1
        clause = best[stack[size]]
        if clause < 0:
            continue
        if c.costs[clause] > 0:
            plan[length] = clause
            length += 1
        for at in range(c.body_starts[clause], c.body_starts[clause + 1]):
            atom = c.bodies[at]
            if marks[atom] == 0:
                marks[atom] = 1
                stack[size] = atom
                size += 1
    return length
