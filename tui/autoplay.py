"""Seeded play on its own, to reach what no recorded play has reached.

In: a coverage, a seed, how many plays. Out: the plays that met something new, as commands.
Equal seeds give equal plays. Half of them follow a proof for a while first, since chance
alone seldom gets deep into a world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from worldengine.machine import Machine
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of

from .coverage import Coverage, Play

TURNS = 60
"""Turns of one play; longer ones wander."""


def autoplay(
    coverage: Coverage, seed: int, plays: int, stop: Callable[[], bool] = lambda: False
) -> list[Play]:
    """Play, note what is covered, and keep the plays that covered anything new."""
    machine = coverage.machine
    tried: dict[int, int] = {}
    kept: list[Play] = []
    for number in range(plays):
        if stop():
            break
        random = Random(f"{seed} {machine.name} {number}")
        variant = random.randrange(len(machine.variants))
        commands = tuple(_play(machine, variant, random, tried))
        if coverage.play(variant, commands):
            kept.append((variant, commands))
    return kept


def _play(machine: Machine, variant: int, random: Random, tried: dict[int, int]) -> Iterator[str]:
    runtime, state = runtime_of(machine), machine.start(variant)
    plan = winning_plan(machine, variant) or ()
    lead = random.randrange(len(plan)) if plan and random.random() < 0.6 else 0
    for turn in range(min(machine.turns, lead + TURNS)):
        if runtime.status(state) != "running":
            return
        command = plan[turn] if turn < lead else _choice(machine, state, random, tried)
        if not command:
            return
        yield command
        state = runtime.step(state, command).state


def _choice(machine: Machine, state: tuple[int, ...], random: Random, tried: dict[int, int]) -> str:
    """A command in scope; what was tried least comes first more often than not."""
    runtime = runtime_of(machine)
    actions = runtime.scoped(state)
    if not actions:
        return ""
    some = random.choices(actions, k=min(4, len(actions)))
    operator, intervals = min(some, key=lambda action: tried.get(action[0], 0))
    if random.random() < 0.5:
        own = [action for action in actions if _own(machine, action[0])]
        if own:
            operator, intervals = random.choice(own)
    tried[operator] = tried.get(operator, 0) + 1
    number = 0
    if intervals:
        low, high = intervals[0][0], intervals[-1][1]
        number = random.choice((low, high, random.randint(low, high)))
    return runtime.matcher.canonical(operator, number)


def _own(machine: Machine, operator: int) -> bool:
    return machine.schemas[machine.operators[operator].schema].own
