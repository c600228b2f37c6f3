"""The numbers a command takes: as few as need trying, and exactly those that are accepted."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tests.build_machine import Builder, copy, form, ge, parameter, program, put, step
from worldengine.compiler import compile as compile_world
from worldengine.machine.schema import IS_UNDEFINED, LOGIC, NONE, Machine, Operator, Step
from worldengine.machine.schema import Test as Condition
from worldengine.machine.validate import validate
from worldengine.runtime import Runtime
from worldengine.runtime.intervals import Stretches

LOW, HIGH = -6, 12
OPERATORS = range(IS_UNDEFINED + 1)


def random_machine(rng: random.Random) -> Machine:
    """An action of one number with requirements made of any tests of it, of two variables, of
    a register written on the way and of derived variables, which may depend on it or not."""
    b = Builder()
    x = b.integer("x", -5, 9, rng.randint(-5, 9))
    y = b.integer("y", -5, 9, rng.randint(-5, 9))
    status = b.integer("status", 0, 2, 0, role="status")
    said = b.text("No.")
    r0 = b.register(0)
    for index, name in enumerate(("first", "second")):
        source = b.number if rng.random() < 0.2 else x
        target = b.derived_slot(index)
        b.derive(name, program(step(ge(source, rng.randint(-3, 6)), do=(put(target, 1),))))
    act = b.schema(
        "act", (parameter("n", type="number", low=LOW, high=HIGH),), form("act ", 0), own=True
    )
    slots = [b.number] * 3 + [x, y]
    slots += [b.derived_slot(0), b.derived_slot(1)] if rng.random() < 0.4 else []
    slots += [r0] if rng.random() < 0.3 else []

    def test() -> Condition:
        right = rng.choice([-1, *slots])
        return Condition(rng.choice(slots), rng.choice(OPERATORS), right, rng.randint(-4, 8))

    requirements = tuple(
        (tuple(test() for _ in range(rng.randint(1, 2))), LOGIC, said, ())
        for _ in range(rng.randint(1, 3))
    )
    b.operator(act, (NONE,), requirements, step(do=(copy(x, y),)))
    begins = rng.choice([x, y, b.number])
    b.operators[-1] = after(step(do=(copy(r0, begins),)), b.operators[-1])
    machine = b.machine(status)
    validate(machine)
    return machine


def after(first: Step, operator: Operator) -> Operator:
    """The operator with a step before its requirements; it counts to the first of them."""
    entries = [item.entry + 1 if item.entry else 0 for item in operator.requirements]
    steps = (item._replace(then=item.then + 1, other=item.other + 1) for item in operator.program)
    return replace(
        operator,
        requirements=tuple(
            replace(item, entry=entry)
            for item, entry in zip(operator.requirements, entries, strict=True)
        ),
        body=operator.body + 1,
        program=(*program(first), *steps),
    )


def accepted(runtime: Runtime, low: int = LOW, high: int = HIGH) -> list[int]:
    state = runtime.machine.start()
    return [n for n in range(low, high + 1) if runtime.act(state, 0, n).accepted]


def offered(runtime: Runtime) -> list[int]:
    found: Any = dict(runtime.applicable(runtime.machine.start())).get(0, ())
    assert all(high + 1 < low for (_, high), (low, _) in pairwise(found))
    return [n for low, high in found for n in range(low, high + 1)]


@pytest.mark.parametrize("seed", range(400))
def test_exactly_the_numbers_that_are_accepted(seed: int) -> None:
    runtime = Runtime(random_machine(random.Random(seed)))
    assert offered(runtime) == accepted(runtime)


WIDE = """world till "The till" { goal "Pay." turns 20 }
place shop "shop" { }
player in shop { coins : 0..90000 = 25000  debt : 0..90000 = 1000  paid : bool = false }
derive short = player.coins < player.debt
derive dear = player.debt > 5
action pay(n: 1..90000) {
  form "pay {n}"
  require n <= player.coins else logic "You have not that much."
  require n != 77 else logic "Not that number."
  require n >= player.debt - 10 else logic "Not enough."
  require dear else logic "No need."
  %s
  set player.paid = true
}
win when player.paid
"""


def starts(machine: Machine) -> int:
    runtime = Runtime(machine)
    turn = runtime.evaluation(machine.start())
    operator = next(
        index
        for index, item in enumerate(machine.operators)
        if machine.schemas[item.schema].name == "pay"
    )
    return len(Stretches(runtime.tables, operator).starts(turn, 1, 90_000))


def test_few_numbers_are_tried_however_wide_the_range() -> None:
    machine = compile_world(WIDE % "")
    assert starts(machine) <= 8
    assert [text for text in machine.applicable(machine.start()) if text.startswith("pay")] == [
        "pay 990..25000"
    ]


def test_all_are_tried_where_something_is_worked_out_from_the_number() -> None:
    machine = compile_world(WIDE % 'require n % 2 == 0 else logic "Even sums only."')
    assert starts(machine) == 90_000
