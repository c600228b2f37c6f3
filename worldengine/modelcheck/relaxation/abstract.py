"""Which values can occur at all: the world with its deletes left out.

In: a Machine and its starts. Out: `Reach`, for every variable and derived variable the set of
values that it may take, and for every program the set of points it may get to. Refused:
nothing.

The sets only grow: a value once possible stays possible, and the tests of a step are taken
one by one. So every real play stays inside the sets, by induction over its turns: what a
program does to a state whose values lie in the sets is among what is done here. What lies
outside the sets is therefore impossible, and that is the only conclusion drawn from them.
(Delete relaxation after Bonet and Geffner, "Planning as heuristic search", 2001, over
multi-valued variables as in Helmert, "The Fast Downward planning system", 2006.)

Within one run of a program the sets are narrowed by the tests on the way, and a variable
that has just been stored has just the stored values: both follow the order of the steps.
A variable that keeps growing round after round gets its whole range, which is again only
larger; sets beyond `WIDE` values are given up (`TooWide`).
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.machine.schema import (
    CONST,
    COPY,
    DIV,
    IS_UNDEFINED,
    MOD,
    MUL,
    SELECT,
    UNDEFINED,
    Assign,
    Machine,
    State,
    Test,
)
from worldengine.modelcheck.programs.silence import reads_of
from worldengine.modelcheck.programs.units import (
    DERIVED,
    OPERATOR,
    Unit,
    scope_readers,
    scopes_of,
    units_of,
)
from worldengine.modelcheck.programs.values import (
    Env,
    Values,
    bounded,
    computed,
    holding,
    merged,
    spread,
    true,
    whole,
    whole_range,
)
from worldengine.modelcheck.relaxation.reached import Reach

PAIRS = 16384
"""Pairs of values that one sum or comparison is worked out for."""
ROUNDS = 400
"""How often a program is run again before its growing ranges are given up as whole."""


def reach(machine: Machine, starts: Iterable[State], units: tuple[Unit, ...] = ()) -> Reach:
    """The least sets that hold the starts and are closed under every program."""
    values: dict[int, set[int]] = {}
    for start in starts:
        for slot, value in enumerate(start):
            values.setdefault(slot, set()).add(value)
    return reach_from(machine, values, units)


def reach_from(
    machine: Machine, values: dict[int, set[int]], units: tuple[Unit, ...] = ()
) -> Reach:
    """As `reach`, from all states whose variables have one of the `values` each, which grow."""
    found = Reach(machine, units or units_of(machine), values)
    if machine.turn >= 0:  # grows by itself, outside every program
        found.values[machine.turn] |= whole(machine, machine.turn)
    found.values[machine.number_slot] = {0}  # rules and derived variables may read it too
    for unit in found.units:
        if unit.number is not None:
            found.values[machine.number_slot] |= whole_range(*unit.number)
    for index, derived in enumerate(machine.derived):
        # The members of a recursive group begin at 0 whatever they come to.
        initial = {0} if derived.group >= 0 else set()
        found.values[machine.derived_base + index] = initial
    _close(found)
    return found


def _close(found: Reach) -> None:
    machine = found.machine
    readers: dict[int, list[int]] = {}
    count = len(machine.variables)
    for number, unit in enumerate(found.units):
        slots = {slot for step in unit.program for slot in reads_of(step, machine)}
        for slot in slots:
            readers.setdefault(slot - count if count <= slot < 2 * count else slot, []).append(
                number
            )
    found.points = [[] for _ in found.units]
    runs = [0] * len(found.units)
    waiting = dict.fromkeys(range(len(found.units)))
    scopes = scope_readers(found.machine, found.units)
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        runs[number] += 1
        changed = Run(found, number, runs[number] > ROUNDS, closed=False).run()
        for slot in changed:
            waiting.update(dict.fromkeys(readers.get(slot, ())))
            waiting.update(dict.fromkeys(scopes.get(slot, ())))


def entry(found: Reach, unit: Unit) -> Env | None:
    """What is known where a program begins; None if it never does."""
    machine = found.machine
    env: Env = {}
    if unit.kind == OPERATOR:
        for slot, constant in scopes_of(machine, unit.index):
            if slot < 0 and constant == 0:
                return None
            if slot >= 0:
                inside = frozenset(found.possible(slot, env)) - {0}
                if not inside:
                    return None
                env[slot] = inside
        low, high = unit.number or (0, 0)
        env[machine.number_slot] = whole_range(low, high)
    if unit.kind == DERIVED:
        slot = machine.derived_base + unit.index
        # A member of a recursive group is run again from the value it had.
        again = machine.derived[unit.index].group >= 0
        env[slot] = frozenset(found.values[slot] if again else ()) | {0}
    for register in unit.registers:
        env[register] = frozenset({0})
    return env


class Run:
    """One pass through a program over sets of values."""

    def __init__(self, found: Reach, number: int, widen: bool = False, closed: bool = True) -> None:
        self.found = found
        self.number = number
        self.unit = found.units[number]
        self.widen = widen
        self.closed = closed  # the sets are closed already and stay as they are
        self.changed: dict[int, None] = {}

    def run(self) -> tuple[int, ...]:
        """The slots whose sets have grown. Leaves the points of the program in `found`."""
        points: list[Env | None] = [None] * (len(self.unit.program) + 1)
        begin = entry(self.found, self.unit)
        for case in self._cases(begin) if begin is not None else ():
            for index, env in enumerate(self._case(case)):
                if env is not None:
                    points[index] = merged(points[index], env)
        end = points[-1]
        if self.unit.kind == DERIVED and end is not None:
            slot = self.found.machine.derived_base + self.unit.index
            self._add(slot, end.get(slot, frozenset({0})))
        self.found.points[self.number] = points
        return tuple(self.changed)

    def _cases(self, begin: Env) -> Iterable[Env]:
        """The beginning, one value of the player's place at a time where the program counts
        something: what it counts mostly hangs on where the player is, and a set by itself
        forgets that. Every play begins the program in one of the cases."""
        machine = self.found.machine
        slot = machine.objects[machine.player].location if machine.player >= 0 else -1
        if self.unit.kind != OPERATOR or not self.unit.registers or slot < 0:
            return (begin,)
        if all(slot not in reads_of(step, machine) for step in self.unit.program):
            return (begin,)
        prior = slot + len(machine.variables)
        places = (frozenset({value}) for value in sorted(self.found.values[slot]))
        return ({**begin, slot: place, prior: place} for place in places)

    def _case(self, begin: Env) -> list[Env | None]:
        """What is known at each point, from one beginning."""
        program = self.unit.program
        points: list[Env | None] = [None] * (len(program) + 1)
        points[0] = begin
        for index, step in enumerate(program):
            env = points[index]
            if env is None:
                continue
            false = self.refuted(step.tests, env)
            if false is not None:
                points[step.other] = merged(points[step.other], false)
            true = self.satisfied(step.tests, env)
            if true is None:
                continue
            for assign in step.assigns:
                self.assign(assign, true)
            if not step.refuse:
                points[step.then] = merged(points[step.then], true)
        return points

    # -- tests -------------------------------------------------------------------------

    def satisfied(self, tests: tuple[Test, ...], env: Env) -> Env | None:
        """What is known where all tests hold; None if one of them never does."""
        narrowed = dict(env)
        for test in tests:
            if test.right >= 0 and test.op != IS_UNDEFINED:
                if not self._pair(test, narrowed, True):
                    return None
                continue
            kept = holding(test, self.found.possible(test.left, narrowed))
            if not kept:
                return None
            narrowed[test.left] = kept
        return narrowed

    def refuted(self, tests: tuple[Test, ...], env: Env) -> Env | None:
        """What is known where some test fails; None if none ever does."""
        if len(tests) == 1 and (tests[0].right < 0 or tests[0].op == IS_UNDEFINED):
            test = tests[0]
            values = self.found.possible(test.left, env)
            kept = frozenset(values).difference(holding(test, values))
            return {**env, test.left: kept} if kept else None
        return dict(env) if any(self.may_fail(test, env) for test in tests) else None

    def may_fail(self, test: Test, env: Env) -> bool:
        if test.right >= 0 and test.op != IS_UNDEFINED:
            return self._pair(test, env, False)
        values = self.found.possible(test.left, env)
        return len(holding(test, values)) < len(values)

    def _pair(self, test: Test, env: Env, wanted: bool) -> bool:
        lefts = tuple(self.found.possible(test.left, env))
        rights = tuple(self.found.possible(test.right, env))
        if len(lefts) * len(rights) > PAIRS:
            return True
        return any(true(test, left, right) == wanted for left in lefts for right in rights)

    # -- assignments -------------------------------------------------------------------

    def assign(self, assign: Assign, env: Env) -> None:
        """Carry out an assignment on the sets."""
        machine = self.found.machine
        target = assign.target
        results = self.results(assign, env)
        if machine.register_base <= target < machine.derived_base:
            env[target] = results
            return
        stored = bounded(machine, target, results)
        if UNDEFINED in results:  # then the old value stays
            stored |= frozenset(self.found.possible(target, env))
        if target < len(machine.variables):
            self._add(target, stored)
            for slot in [slot for slot in env if slot >= machine.derived_base]:
                del env[slot]
        env[target] = stored

    def results(self, assign: Assign, env: Env) -> Values:
        """What an assignment may compute."""
        if assign.op == CONST:
            return frozenset({assign.constant})
        lefts = tuple(self.found.possible(assign.left, env))
        if assign.op == SELECT:
            return self._select(assign.constant, lefts, env)
        if assign.op in (COPY, MUL, DIV, MOD):
            return frozenset(computed(assign, left, 0) for left in lefts)
        rights = tuple(self.found.possible(assign.right, env))
        if len(lefts) * len(rights) > PAIRS:
            return spread(assign, lefts, rights)
        return frozenset(computed(assign, left, right) for left in lefts for right in rights)

    def _select(self, table: int, lefts: tuple[int, ...], env: Env) -> Values:
        found: set[int] = set()
        rows = {row.value: row for row in reversed(self.found.machine.tables[table])}
        for left in lefts:
            row = rows.get(left)
            if row is None:
                found.add(UNDEFINED)
            elif row.slot < 0:
                found.add(row.constant)
            else:
                found.update(self.found.possible(row.slot, env))
        return frozenset(found)

    def _add(self, slot: int, values: Values) -> None:
        if self.closed:
            return
        known = self.found.values.setdefault(slot, set())
        if values <= known:
            return
        known |= values
        if self.widen:
            known |= whole(self.found.machine, slot)
        self.changed[slot] = None
