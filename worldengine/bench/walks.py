"""One player at a time, on walks that are each taken once.

A player with a memory is fast where it has been before. So the figure says how often that was,
and stands beside the same with nothing kept.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence

from worldengine.batch import Single
from worldengine.batch.single import MEMORY
from worldengine.machine.schema import Machine


def timed(work: Callable[[], object]) -> float:
    """Seconds that this thread was given for some work."""
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


def walks(machine: Machine, turns: int, seed: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Episodes of so many turns in all, at random among what can be done: the variant and the
    commands of each. No two are drawn alike."""
    game, chance = Single(machine), random.Random(seed)
    while turns > 0:
        variant, commands = chance.randrange(len(machine.variants)), list[str]()
        game.reset(variant=variant)
        while turns > 0 and not game.over and game.applicable():
            command = _RANGE.sub(_one_of(chance), chance.choice(game.applicable()))
            commands.append(command)
            game.step(command)
            turns -= 1
        turns -= not commands
        yield variant, commands


_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


def _one_of(chance: random.Random) -> Callable[[re.Match[str]], str]:
    return lambda match: str(chance.randint(int(match[1]), int(match[2])))


def single_turns(
    machines: Sequence[Machine], applicable: bool, memory: int = MEMORY, turns: int = 20_000
) -> tuple[float, float]:
    """Turns a second of one player, text in and text out, and which share of them had been met
    before. Every world is walked through at random, each walk once, by a player that begins
    with an empty memory."""
    spent, worked_out, done = 0.0, 0, 0
    for machine in machines:
        game = Single(machine, memory)
        for variant, commands in walks(machine, turns):
            game.reset(variant=variant)
            spent += timed(lambda: _walk(game, commands, applicable))  # noqa: B023
            done += len(commands)
        worked_out += game.worked_out
    return done / max(spent, 1e-9), 1.0 - worked_out / max(done, 1)


def _walk(game: Single, commands: list[str], applicable: bool) -> None:
    for command in commands:
        game.step(command)
        if applicable:
            game.applicable()
