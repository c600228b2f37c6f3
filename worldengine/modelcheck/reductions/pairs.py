"""Two states side by side: what a program does in both, where one is better placed.

In: a Machine and, for some variables, a value each that is thought to be best. Out: whether a
program does the same in any two states s and t of which t differs from s only in such variables
and has their best values where it differs (s <= t below); and if not, which of the variables
are to blame.

Every slot has a label: SAME in s and t, no more in t (DOWN), no less in t (UP), or anything
(ANY). Labels of derived variables follow from their programs, step by step, both states taken
through the same step at the same time. Where a test may come out differently in s and t the two
part; that is followed where they meet again at once, and otherwise the program's result may be
anything. For an operator that is enough: where s is refused nothing has to be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    MUL,
    NE,
    SELECT,
    SUB,
    UNDEFINED,
    Assign,
    Machine,
    Test,
)
from worldengine.modelcheck.programs.silence import Quiet, Silent, reads_of
from worldengine.modelcheck.programs.units import DERIVED
from worldengine.modelcheck.programs.values import true
from worldengine.modelcheck.relaxation.reached import Reach

SAME, DOWN, UP, ANY = range(4)
FLIPPED = (SAME, UP, DOWN, ANY)
LOST_ONLY, WON_ONLY = 1, 2
"""A test may hold in s alone; in t alone. Bits."""

Labels = dict[int, int]
Blame = frozenset[int]
GOOD: Blame = frozenset()


def joined(one: int, other: int) -> int:
    """What is known where either may be so."""
    if one == other or other == SAME:
        return one
    return other if one == SAME else ANY


@dataclass(slots=True)
class Pairs:
    """See the module. `best` has the best value by variable; `reached` the values that occur."""

    reached: Reach
    best: Mapping[int, int]
    labels: Labels = field(default_factory=dict)
    support: dict[int, Blame] = field(default_factory=dict)
    machine: Machine = field(init=False)
    programs: dict[int, Silent] = field(init=False)

    def __post_init__(self) -> None:
        self.machine = self.reached.machine
        self.programs = {
            self.machine.derived_base + unit.index: unit.program
            for unit in self.reached.units
            if unit.kind == DERIVED
        }

    # -- slots ---------------------------------------------------------------------------

    def variable(self, slot: int) -> int:
        """The variable that a slot holds now or held before, -1 if none."""
        count = len(self.machine.variables)
        return slot % count if 0 <= slot < 2 * count else -1

    def label(self, slot: int, env: Labels) -> int:
        """ANY for the variables in question themselves."""
        known = env.get(slot)
        if known is not None:
            return known
        variable = self.variable(slot)
        if variable >= 0:
            return ANY if variable in self.best else SAME
        if slot not in self.programs:
            return SAME
        if slot not in self.labels:
            self.labels[slot] = SAME
            self.labels[slot] = self._derived(slot)
        return self.labels[slot]

    def blame(self, slot: int) -> Blame:
        """The variables in question that a slot depends on."""
        variable = self.variable(slot)
        if variable >= 0:
            return frozenset({variable} & self.best.keys())
        if slot not in self.programs:
            return frozenset()
        if slot not in self.support:
            self.support[slot] = frozenset()  # within a group it comes round to itself
            found: set[int] = set()
            seen, waiting = {slot}, [slot]
            while waiting:
                for step in self.programs[waiting.pop()]:
                    for other in reads_of(step, self.machine):
                        if self.variable(other) >= 0:
                            found |= {self.variable(other)} & self.best.keys()
                        elif other in self.programs and other not in seen:
                            seen.add(other)
                            waiting.append(other)
            self.support[slot] = frozenset(found)
        return self.support[slot]

    def blame_of(self, steps: tuple[Quiet, ...]) -> Blame:
        """The variables in question that some steps depend on."""
        found: frozenset[int] = frozenset()
        for step in steps:
            for slot in reads_of(step, self.machine):
                found |= self.blame(slot)
        return found

    # -- tests ---------------------------------------------------------------------------

    def parts(self, test: Test, env: Labels) -> int:
        """How a test may come out differently: bits LOST_ONLY and WON_ONLY."""
        left = self.label(test.left, env)
        paired = test.right >= 0 and test.op != IS_UNDEFINED
        right = self.label(test.right, env) if paired else SAME
        if left == SAME and right == SAME:
            return 0
        variable = self.variable(test.left)
        if paired or test.op == IS_UNDEFINED:
            return self._paired(test, left, right)
        values = sorted(self.reached.possible(test.left, {}))
        if variable >= 0:
            held = true(test, self.best[variable])
            if all(true(test, value) == held for value in values):
                return 0
            return WON_ONLY if held else LOST_ONLY
        if left == ANY:
            return LOST_ONLY | WON_ONLY
        if test.op in (LT, LE, GT, GE):  # both are undefined or neither is
            return WON_ONLY if (left == DOWN) == (test.op in (LT, LE)) else LOST_ONLY
        values = [value for value in values if value != UNDEFINED]
        if not values:
            return LOST_ONLY | WON_ONLY
        holds = [true(test, value) for value in values]
        rising = holds == sorted(holds)
        falling = holds == sorted(holds, reverse=True)
        if rising and falling:
            return 0
        if not rising and not falling:
            return LOST_ONLY | WON_ONLY
        return WON_ONLY if rising == (left == UP) else LOST_ONLY

    def _paired(self, test: Test, left: int, right: int) -> int:
        either = LOST_ONLY | WON_ONLY
        if test.op in (IS_UNDEFINED, EQ, NE):
            return either
        more = joined(left, FLIPPED[right])  # how left - right changes
        if more == ANY:
            return either
        less_wanted = test.op in (LT, LE)
        return WON_ONLY if (more == DOWN) == less_wanted else LOST_ONLY

    def all_parts(self, tests: tuple[Test, ...], env: Labels) -> int:
        found = 0
        for test in tests:
            found |= self.parts(test, env)
        return found

    # -- assignments ---------------------------------------------------------------------

    def result(self, assign: Assign, env: Labels) -> int:
        """The label of what an assignment computes."""
        if assign.op == CONST:
            return SAME
        left = self.label(assign.left, env)
        if assign.op == SELECT:
            rows = self.machine.tables[assign.constant]
            slots = [row.slot for row in rows if row.slot >= 0]
            same = left == SAME and all(self.label(slot, env) == SAME for slot in slots)
            return SAME if same else ANY
        if assign.op == COPY:
            return left
        if assign.op in (MUL, DIV):
            return left if assign.constant >= 0 else FLIPPED[left]
        if assign.op in (ADD, MIN, MAX):
            return joined(left, self.label(assign.right, env))
        if assign.op == SUB:
            return joined(left, FLIPPED[self.label(assign.right, env)])
        return left if left == SAME else ANY

    def after_parting(self, assign: Assign, parts: int, env: Labels) -> int:
        """The label of a register or derived variable after a step that both leave for the
        same place and that perhaps only one of them takes."""
        kept, made = self.label(assign.target, env), self.result(assign, env)
        found = joined(kept, made)
        raised = 0  # whether the assignment makes more of what was there, or less
        if assign.op == COPY and assign.left == assign.target:
            raised = (assign.constant > 0) - (assign.constant < 0)
        elif assign.op == CONST and assign.target >= self.machine.derived_base:
            derived = self.machine.derived[assign.target - self.machine.derived_base]
            if derived.kind in ("bool", "int"):
                raised = (assign.constant >= derived.high) - (assign.constant <= derived.low)
        if raised == 0:
            return ANY
        if parts & WON_ONLY:
            found = joined(found, UP if raised > 0 else DOWN)
        if parts & LOST_ONLY:
            found = joined(found, DOWN if raised > 0 else UP)
        return found

    # -- derived variables -----------------------------------------------------------------

    def _derived(self, slot: int) -> int:
        if not self.blame(slot):
            return SAME
        if self.machine.derived[slot - self.machine.derived_base].group >= 0:
            return ANY
        env = self.through(self.programs[slot], {slot: SAME})
        return ANY if env is None else env[slot]

    def through(self, program: Silent, env: Labels) -> Labels | None:
        """The labels at the end of a program that stores into registers and its own slot;
        None where the two part and do not meet again at once."""
        points: list[Labels | None] = [None] * (len(program) + 1)
        points[0] = dict(env)
        for index, step in enumerate(program):
            here = points[index]
            if here is None:
                continue
            parts = self.all_parts(step.tests, here)
            if parts and (step.then != step.other or step.refuse):
                return None
            points[step.then] = self.met(points[step.then], self.stepped(step, parts, here))
            if step.tests and step.other != step.then:
                points[step.other] = self.met(points[step.other], here)
        return points[len(program)]

    def stepped(self, step: Quiet, parts: int, here: Labels) -> Labels:
        """The labels behind a step, if both go on from it to the same place."""
        after = dict(here)
        for assign in step.assigns:
            if parts:
                after[assign.target] = self.after_parting(assign, parts, after)
                continue
            made = self.result(assign, after)
            skipped = step.tests and step.other == step.then
            kept = self.label(assign.target, here)
            # Where both pass the step by, or what is stored is undefined, both keep what was.
            skipped = skipped or (assign.op != CONST and not self.scratch(assign.target))
            after[assign.target] = joined(made, kept) if skipped else made
        return after

    def scratch(self, slot: int) -> bool:
        return self.machine.register_base <= slot < self.machine.derived_base

    def met(self, one: Labels | None, other: Labels) -> Labels:
        """Labels where two ways meet."""
        if one is None:
            return dict(other)
        found: Labels = {}
        for slot in dict.fromkeys((*one, *other)):
            first, second = one.get(slot), other.get(slot)
            known = self.label(slot, {}) if first is None or second is None else SAME
            found[slot] = joined(
                known if first is None else first, known if second is None else second
            )
        return found
