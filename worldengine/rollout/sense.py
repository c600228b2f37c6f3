"""Whether trying a later step too soon makes sense: what can be learnt from its refusal.

In: the accepted commands of an episode as points, where a later one is tried, the refusal
it gets there. Out: yes or no. Two things make such a refusal teach something false: the
step has been done already, so that "later" is a second time; or nothing that the player
does is what makes it work later. Both are decided on states, by playing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldengine.machine import Machine
from worldengine.machine.schema import Program, State
from worldengine.memo import by_machine
from worldengine.runtime import Knowledge, Refusal, Transition, runtime_of

ALREADY = ("already", "no need", "twice")
"""Words of refusals that speak of a thing done."""


@dataclass(frozen=True, slots=True)
class Point:
    """An accepted command, the state before it and what has been shown by then."""

    command: str
    purpose: str
    state: State
    knowledge: Knowledge
    transition: Transition


@by_machine(50_000)
def step(machine: Machine, state: State, command: str) -> Transition:
    return runtime_of(machine).step(state, command)


def _leads_away(machine: Machine, points: tuple[Point, ...], at: int, target: int) -> bool:
    """Whether point `target` takes an exit of another place: tried at point `at` the same
    words mean another way, and what is refused there is not what works later."""
    operator = machine.operators[points[target].transition.operator]
    parameters = machine.schemas[operator.schema].parameters
    by_exit = any(
        parameter.type == "object" and machine.objects[value].role == "exit"
        for parameter, value in zip(parameters, operator.arguments, strict=True)
    )
    where = machine.objects[machine.player].location
    here, there = points[at].state, points[target].state
    return by_exit and where >= 0 and here[where] != there[where]


def done_already(
    machine: Machine, points: tuple[Point, ...], at: int, target: int, refusal: str
) -> bool:
    """Whether what point `target` does has been done before point `at`, is done by another
    point before `target`, is so without anybody doing it, or is another thing there."""
    later = points[target].transition
    if _leads_away(machine, points, at, target):
        return True
    action = later.operator, later.number
    for point in points[:target]:
        done = point.transition
        if (done.operator, done.number) == action or point.command == points[target].command:
            return True
    if any(word in refusal.lower() for word in ALREADY):
        return True
    before, after = points[target].state, later.state
    written = [slot for slot in _written(machine, later.operator) if before[slot] != after[slot]]
    return bool(written) and all(points[at].state[slot] == after[slot] for slot in written)


@by_machine(20_000)
def _written(machine: Machine, operator: int) -> frozenset[int]:
    """The variables that an action's own statements store into."""
    ground = machine.operators[operator]
    return frozenset(_targets(machine, ground.program[ground.body :]))


def _targets(machine: Machine, program: Program) -> Iterator[int]:
    for each in program:
        yield from (a.target for a in each.assigns if a.target < len(machine.variables))
        if each.call >= 0:
            yield from _targets(machine, machine.blocks[each.call].program)


def waits_for_a_step(
    machine: Machine, points: tuple[Point, ...], at: int, target: int, refusal: Refusal
) -> bool:
    """Whether a step of the plan between the two makes the failed requirement hold, and
    point `target` would be refused without it."""
    runtime = runtime_of(machine)
    if not runtime.holds(points[target].state, refusal):
        return False
    needed = next(
        (
            each
            for each in range(at, target)
            if runtime.holds(points[each].transition.state, refusal)
        ),
        -1,
    )
    if needed < 0 or points[needed].purpose != "plan":
        return False
    state: State = points[at].state
    for each in range(at, target):
        if each != needed:
            played = step(machine, state, points[each].command)
            if played.status != "running":
                return True
            state = played.state
    return not step(machine, state, points[target].command).accepted
