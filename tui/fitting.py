"""The script's own proof, fitted to where one is: what is refused on the way is left out.

In: a Machine, a variant, a state. Out: commands that win from there, played through, or None.
"""

from __future__ import annotations

from worldengine.machine import Machine, State
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of


def fitted(machine: Machine, variant: int, state: State) -> tuple[str, ...] | None:
    """The shortest end of the variant's winning plan that wins from this state."""
    plan = winning_plan(machine, variant) or ()
    ends = (played(machine, state, plan[start:]) for start in range(len(plan)))
    return min((kept for kept in ends if kept is not None), key=len, default=None)


def wins(machine: Machine, state: State, commands: tuple[str, ...]) -> bool:
    """Whether these commands, none of them refused, win from here."""
    return played(machine, state, commands) == commands


def played(machine: Machine, state: State, commands: tuple[str, ...]) -> tuple[str, ...] | None:
    """What was accepted of the commands if they win, else None."""
    runtime = runtime_of(machine)
    kept: list[str] = []
    for command in commands:
        turn = runtime.step(state, command)
        if turn.refusal is None:
            kept.append(command)
            state = turn.state
        if turn.status != "running":
            return tuple(kept) if turn.status == "won" else None
    return None
