"""Accepted and yet harmful: turns that lead away from winning, told from the full state.

In: a Machine and a trajectory that was played in it. Out: the harmful turns. One is:

- a turn after which the exact distance to the nearest win is greater than before it, or no win
  can be reached any more;
- a turn that leads to a state in which the episode had been before, and shows nothing that had
  not been shown before.

This is full information, which no player has: a turn that explores may well lead away.
Distances are those of a survey of all that follows from a start, or none at all: in a world
with more than so many states only repeated states are told, and every other accepted turn is
counted as not known. The bound is in states, never in seconds: equal trajectories give equal
marks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from worldengine.machine import Machine
from worldengine.machine.schema import LOST, WON, State
from worldengine.memo import by_machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import FAR
from worldengine.modelcheck.exploration.survey import Survey, survey
from worldengine.modelcheck.problem import Problem
from worldengine.rollout.trajectory import Trajectory
from worldengine.runtime import runtime_of

STATES = 3_000
"""Of all that can be reached from a start; worlds with more are not seen through."""
MEMORY = 256 << 20
_WITHOUT_END = 1e9

Distance: TypeAlias = int | None
"""Turns to the nearest win, FAR if there is none, None if that is not known."""


class Harm:
    """Finds harmful turns; `unknown` counts turns whose distances are not known."""

    def __init__(self, machine_of: Callable[[str], Machine], states: int = STATES) -> None:
        self._machine_of = machine_of
        self._states = states
        self.unknown = 0

    def turns(self, trajectory: Trajectory) -> frozenset[int]:
        """The harmful turns of one trajectory, by index; refused ones are never among them."""
        machine = self._machine_of(trajectory.machine_hash)
        runtime = runtime_of(machine)
        state = machine.start(trajectory.variant)
        far = self._distance(machine, trajectory.variant, state)
        visited, shown = {state}, {trajectory.opening}
        found: set[int] = set()
        for turn in trajectory.turns:
            if turn.outcome == "ok":
                state = runtime.step(state, turn.command).state
                now = self._distance(machine, trajectory.variant, state)
                if state in visited and turn.observation in shown:
                    found.add(turn.index)
                elif far is None or now is None:
                    self.unknown += 1
                elif now > far:
                    found.add(turn.index)
                visited.add(state)
                far = now
            shown.add(turn.observation)
        return frozenset(found)

    def _distance(self, machine: Machine, variant: int, state: State) -> Distance:
        if state[machine.status] in (WON, LOST):
            return 0 if state[machine.status] == WON else FAR
        seen = _survey(machine, variant, self._states)
        return None if seen is None else seen.distance(state)


@by_machine(16)
def _problem(machine: Machine) -> Problem:
    return Problem(machine)


@by_machine(64)
def _survey(machine: Machine, variant: int, states: int) -> Survey | None:
    """All that follows from a start, None if that is too much."""
    start = machine.start(variant)
    return survey(_problem(machine), start, states, MEMORY, clock(_WITHOUT_END))
