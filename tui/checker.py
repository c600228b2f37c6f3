"""Asking the model checker about one state: a plan, a proof that there is none, or neither.

In: a Machine and a state. Out: an `Answer`. It is worked out within a small budget and says
nothing where the budget does not suffice. This is the only module that knows the checker,
and it is loaded when a hint is first asked for: the checker brings compiled code along.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine import Machine, State
from worldengine.modelcheck.distance import nearest


@dataclass(frozen=True, slots=True)
class Answer:
    """`plan` wins from the state and none is shorter; `doomed` says why winning is
    impossible. Where the budget ran out both are empty, and `about` is an estimate of the
    turns to a win, if there is one."""

    plan: tuple[str, ...] | None
    doomed: str
    about: int | None = None


def ask(machine: Machine, state: State) -> Answer:
    """What the checker says about a running state; see the module."""
    found, plan = nearest(machine, state)
    if found.exact:
        return Answer(plan, found.why if found.dead else "")
    return Answer(None, "", found.value)
