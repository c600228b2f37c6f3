"""Seeded random Machines with a secret: something that no start shows, that decides what wins,
and that some text, some refusal or some scope may give away.

`secret_machine(seed)` holds: a secret of two or three values, one a variant; a place, two
flags, commands with and without arguments, a number to dial; things that bear one name and
are in scope by a flag, by the secret, or always; requirements and texts, a few of which tell
the secret; deeds that win or lose by it, some of which can be taken back. Some machines have a
command that is typed as others are, so that only an article tells which is meant.
"""

from __future__ import annotations

from random import Random

from tests.build_machine import Builder, eq, form, ne, parameter, program, put, slot, step
from worldengine.machine.schema import (
    EQ,
    NE,
    NONE,
    Argument,
    Assign,
    Machine,
    Operator,
    Requirement,
    Rule,
    Step,
    Test,
    Variant,
)
from worldengine.machine.validate import validate


def secret_machine(seed: int, masked: bool = False) -> Machine:
    """See the module."""
    machine = _Maker(Random(seed)).machine(masked)
    validate(machine)
    return machine


class _Maker:
    def __init__(self, chance: Random) -> None:
        self.chance, self.b = chance, Builder()
        self.values = chance.choice((2, 2, 3))
        self.leaky = chance.choice((0.0, 0.0, 0.03, 0.1))
        b = self.b
        self.secret = b.integer("secret", 0, self.values - 1, 0)
        self.at = b.integer("at", 0, 2, 0)
        self.flags = [b.boolean("one"), b.boolean("two")]
        self.good, self.bad = b.boolean("good"), b.boolean("bad")
        self.status = b.integer("status", 0, 2, 0, role="status")
        self.turn = b.integer("turn", 0, 6, 0, role="turn") if chance.random() < 0.2 else NONE

    def machine(self, masked: bool) -> Machine:
        b, chance = self.b, self.chance
        b.text("Done.")
        b.text("No.")
        b.text("Hm.")
        b.text("You see ", (0, "number", ""), ".")
        names = ("stuff",) if chance.random() < 0.5 else ()
        for index in range(3):
            b.object(f"thing{index}", f"thing {index}", *names)
        rows = [(index, *chance.choice(self._scopes())) for index in range(3)]
        b.scope("here", *rows)
        things = tuple(range(3))
        near = parameter("x", things, scope="here")
        poke = b.schema("poke", (near,), form("poke ", 0), own=True)
        free = b.schema("hum", (parameter("x", things),), form("hum ", 0), own=True)
        dial = b.schema(
            "dial", (parameter("n", type="number", low=0, high=2),), form("dial ", 0), own=True
        )
        self.dial = dial
        wait = b.schema("wait", (), form("wait"), own=False)
        for index in things:
            self._act(poke, (index,))
            if chance.random() < 0.5:
                self._act(free, (index,))
        self._act(dial, (NONE,))
        self._act(wait, ())
        if masked:
            texts = ("poke thing 0", "poke stuff", "hum thing 1", "poke thing 2")
            taken = chance.sample(texts, 2)
            self._act(b.schema("nudge", (), *map(form, taken), own=True), ())
        self._rules()
        starts = [Variant((), ((self.secret, value),)) for value in range(self.values)]
        return b.machine(
            self.status,
            name=f"secret {chance.randrange(10**6)}",
            turn=self.turn,
            turns=chance.choice((3, 5, 9)),
            variants=tuple(starts),
        )

    def _scopes(self) -> list[tuple[int, int]]:
        """Slots and constants that may say whether a thing is in scope."""
        found = [(-1, 1), (-1, 1), (self.flags[0], 0), (self.flags[1], 0), (self.at, 0)]
        return [*found, (self.secret, 0)] if self.leaky else found

    def _test(self, secret: float) -> Test:
        chance = self.chance
        if chance.random() < secret:
            return chance.choice((eq, ne))(self.secret, chance.randrange(self.values))
        if chance.random() < 0.3:
            return eq(self.at, chance.randrange(3))
        return eq(chance.choice(self.flags), chance.randrange(2))

    def _text(self) -> tuple[int, tuple[Argument, ...]]:
        chance = self.chance
        if chance.random() < self.leaky:
            return 3, (slot(self.secret),)
        if chance.random() < 0.3:
            return 3, (slot(chance.choice((self.at, *self.flags))),)
        return chance.randrange(3), ()

    def _act(self, schema: int, arguments: tuple[int, ...]) -> None:
        chance, steps = self.chance, list[Step]()
        requirements: list[Requirement] = []
        for _ in range(chance.choice((0, 1, 1))):
            text, values = self._text()
            at = len(steps)
            requirements.append(Requirement(at, chance.choice((2, 3)), NONE))
            refusal = requirements[-1].refusal
            steps.append(step(self._test(self.leaky / 2), then=at + 2))
            steps.append(step(say=text, arguments=values, refuse=refusal))
        body = len(steps)
        for _ in range(chance.choice((1, 2, 3))):
            text, values = self._text()
            says = chance.random() < 0.6
            steps.append(
                step(
                    self._test(self.leaky / 2),
                    do=(self._deed(),),
                    say=text if says else -1,
                    arguments=values if says else (),
                )
            )
        decides = schema == self.dial or chance.random() < 0.15
        if decides:  # the deed that the secret decides
            wanted = chance.randrange(self.values)
            match = Test(self.b.number, EQ, self.secret, 0)
            other = Test(self.b.number, NE, self.secret, 0)
            if schema != self.dial:
                match, other = eq(self.secret, wanted), ne(self.secret, wanted)
            steps.append(step(match, do=(put(self.good, 1),)))
            if chance.random() < 0.7:
                steps.append(step(other, do=(put(self.bad, 1),)))
        made = Operator(schema, arguments, tuple(requirements), body, program(*steps), NONE)
        self.b.operators.append(made)

    def _deed(self) -> Assign:
        chance = self.chance
        if chance.random() < 0.4:
            return put(self.at, chance.randrange(3))
        return put(chance.choice(self.flags), chance.randrange(2))

    def _rules(self) -> None:
        b, running = self.b, eq(self.status, 0)
        if self.chance.random() < 0.3:
            text, values = self._text()
            steps = program(step(self._test(0.0), say=text, arguments=values))
            b.rules.append(Rule("rule", "rule", "", steps, NONE))
        lose = [running, eq(self.bad, 1)]
        if self.chance.random() < 0.3:
            lose.append(self._test(0.0))
        win = [running, eq(self.good, 1), self._test(0.0)]
        for kind, tests, value in (("lose", lose, 2), ("win", win, 1)):
            steps = program(step(*tests, do=(put(self.status, value),)))
            b.rules.append(Rule(kind, kind, "", steps, NONE))
