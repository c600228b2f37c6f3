"""Asking the model checker about one state: a plan, a proof that there is none, or neither.

In: a Machine and a state. Out: an `Answer`. It is worked out within a small budget and says
nothing where the budget does not suffice. This is the only module that knows the checker,
and it is loaded when a hint is first asked for: the checker brings compiled code along.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from worldengine.machine import Machine, State
from worldengine.machine.schema import WON
from worldengine.memo import by_machine
from worldengine.modelcheck.abstract import reach
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.cone import cone_of
from worldengine.modelcheck.explore import explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reasons import unreachable_reason
from worldengine.modelcheck.values import TooWide
from worldengine.runtime import runtime_of

STATES: Final = 120_000
SECONDS: Final = 1.5
MEMORY: Final = 256 << 20


@dataclass(frozen=True, slots=True)
class Answer:
    """`plan` wins from the state and none is shorter; `doomed` says why winning is
    impossible. Both are empty where the budget ran out first."""

    plan: tuple[str, ...] | None
    doomed: str


@by_machine(16)
def _problem(machine: Machine) -> Problem:
    return Problem(machine)


@by_machine(256)
def ask(machine: Machine, state: State) -> Answer:
    """What the checker says about a running state; see the module."""
    try:
        reached = reach(machine, [state])
        if WON not in reached.values[machine.status]:
            return Answer(None, unreachable_reason(reached).text)
    except TooWide:
        pass
    problem = _problem(machine)
    seen = explore(problem, state, cone_of(machine), STATES, MEMORY, clock(SECONDS))
    if seen.plan is not None:
        matcher = runtime_of(machine).matcher
        return Answer(tuple(matcher.canonical(*pair) for pair in seen.plan), "")
    if seen.complete:
        return Answer(None, f"All {seen.states:,} states that follow were seen; none of them wins.")
    return Answer(None, "")
