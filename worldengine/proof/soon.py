"""A win within a few turns, looked for from a start: what a long proof says nothing of.

In: a Machine, a variant, how many turns, how many steps the look may take. Out: the shortest
win among what was seen, or None. Breadth first in the interpreter; within its steps the look is
complete, so None after a look that was not cut off means that there is no such win.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.runtime import runtime_of

STEPS = 2_000
"""Commands that are tried from one start: most worlds have fewer within three turns."""


def won_within(
    machine: Machine, variant: int, turns: int, steps: int = STEPS
) -> tuple[str, ...] | None:
    """The commands of a shortest win of at most `turns` turns; see the module."""
    runtime = runtime_of(machine)
    start = machine.start(variant)
    seen = {start}
    layer: list[tuple[State, tuple[str, ...]]] = [(start, ())]
    for _ in range(min(turns, machine.turns)):
        following: list[tuple[State, tuple[str, ...]]] = []
        for state, way in layer:
            for operator, number in _tried(machine, state):
                if steps <= 0:
                    return None
                steps -= 1
                turn = runtime.act(state, operator, number)
                if turn.status == "won":
                    return (*way, turn.action)
                if turn.status == "running" and turn.state not in seen:
                    seen.add(turn.state)
                    following.append((turn.state, (*way, turn.action)))
        layer = following
    return None


def _tried(machine: Machine, state: State) -> Iterator[tuple[int, int]]:
    """The actions that a state accepts, each with every number that it takes."""
    for operator, intervals in runtime_of(machine).applicable(state):
        for low, high in intervals or ((0, 0),):
            for number in range(low, high + 1):
                yield operator, number
