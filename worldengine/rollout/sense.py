"""Whether trying a later step too soon makes sense: what can be learnt from its refusal.

In: the accepted commands of an episode as points, where a later one is tried, the refusal
it gets there. Out: yes or no. Two things make such a refusal teach something false: the
step has been done already, so that "later" is a second time; or nothing that the player
does is what makes it work later. Both are decided on states, by playing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from worldengine.machine import Machine
from worldengine.machine.schema import Program
from worldengine.memo import by_machine
from worldengine.rollout.charts import Standing
from worldengine.runtime import Refusal, Transition

ALREADY = ("already", "no need", "twice")
"""Words of refusals that speak of a thing done."""


class Point(NamedTuple):
    """An accepted command, where one stands before it and after it."""

    command: str
    purpose: str
    here: Standing
    transition: Transition
    after: Standing


@by_machine(20_000)
def _by_exit(machine: Machine, operator: int) -> bool:
    """Whether an action takes an exit."""
    ground = machine.operators[operator]
    parameters = machine.schemas[ground.schema].parameters
    return any(
        parameter.type == "object" and machine.objects[value].role == "exit"
        for parameter, value in zip(parameters, ground.arguments, strict=True)
    )


def _leads_away(machine: Machine, points: Sequence[Point], at: int, target: int) -> bool:
    """Whether point `target` takes an exit of another place: tried at point `at` the same
    words mean another way, and what is refused there is not what works later."""
    where = machine.objects[machine.player].location
    here, there = points[at].here.state, points[target].here.state
    return (
        where >= 0
        and here[where] != there[where]
        and _by_exit(machine, points[target].transition.operator)
    )


def done_already(
    machine: Machine, points: Sequence[Point], at: int, target: int, refusal: str
) -> bool:
    """Whether what point `target` does has been done before point `at`, is done by another
    point before `target`, is so without anybody doing it, or is another thing there."""
    command, later = points[target].command, points[target].transition
    if _leads_away(machine, points, at, target):
        return True
    operator, number = later.operator, later.number
    for point in points[:target]:
        done = point.transition
        if (done.operator == operator and done.number == number) or point.command == command:
            return True
    low = refusal.lower()
    if any(word in low for word in ALREADY):
        return True
    before, after, here = points[target].here.state, later.state, points[at].here.state
    written = [slot for slot in _written(machine, operator) if before[slot] != after[slot]]
    return bool(written) and all(here[slot] == after[slot] for slot in written)


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


def step_waited_for(points: Sequence[Point], at: int, target: int, refusal: Refusal) -> int:
    """The step of the plan between the two that makes the failed requirement hold, where
    point `target` would be refused without it; -1 if there is none."""
    if not points[target].here.holds(refusal):
        return -1
    needed = next((n for n in range(at, target) if points[n].after.holds(refusal)), -1)
    if needed < 0 or points[needed].purpose != "plan":
        return -1
    here = points[needed].here
    for each in range(needed + 1, target):
        turn, here = here.take(points[each].command)
        if turn.transition.status != "running":
            return needed
    return -1 if here.take(points[target].command)[0].transition.accepted else needed
