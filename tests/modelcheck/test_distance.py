"""Distances: equal to the interpreter's where exact, marked where estimated."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.batch.random_machines import random_machine
from tests.modelcheck.secret_machines import secret_machine
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.machine.schema import LOST, RUNNING, WON, Machine, State
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.relaxation.actions import every_action
from worldengine.modelcheck.verdicts.distance import ESTIMATE, SURVEY, distance, nearest
from worldengine.runtime import runtime_of

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 150


def brute_distances(machine: Machine, start: State) -> dict[State, int | None] | None:
    """Turns to the nearest win by state, by the interpreter alone; None if there are many."""
    runtime, actions = runtime_of(machine), every_action(machine)
    before: dict[State, list[State]] = {start: []}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if state[machine.status] != RUNNING:
            continue
        for index in range(len(actions)):
            turn = runtime.act(state, *actions.pair(index))
            if turn.state not in before:
                if len(before) >= LIMIT:
                    return None
                before[turn.state] = []
                queue.append(turn.state)
            before[turn.state].append(state)
    found: dict[State, int | None] = dict.fromkeys(before)
    wave = [state for state in before if state[machine.status] == WON]
    turns = 0
    while wave:
        for state in wave:
            found[state] = turns
        wave = list(dict.fromkeys(b for state in wave for b in before[state] if found[b] is None))
        turns += 1
    return found


@pytest.mark.parametrize("make", [random_machine, secret_machine])
@pytest.mark.parametrize("batch", range(3))
def test_equal_to_the_interpreter_in_every_state(
    make: Callable[[int], Machine], batch: int
) -> None:
    judged = dead = 0
    for seed in range(batch * 20, batch * 20 + 20):
        machine = make(seed)
        known = brute_distances(machine, machine.start(0))
        if known is None:
            continue
        for state, value in known.items():
            found = distance(machine, state)
            assert (found.value, found.exact) == (value, True), (seed, state)
            assert found.dead == (value is None)
            if value is None and state[machine.status] != LOST:
                assert found.why
                dead += 1
            judged += 1
    assert judged > 40 and dead > 5


def test_the_commands_win_in_so_many_turns() -> None:
    machine = machine_of("thesis_shell")
    state = machine.start(1)
    found, plan = nearest(machine, state)
    assert found.exact and found.by == SURVEY and plan is not None and len(plan) == found.value
    left = found.value or 0
    for command in plan:
        state = machine.step(state, command).state
        left -= 1
        assert distance(machine, state).value == left
    assert state[machine.status] == WON


def test_too_large_a_world_gives_an_estimate_that_says_so() -> None:
    machine = machine_of("castle_tape")
    found = distance(machine, machine.start(0), Budget(states=500, seconds=60, memory=1 << 26))
    assert not found.exact and found.by == ESTIMATE and not found.dead
    assert found.value is not None and found.value > 0
    assert nearest(machine, machine.start(0), Budget(500, 60, 1 << 26)) == (found, None)


def test_a_state_of_another_world_is_refused() -> None:
    with pytest.raises(ValueError, match="has 41 values, not 2"):
        distance(machine_of("titration"), (0, 0))


def machine_of(name: str) -> Machine:
    machine = compile_source(read(ROOT / "worlds" / f"{name}.world").source).machine
    assert machine is not None
    return machine
