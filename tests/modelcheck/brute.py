"""Search by the interpreter alone: the judge of the compiled one."""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.schema import RUNNING, WON, Machine, State
from worldengine.modelcheck.relaxation.actions import every_action
from worldengine.runtime import runtime_of


@dataclass(frozen=True)
class Brute:
    """`shortest` is None if no win can be reached; `dead` are running states without one, `alive`
    all others."""

    states: int
    shortest: int | None
    dead: int
    reached: tuple[State, ...]
    alive: frozenset[State]


def brute(machine: Machine, start: State, limit: int) -> Brute | None:
    """Everything that can be reached; None if it is more than `limit` states."""
    runtime = runtime_of(machine)
    actions = every_action(machine)
    depth: dict[State, int] = {start: 0}
    after: dict[State, set[State]] = {}
    queue = [start]
    for state in queue:
        found: set[State] = set()
        if state[machine.status] == RUNNING:
            for index in range(len(actions)):
                transition = runtime.act(state, *actions.pair(index))
                if transition.accepted:
                    found.add(transition.state)
        after[state] = found
        for other in found:
            if other not in depth:
                depth[other] = depth[state] + 1
                queue.append(other)
        if len(queue) > limit:
            return None
    won = [depth[state] for state in queue if state[machine.status] == WON]
    alive = {state for state in queue if state[machine.status] == WON}
    growing = True
    while growing:
        more = {state for state in queue if state not in alive and after[state] & alive}
        growing = bool(more)
        alive |= more
    dead = sum(state[machine.status] == RUNNING and state not in alive for state in queue)
    return Brute(len(queue), min(won, default=None), dead, tuple(queue), frozenset(alive))
