"""An old winning play made to fit a world whose things and ways have changed a little.

In: a Machine, a variant, a play of the world it was made from. Out: a play that wins, or None.
What the old play did stays, in its order; how one gets from one deed to the next is searched
anew, over ways to go and things to open only. The search is bounded by states and takes the
first shortest way, so that equal worlds are given equal plays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.runtime import runtime_of

MOST = 3_000
"""States looked at between one deed and the next."""
OPENING = frozenset({"open"})


def repaired(machine: Machine, variant: int, play: tuple[str, ...]) -> tuple[str, ...] | None:
    """See the module."""
    return _Repair(machine).run(machine.start(variant), play)


class _Repair:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.runtime = runtime_of(machine)
        walking = _walking(machine)
        self.steps = [
            self.runtime.matcher.canonical(index, 0)
            for index, operator in enumerate(machine.operators)
            if operator.schema in walking
            and not any(p.type == "number" for p in machine.schemas[operator.schema].parameters)
        ]
        self.ways = {command.lower() for command in self.steps} | set(_directions(machine))

    def run(self, state: State, play: tuple[str, ...]) -> tuple[str, ...] | None:
        done: list[str] = []
        for command in play:
            if command.lower() in self.ways or command.lower().startswith("go "):
                continue
            bridge = self._bridge(state, partial(self._accepts, command))
            if bridge is None:
                continue
            for step in (*bridge, command):
                turn = self.runtime.step(state, step)
                done.append(step)
                state = turn.state
                if turn.status != "running":
                    return self._kept(done) if turn.status == "won" else None
        last = self._bridge(state, lambda after: self.runtime.status(after) == "won")
        return None if last is None else self._kept([*done, *last])

    def _kept(self, done: list[str]) -> tuple[str, ...] | None:
        return tuple(done) if len(done) <= self.machine.turns else None

    def _accepts(self, command: str, state: State) -> bool:
        if self.runtime.status(state) != "running":
            return False
        return self.runtime.step(state, command).accepted

    def _bridge(self, start: State, met: Callable[[State], bool]) -> tuple[str, ...] | None:
        """The first shortest way over steps to a state where `met`."""
        before: dict[State, tuple[State, str] | None] = {start: None}
        todo = deque([start])
        while todo:
            state = todo.popleft()
            if met(state):
                return _way(before, state)
            if self.runtime.status(state) != "running" or len(before) > MOST:
                continue
            for command in self.steps:
                turn = self.runtime.step(state, command)
                if turn.accepted and turn.status != "lost" and turn.state not in before:
                    before[turn.state] = (state, command)
                    todo.append(turn.state)
        return None


def _way(before: dict[State, tuple[State, str] | None], state: State) -> tuple[str, ...]:
    commands: list[str] = []
    while (step := before[state]) is not None:
        state = step[0]
        commands.append(step[1])
    return tuple(commands[::-1])


def _walking(machine: Machine) -> set[int]:
    """Actions that move the player, and the library's `open`; `go` is left to its shorter
    twin `go_to` where both are there."""
    where = machine.objects[machine.player].location if machine.player >= 0 else -1
    moving = {
        operator.schema
        for operator in machine.operators
        if any(assign.target == where for step in operator.program for assign in step.assigns)
    }
    opening = {i for i, schema in enumerate(machine.schemas) if schema.name in OPENING}
    return (moving if where >= 0 else set()) | opening


def _directions(machine: Machine) -> list[str]:
    return sorted({way.direction.lower() for way in machine.exits})
