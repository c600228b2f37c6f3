"""Seeded random Machines that use every kind of step, for engines to disagree about.

`random_machine(seed)` is valid, means nothing, and holds: integers that saturate, references
and symbols, plain derived variables that read one another, a recursive group that only grows
(sometimes in a circle), SELECT tables with gaps, undefined registers, `prior`, blocks that
call blocks, texts with values, scopes of all sorts, number parameters, rules and endings.
"""

from __future__ import annotations

import random

from tests.build_machine import Builder, form, parameter, program
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
    NONE,
    SATURATION,
    SELECT,
    SUB,
    UNDEFINED,
    Argument,
    Assign,
    Block,
    Machine,
    Operator,
    Program,
    Requirement,
    Rule,
    Step,
    Test,
    Variant,
)
from worldengine.machine.validate import validate

ARITHMETIC = (COPY, ADD, SUB, MUL, DIV, MOD, SELECT, MIN, MAX)
COMPARISONS = (EQ, NE, LT, LE, GT, GE)
REGISTERS = 4
PLAIN, GROUP = 6, 4
OBJECTS = 5


class Maker:
    """Makes one machine; every choice comes from one generator."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.b = Builder()
        self.free: list[int] = []  # variables that any number may be stored into
        self.kept: dict[int, tuple[int, ...]] = {}  # variables and the values they may hold

    # -- parts -----------------------------------------------------------------------

    def variables(self) -> None:
        chance, b = self.chance, self.b
        for index in range(chance.randint(2, 4)):
            self.free.append(b.boolean(f"flag{index}", chance.random() < 0.5))
        for index in range(chance.randint(2, 4)):
            low = chance.choice((-5, 0, 1))
            high = low + chance.choice((1, 6, 300))
            self.free.append(b.integer(f"count{index}", low, high, chance.randint(low, high)))
        if chance.random() < 0.2:
            self.free.append(b.integer("vast", -SATURATION, SATURATION, SATURATION - 1))
        places = (NONE, *range(OBJECTS))
        for index in range(3):
            slot = b.reference(f"in{index}", places, chance.choice(places))
            self.kept[slot] = places
        self.status = b.integer("status", 0, 2, 0, role="status")
        self.milestones = (b.boolean("milestone", role="milestone"),)
        self.turn = b.integer("turn", 0, 12, 0, role="turn") if chance.random() < 0.5 else NONE

    def readable(self, derived: int) -> list[int]:
        """Slots that a program may read: variables, prior, number, the first derived ones."""
        b = self.b
        return [
            *range(2 * len(b.variables)),
            b.number,
            *(b.derived_slot(index) for index in range(derived)),
        ]

    def tables(self) -> None:
        for _ in range(3):
            keys = self.chance.sample(range(-2, 9), 5)
            rows = []
            for key in keys:
                if self.chance.random() < 0.4:
                    rows.append((key, self.chance.randrange(len(self.b.variables)), 0))
                else:
                    rows.append((key, -1, self.chance.choice((0, 3, -7, 1000, UNDEFINED))))
            self.b.table(*rows)

    def number(self) -> int:
        return self.chance.choice((0, 0, 1, 2, -1, 5, 40, 1_000_000, SATURATION))

    def assign(self, target: int, sources: list[int]) -> Assign:
        op = self.chance.choice((CONST, *ARITHMETIC))
        left, right = self.chance.choice(sources), self.chance.choice(sources)
        if op == CONST:
            constant = UNDEFINED if self.chance.random() < 0.1 else self.number()
            return Assign(target, op, -1, -1, constant)
        if op == SELECT:
            return Assign(target, op, left, -1, self.chance.randrange(len(self.b.tables)))
        constant = self.number() if op in (COPY, ADD, SUB) else self.chance.choice((2, -3, 7))
        return Assign(target, op, left, right if op in (ADD, SUB, MIN, MAX) else -1, constant)

    def test(self, sources: list[int]) -> Test:
        left = self.chance.choice(sources)
        if self.chance.random() < 0.1:
            return Test(left, IS_UNDEFINED, -1, 0)
        op = self.chance.choice(COMPARISONS)
        if self.chance.random() < 0.3:
            return Test(left, op, self.chance.choice(sources), self.chance.choice((0, 0, 1, -2)))
        return Test(left, op, -1, self.chance.choice((0, 0, 1, 2, -1, 3)))

    def write(self, sources: list[int]) -> Assign:
        """A store into some variable that it can hold."""
        if self.chance.random() < 0.3:
            slot = self.chance.choice(tuple(self.kept))
            if self.chance.random() < 0.5:
                return Assign(slot, COPY, self.chance.choice(tuple(self.kept)), -1, 0)
            return Assign(slot, CONST, -1, -1, self.chance.choice(self.kept[slot]))
        return self.assign(self.chance.choice(self.free), sources)

    def opening(self, sources: list[int]) -> Step:
        """A step that writes all registers a program may read later."""
        registers = [self.b.register(index) for index in range(REGISTERS)]
        assigns = tuple(self.assign(register, sources) for register in registers)
        return Step((), assigns, -1, (), -1, 0, 1, 1)

    def program(self, length: int, derived: int, own: int = -1, calls: int = 0,
                says: bool = True) -> Program:  # fmt: skip
        """Steps with forward jumps. With `own` only that slot and registers are written."""
        chance = self.chance
        registers = [self.b.register(index) for index in range(REGISTERS)]
        plain = self.readable(derived)
        sources = [*plain, *registers, *registers]
        steps = [self.opening(plain)]
        for index in range(1, length):
            tests = tuple(self.test(sources) for _ in range(chance.choice((0, 1, 1, 2))))
            assigns = []
            for _ in range(chance.choice((0, 1, 1, 2))):
                if own >= 0:
                    target = own if chance.random() < 0.7 else chance.choice(registers)
                    assigns.append(self.assign(target, sources))
                elif chance.random() < 0.3:
                    assigns.append(self.assign(chance.choice(registers), sources))
                else:
                    assigns.append(self.write(sources))
            text, arguments = -1, tuple[Argument, ...]()
            if says and chance.random() < 0.3:
                text = chance.randrange(len(self.b.texts))
                arguments = self.arguments(sources)
            call = chance.randrange(calls) if calls and chance.random() < 0.2 else -1
            then, other = (chance.randint(index + 1, min(length, index + 3)) for _ in range(2))
            steps.append(Step(tests, tuple(assigns), text, arguments, call, 0, then, other))
        return tuple(steps)

    def arguments(self, sources: list[int]) -> tuple[Argument, ...]:
        pick = self.chance.choice(sources)
        return Argument(pick, 0), Argument(-1, self.number())

    def derived(self) -> None:
        b = self.b
        for index in range(PLAIN):
            own = b.derived_slot(index)
            steps = self.program(self.chance.randint(2, 5), index, own, says=False)
            b.derive(f"plain{index}", steps, high=self.chance.choice((1, 1, 20)))
        members = [b.derived_slot(PLAIN + index) for index in range(GROUP)]
        for index, own in enumerate(members):
            rises: list[Step] = []
            for level in range(1, self.chance.randint(2, 4)):
                tests = [self.test(self.readable(PLAIN))]
                if self.chance.random() < 0.7:
                    tests.append(Test(self.chance.choice(members), GE, -1, 1))
                rise = Assign(own, CONST, -1, -1, level)
                if self.chance.random() < 0.4:
                    rise = Assign(own, MAX, own, self.chance.choice(members), 0)
                elif level > 1:
                    top = b.register(0)
                    rises.append(Step((), (Assign(top, CONST, -1, -1, level),), -1, (), -1, 0,
                                      len(rises) + 1, len(rises) + 1))  # fmt: skip
                    rise = Assign(own, MAX, own, top, 0)
                rises.append(Step(tuple(tests), (rise,), -1, (), -1, 0, len(rises) + 1,
                                  len(rises) + 1))  # fmt: skip
            b.derive(f"member{index}", tuple(rises), group=0, high=3)

    def blocks(self) -> None:
        everything = PLAIN + GROUP
        for index in range(3):
            steps = self.program(self.chance.randint(2, 5), everything, calls=index)
            self.b.blocks.append(Block(f"block{index}", steps))

    def scopes(self) -> None:
        b, chance = self.b, self.chance
        spots = [*range(len(b.variables)), *(b.derived_slot(i) for i in range(PLAIN + GROUP))]
        for word in ("here", "held"):
            rows = []
            for index in range(OBJECTS - 1):  # the last object is in no scope
                slot = chance.choice(spots) if chance.random() < 0.7 else -1
                rows.append((index, slot, chance.randrange(2)))
            b.scope(word, *rows)

    def actions(self) -> None:
        b, chance = self.b, self.chance
        candidates = tuple(range(OBJECTS))
        nearby = parameter("x", candidates, scope="here")
        one = b.schema("poke", (nearby,), form("poke ", 0), own=True)
        two = b.schema(
            "join",
            (parameter("x", candidates, scope="held"), parameter("y", candidates)),
            form("join ", 0, " to ", 1),
            own=True,
        )
        dial = b.schema(
            "dial",
            (parameter("n", type="number", low=-2, high=chance.choice((3, 30))),),
            form("dial ", 0),
            own=True,
        )
        b.schema("wait", (), form("wait"), own=False)
        self.act(one, [(index,) for index in candidates])
        self.act(two, [(index, chance.randrange(OBJECTS)) for index in candidates])
        self.act(dial, [(NONE,)])
        self.act(dial + 1, [()])

    def act(self, schema: int, arguments: list[tuple[int, ...]]) -> None:
        for values in arguments:
            steps, requirements = self.requirements()
            body = self.program(self.chance.randint(2, 6), PLAIN + GROUP, calls=3)
            shift = len(steps)
            moved = [
                step._replace(then=step.then + shift, other=step.other + shift) for step in body
            ]
            operator = Operator(schema, values, tuple(requirements), shift, (*steps, *moved), NONE)
            self.b.operators.append(operator)

    def requirements(self) -> tuple[list[Step], list[Requirement]]:
        chance = self.chance
        plain = self.readable(PLAIN + GROUP)
        steps, found = [self.opening(plain)], list[Requirement]()
        sources = [*plain, *(self.b.register(index) for index in range(REGISTERS))]
        for number in range(chance.randint(0, 3)):
            refusal = chance.randint(1, 3)
            at = len(steps)
            found.append(Requirement(0 if number == 0 else at, refusal, NONE))
            tests = tuple(self.test(sources) for _ in range(chance.choice((1, 1, 2))))
            text = chance.randrange(len(self.b.texts))
            steps.append(Step(tests, (), -1, (), -1, 0, at + 2, at + 1))
            steps.append(Step((), (), text, self.arguments(sources), -1, refusal, at + 2, at + 2))
        return steps, found

    def rules(self) -> None:
        b = self.b
        for index in range(self.chance.randint(1, 4)):
            steps = self.program(self.chance.randint(2, 5), PLAIN + GROUP, calls=3)
            b.rules.append(Rule(f"rule{index}", "rule", "", steps, NONE))
        latch = Assign(self.milestones[0], CONST, -1, -1, 1)
        sources = self.readable(PLAIN + GROUP)
        for kind, assign in (
            ("milestone", latch),
            ("lose", Assign(self.status, CONST, -1, -1, 2)),
            ("win", Assign(self.status, CONST, -1, -1, 1)),
        ):
            tests = (Test(self.status, EQ, -1, 0), *(self.test(sources) for _ in range(2)))
            steps = program(Step(tests, (assign,), -1, (), -1, 0, -1, -1))
            b.rules.append(Rule(kind, kind, "", steps, NONE))

    def machine(self) -> Machine:
        b, chance = self.b, self.chance
        for index in range(OBJECTS):
            b.object(f"thing{index}", f"thing {index}")
        self.variables()
        b.text("A ", (0, "number", ""), " and ", (1, "number", ""), ".")
        b.text("It is ", (1, "number", ""), ".")
        b.text(" Quite so.", kind="more")
        self.tables()
        self.derived()
        self.blocks()
        self.scopes()
        self.actions()
        self.rules()
        starts = [()]
        for _ in range(2):
            slot = chance.choice(tuple(self.kept))
            starts.append(((slot, chance.choice(self.kept[slot])),))  # type: ignore[arg-type]
        return b.machine(
            self.status,
            name=f"random {self.chance.randrange(10**6)}",
            milestones=self.milestones,
            turn=self.turn,
            turns=20,
            variants=tuple(Variant((), start) for start in starts),
        )


def random_machine(seed: int) -> Machine:
    """See the module."""
    machine = Maker(seed).machine()
    validate(machine)
    return machine
