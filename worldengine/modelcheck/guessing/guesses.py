"""What a wrong guess costs: variants that read alike, until when, and what is lost.

In: a Machine, `Tails`, a belief of which it is proven that it needs a guess. Out: a `Guess`,
told by playing the shortest win of one of its variants in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from worldengine.machine.schema import Machine, State
from worldengine.modelcheck.guessing.beliefs import NEVER
from worldengine.modelcheck.guessing.tails import Tails
from worldengine.modelcheck.planning.ends import Commands
from worldengine.runtime import runtime_of


@dataclass(frozen=True, slots=True)
class Guess:
    """No way of playing wins from all `variants`. Playing `plan`, which wins variant `right`,
    they read the same before turn `until`; in variant `wrong` the guess costs the win at turn
    `turn`, by `command`: `cost` is lost, dead end or turns."""

    variants: tuple[int, ...]
    right: int
    wrong: int
    plan: Commands
    until: int
    turn: int
    command: str
    cost: str


def guess_of(machine: Machine, tails: Tails, belief: tuple[tuple[int, State], ...]) -> Guess:
    """The guess of a belief, from the plan after which it shows latest."""
    variants = tuple(variant for variant, _ in belief)
    found: list[Guess] = []
    for right, start in belief:
        plan = tails.win(right, start, machine.turns)
        for wrong, other in belief:
            if plan is not None and wrong != right:
                found.append(_told(machine, tails, variants, (right, start), (wrong, other), plan))
    if not found:
        return Guess(variants, variants[0], variants[-1], (), 0, 0, "", "dead end")
    return max(found, key=lambda guess: (guess.turn > 0, guess.until))


def _told(
    machine: Machine,
    tails: Tails,
    variants: tuple[int, ...],
    right: tuple[int, State],
    wrong: tuple[int, State],
    plan: Commands,
) -> Guess:
    runtime = runtime_of(machine)
    mine, other = right[1], wrong[1]
    until, turn, cost, fatal = 0, 0, "", ""
    for number, command in enumerate(plan, start=1):
        one = runtime.step(mine, command)
        two = runtime.step(other, command)
        mine, other = one.state, two.state
        if not turn:
            cost = _cost(machine, tails, wrong[0], other, two.status, number)
            if cost:
                turn, fatal = number, command
        if not until and (one.observation, one.status) != (two.observation, two.status):
            until = number
        if (until and turn) or two.status != "running" or one.status != "running":
            break
    return Guess(
        variants, right[0], wrong[0], plan, until or len(plan), turn, fatal, cost or "dead end"
    )


def _cost(
    machine: Machine, tails: Tails, variant: int, state: State, status: str, turn: int
) -> str:
    """Why this variant cannot be won any more after so many turns; "" if it may be."""
    if status != "running":
        return "lost" if status == "lost" else ""
    least, _ = tails.bounds(variant, state)
    if least >= NEVER:
        return "dead end"
    return "turns" if least > machine.turns - turn else ""


COSTS = {
    "lost": "the game is lost",
    "dead end": "it can no longer be won",
    "turns": "too few turns are left to win it",
}


def sentence(machine: Machine, guess: Guess) -> str:
    """For people."""
    names = " and ".join(named(machine, variant) for variant in guess.variants)
    said = f"{names} cannot be told apart in time"
    if not guess.plan:
        return said
    shown = f": playing for start {guess.right}, all is read alike before turn {guess.until}"
    if not guess.turn:
        return said + shown
    return (
        f"{said}{shown}, and in start {guess.wrong} {COSTS[guess.cost]} once"
        f" `{guess.command}` was the guess at turn {guess.turn}"
    )


def named(machine: Machine, variant: int) -> str:
    """A variant by its number and what is varied in it."""
    values = ", ".join(f"{name} = {value}" for name, value in machine.variants[variant].values)
    return f"start {variant} ({values})" if values else f"start {variant}"


def to_document(machine: Machine, guess: Guess) -> dict[str, Any]:
    """Plain values."""
    return {
        "variants": list(guess.variants),
        "right": guess.right,
        "wrong": guess.wrong,
        "plan": list(guess.plan),
        "until": guess.until,
        "turn": guess.turn,
        "command": guess.command,
        "cost": guess.cost,
        "text": sentence(machine, guess),
    }
