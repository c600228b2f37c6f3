"""Clocks as layers: what goes on by itself is known from the number of turns alone.

In: a Machine, the variables that matter, a start. Out: `Hours`: the clocks, and the turns from
which on something that is not a clock can tell them from before.

A clock is a variable that no command stores into, and that rules compute from clocks alone: the
turn, a daylight that wanes every turn, the flag of a sunset that comes at turn 34. After t turns
all clocks are what they are after t turns of waiting, whatever is played.

**Argument.** Turns t to u are an hour if everything outside that asks about clocks is answered
alike at each of them and alike again one turn later. Within an hour a command leads from the
same state to the same state (clocks aside), whenever it is given. So the exploration leaves the
clocks out and goes hour by hour: within one it sees a state once, when it is first come to. When
the hour is over, every state that was seen in it and still runs begins the next one, as if one
had waited there.

By induction over its turns every play is seen: its state after t turns is met in the hour of t,
after t turns or fewer. So if no win is seen there is none, and the first win that is seen is no
later than any play's. Where waiting changes a state (a lamp burns down), more may be seen than
can be played. So the plan, with the waiting written out, is played, and if it does not win, all
is explored again without this reduction; if it does, its length is the least.

Verdicts and shortest lengths are kept. The number of states is not (that is the point).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from worldengine.machine.reads import assign_reads
from worldengine.machine.schema import IS_UNDEFINED, NE, Machine, State, Test
from worldengine.modelcheck.programs.silence import reads_of
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, RULE, Unit, scopes_of, units_of
from worldengine.modelcheck.programs.values import true
from worldengine.modelcheck.reductions.cone import Cone

LONGEST = 5_000
"""Turns after which what still goes on is no clock: it goes round."""

SHORT = 2
"""Turns that an hour has to have, all taken together, for hours to be worth while."""

Wait = Callable[[Machine, State], Iterator[State]]
Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hours:
    """Hour i begins after `begins[i]` turns, with the clocks at `values[i]`; the last one does
    not end."""

    clocks: tuple[int, ...]
    begins: tuple[int, ...]
    values: tuple[Row, ...]


def hours_of(machine: Machine, cone: Cone, start: State, wait: Wait) -> Hours | None:
    """See the module. `wait` gives the states of a Machine whose only command does nothing,
    turn by turn, the first one included. None where no clock matters or time cannot pass."""
    if cone.idle < 0:
        return None
    units = units_of(machine)
    clocks = clocks_of(machine, units, cone)
    ticking = [u.index for u in units if u.kind == RULE and stored(u, machine) & clocks]
    alone = replace(
        machine,
        operators=(machine.operators[cone.idle],),
        rules=tuple(machine.rules[index] for index in ticking),
    )
    trail = _trail(wait(alone, start), sorted(clocks)) if clocks else []
    columns = dict(zip(sorted(clocks), zip(*trail, strict=True), strict=False))
    going = [v for v, column in columns.items() if len(set(column)) > 1]
    if not going:
        return None
    rows = list(zip(*(columns[v] for v in going), strict=True))
    asked = _asked(machine, units, cone, frozenset(going), frozenset(ticking))
    signs = [
        tuple(asked[v].sign(v, value) for v, value in zip(going, row, strict=True)) for row in rows
    ]
    seen = list(pairwise([*signs, signs[-1]]))
    begins = (0, *(turn for turn in range(1, len(seen)) if seen[turn] != seen[turn - 1]))
    if len(begins) > len(rows) // SHORT:
        return None
    return Hours(tuple(going), begins, tuple(rows[turn] for turn in begins))


def _trail(states: Iterator[State], clocks: list[int]) -> list[Row]:
    """What the clocks are after each turn, up to where they stop; nothing if they never do."""
    found: list[Row] = []
    for state in states:
        row = tuple(state[variable] for variable in clocks)
        if found and row == found[-1]:
            return found
        if len(found) > LONGEST:
            return []
        found.append(row)
    return []


# -- which variables are clocks ----------------------------------------------------------


def stored(unit: Unit, machine: Machine) -> frozenset[int]:
    """The variables that a program stores into."""
    targets = {assign.target for step in unit.program for assign in step.assigns}
    return frozenset(target for target in targets if target < len(machine.variables))


def clocks_of(machine: Machine, units: tuple[Unit, ...], cone: Cone) -> frozenset[int]:
    """The clocks among the variables that matter. Each is stored into by one rule at most, so
    that within a turn it is what it was or what it comes to, and nothing between."""
    matters = frozenset(cone.variables)
    found = set(matters - {machine.status})
    makers = dict.fromkeys(found, 0)
    if machine.turn in makers:
        makers[machine.turn] = 1
    for unit in units:
        if unit.kind == OPERATOR:
            found -= stored(unit, machine)
        if unit.kind == RULE:
            for variable in stored(unit, machine) & makers.keys():
                makers[variable] += 1
    found -= {variable for variable, count in makers.items() if count > 1}
    rules = [(stored(u, machine) & matters, _read(machine, units, u)) for u in units
             if u.kind == RULE]  # fmt: skip
    while True:
        before = set(found)
        for made, read in rules:
            if not made <= found or not read <= found:
                found -= made
        if found == before:
            return frozenset(found)


def _read(machine: Machine, units: tuple[Unit, ...], unit: Unit) -> frozenset[int]:
    """The variables that a program reads, now or as they were, through derived ones too; the
    number of the command counts as -1, which is none."""
    count = len(machine.variables)
    formulas = {machine.derived_base + u.index: u.program for u in units if u.kind == DERIVED}
    found: set[int] = set()
    programs, seen = [unit.program], set[int]()
    while programs:
        for step in programs.pop():
            for slot in reads_of(step, machine):
                if 0 <= slot < 2 * count:
                    found.add(slot % count)
                elif slot == machine.number_slot:
                    found.add(-1)
                elif slot in formulas and slot not in seen:
                    seen.add(slot)
                    programs.append(formulas[slot])
    return frozenset(found)


# -- what is asked of them ---------------------------------------------------------------


@dataclass(slots=True)
class _Asked:
    """What is asked of one clock: comparisons with constants, or everything."""

    tests: set[tuple[int, int]] = field(default_factory=set)  # (operator, constant)
    whole: bool = False

    def sign(self, variable: int, value: int) -> object:
        """What everything that asks comes to."""
        if self.whole:
            return value
        return tuple(true(Test(variable, op, -1, k), value) for op, k in sorted(self.tests))


def _asked(
    machine: Machine,
    units: tuple[Unit, ...],
    cone: Cone,
    clocks: frozenset[int],
    ticking: frozenset[int],
) -> dict[int, _Asked]:
    """What programs outside the clocks ask of each, so far as they matter."""
    found = {variable: _Asked() for variable in clocks}
    count, matters = len(machine.variables), frozenset(cone.variables)
    for unit in units:
        if unit.kind == RULE and (unit.index in ticking or not stored(unit, machine) & matters):
            continue
        if unit.kind == OPERATOR:
            for slot, _ in scopes_of(machine, unit.index):
                if 0 <= slot < count and slot in found:
                    found[slot].tests.add((NE, 0))
        for step in unit.program:
            for test in step.tests:
                _note(found, test, count)
            for assign in step.assigns:
                for slot in assign_reads(assign, machine):
                    if 0 <= slot < 2 * count and slot % count in found:
                        found[slot % count].whole = True
    return found


def _note(found: dict[int, _Asked], test: Test, count: int) -> None:
    if test.op == IS_UNDEFINED:
        return
    for slot in (test.left, test.right):
        if not 0 <= slot < 2 * count or slot % count not in found:
            continue
        if test.right >= 0:
            found[slot % count].whole = True
        else:
            found[slot % count].tests.add((test.op, test.offset))
