"""Ground actions said in words that mean them where they are said.

In: a Machine, a state, actions. Out: commands. An action may be impossible to say in a state,
because another action answers to all its forms first; then there are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from worldengine.machine.schema import Machine, State
from worldengine.matching.forms import canonical_text
from worldengine.runtime import runtime_of

SHOWN = 4
"""Commands that are shown from either end of a long way."""


def say(machine: Machine, state: State, operator: int, number: int) -> tuple[str, State] | None:
    """A text that means an action in a state, and the state after it. Where another action
    answers to all its plain forms an article may tell them apart."""
    runtime = runtime_of(machine)
    forms = range(len(machine.schemas[machine.operators[operator].schema].forms))
    for article, form in product(("", "the "), forms):
        text = canonical_text(machine, operator, form, number, article)
        turn = runtime.step(state, text)
        if turn.accepted and (turn.operator, turn.number) == (operator, number):
            return text, turn.state
    return None


def spoken_from(
    machine: Machine, state: State, plan: Iterable[tuple[int, int]]
) -> tuple[str, ...] | None:
    """A plan from a state in commands, None if some action cannot be said."""
    found, unsaid = said_from(machine, state, plan)
    return found if unsaid is None else None


def said_from(
    machine: Machine, state: State, plan: Iterable[tuple[int, int]]
) -> tuple[tuple[str, ...], int | None]:
    """A plan from a state in commands, up to the operator that cannot be said."""
    found: list[str] = []
    for operator, number in plan:
        turn = say(machine, state, operator, number)
        if turn is None:
            return tuple(found), operator
        found.append(turn[0])
        state = turn[1]
    return tuple(found), None


def understood(machine: Machine, variant: int, plan: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """The ground actions of a plan that wins from a variant, as they are understood there."""
    runtime, state = runtime_of(machine), machine.start(variant)
    found: list[tuple[int, int]] = []
    for command in plan:
        turn = runtime.step(state, command)
        found.append((turn.operator, turn.number))
        state = turn.state
    return tuple(found)


def shortened(path: tuple[str, ...]) -> str:
    """A way in one line; of a long one the beginning and the end."""
    left_out = len(path) - 2 * SHOWN
    if left_out <= 1:
        return ", ".join(path)
    return ", ".join([*path[:SHOWN], f"… {left_out} more", *path[-SHOWN:]])
