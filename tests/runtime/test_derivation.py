"""Derived variables: kept while valid, least fixed points found both ways, any depth."""

from __future__ import annotations

from random import Random

import pytest

from tests.build_machine import Builder, eq, form, program, put, step, total
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import Machine, Step
from worldengine.machine.validate import validate
from worldengine.runtime import Runtime
from worldengine.runtime.interpreter import Evaluation


def network(count: int, wires: list[tuple[int, int]]) -> Machine:
    """`live(i)` holds if i is the source or a wire leads there from a live node."""
    b = Builder()
    on = [b.boolean(f"wire {a}-{c}", True, role="fact") for a, c in wires]
    status = b.integer("status", 0, 2, 0, role="status")
    for node in range(count):
        own = b.derived_slot(node)
        steps: list[Step] = []
        incoming = [(wire, a) for wire, (a, c) in enumerate(wires) if c == node]
        if node == 0:
            steps = [step(do=(put(own, 1),))]
        for wire, start in incoming:
            steps.append(step(eq(on[wire], 1), eq(b.derived_slot(start), 1), do=(put(own, 1),)))
        b.derive(f"live({node})", program(*steps), group=0)
    flip = b.schema("wait", (), form("wait"), own=True)
    b.operator(flip, (), ())
    return b.machine(status)


def reached(count: int, wires: list[tuple[int, int]], on: tuple[int, ...]) -> list[int]:
    """The same by breadth-first search."""
    found, waiting = {0}, [0]
    while waiting:
        node = waiting.pop()
        for wire, (a, c) in enumerate(wires):
            if on[wire] and a == node and c not in found:
                found.add(c)
                waiting.append(c)
    return [int(node in found) for node in range(count)]


@pytest.mark.parametrize("seed", range(30))
def test_recursion_is_reachability(seed: int) -> None:
    random = Random(seed)
    count = random.randint(2, 12)
    wires = [
        (random.randrange(count), random.randrange(count)) for _ in range(random.randint(1, 25))
    ]
    machine = network(count, wires)
    validate(machine)
    runtime = Runtime(machine)
    for _ in range(10):
        state = (*(random.randint(0, 1) for _ in wires), 0)
        expected = reached(count, wires, state)
        order = list(range(count))
        random.shuffle(order)
        turn = Evaluation(runtime.tables, state)
        found = {node: turn.read(machine.derived_base + node) for node in order}
        assert [found[node] for node in range(count)] == expected
        wire = random.randrange(len(wires))
        turn.store(wire, 1 - state[wire])
        changed = tuple(turn.slots[: len(wires) + 1])
        again = [turn.read(machine.derived_base + node) for node in range(count)]
        assert again == reached(count, wires, changed)


@pytest.mark.parametrize("ring", [False, True])
def test_a_long_line_needs_no_deep_recursion(ring: bool) -> None:
    count = 1500
    wires = [(node, node + 1) for node in range(count - 1)]
    wires += [(count - 1, 0)] if ring else []
    machine = network(count, wires)
    turn = Evaluation(Runtime(machine).tables, machine.start(0))
    assert turn.read(machine.derived_base + count - 1) == 1
    turn.store(7, 0)
    assert turn.read(machine.derived_base + count - 1) == 0
    assert turn.read(machine.derived_base + 7) == 1


def test_a_deep_chain_outside_groups() -> None:
    b = Builder()
    x = b.integer("x", 0, 9, 1)
    status = b.integer("status", 0, 2, 0, role="status")
    depth = 2500
    b.derive("first", program(step(do=(total(b.derived_slot(0), x, x),))), high=9)
    for index in range(1, depth):
        own, below = b.derived_slot(index), b.derived_slot(index - 1)
        sums = total(b.register(0), below, below, 0)
        b.derive(
            f"d{index}",
            program(step(do=(sums, total(own, b.register(0), below, 0))))
            if index == 1
            else program(step(do=(put(b.register(0), 0), total(own, below, b.register(0))))),
            high=9,
        )
    machine = b.machine(status)
    validate(machine)
    turn = Evaluation(Runtime(machine).tables, machine.start(0))
    assert turn.read(machine.derived_base + depth - 1) == 6
    turn.store(x, 0)
    assert turn.read(machine.derived_base + depth - 1) == 0


def test_working_one_out_is_never_noticed() -> None:
    """Registers of the program that asks are as they were."""
    b = Builder()
    x = b.integer("x", 0, 9, 3)
    status = b.integer("status", 0, 2, 0, role="status")
    r0, own = b.register(0), b.derived_slot(0)
    b.derive("double", program(step(do=(total(r0, x, x), total(own, r0, r0)))), high=99)
    act = b.schema("act", (), form("act"), own=True)
    b.operator(act, (), (), step(do=(put(r0, 1), total(r0, r0, own), total(x, r0, r0, -20))))
    machine = b.machine(status)
    validate(machine)
    assert Runtime(machine).act(machine.start(0), 0).state[x] == 6


def test_a_group_that_never_settles_is_refused() -> None:
    b = Builder()
    status = b.integer("status", 0, 2, 0, role="status")
    one, two = b.derived_slot(0), b.derived_slot(1)
    not_two = program(step(eq(two, 0), do=(put(one, 1),), then=2), step(do=(put(one, 0),)))
    b.derive("one", not_two, group=0)
    b.derive(
        "two", program(step(eq(one, 1), do=(put(two, 1),), then=2), step(do=(put(two, 0),))), 0
    )
    machine = b.machine(status)
    validate(machine)
    with pytest.raises(MachineError, match="never settles"):
        Evaluation(Runtime(machine).tables, machine.start(0)).read(one)
