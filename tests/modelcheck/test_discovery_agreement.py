"""The belief game and the discovery verdict against a search by the interpreter alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.batch.random_machines import random_machine
from tests.modelcheck.brute_beliefs import NEVER, least_turns, opening_beliefs
from tests.modelcheck.secret_machines import secret_machine
from worldengine.machine.schema import Machine, Variant
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import FAR
from worldengine.modelcheck.exploration.survey import Survey, survey
from worldengine.modelcheck.guessing.beliefs import Game
from worldengine.modelcheck.guessing.discovery import DISCOVERABLE, GUESS, discover
from worldengine.modelcheck.guessing.policy import wins
from worldengine.modelcheck.guessing.sights import Sights
from worldengine.modelcheck.guessing.tails import Tails
from worldengine.modelcheck.guessing.typed import Typed
from worldengine.modelcheck.problem import Problem

LIMIT = 120
"""Beliefs up to which the interpreter judges."""
BATCHES, SEEDS = 12, 60


def varied(seed: int) -> Machine:
    """A random machine with two or three starts that look much alike, some of its things under
    one name, few turns, and often a text less, so that less is told."""
    machine, chance = random_machine(seed), Random(seed)
    flags = [
        i for i, v in enumerate(machine.variables) if v.kind == "bool" and v.role != "milestone"
    ]
    starts = [Variant((), ())]
    for _ in range(chance.choice((1, 1, 2))):
        slot = chance.choice(flags)
        starts.append(Variant((), ((slot, 1 - machine.variables[slot].initial),)))
    objects = list(machine.objects)
    for index in chance.sample(range(len(objects)), 2):
        objects[index] = replace(objects[index], aka=("stuff",))
    texts = machine.texts
    if chance.random() < 0.7:  # all say the same
        texts = tuple(replace(text, parts=("Hm.",)) for text in texts)
    return replace(
        machine,
        variants=tuple(dict.fromkeys(starts)),
        objects=tuple(objects),
        texts=texts,
        turns=chance.choice((2, 4, 8, 20)),
    )


def surveyed(problem: Problem) -> list[Survey] | None:
    """Everything that can be reached from each start, None if that is much."""
    found: list[Survey] = []
    for variant in range(len(problem.machine.variants)):
        start = problem.machine.start(variant)
        seen = survey(problem, start, 2000, 1 << 26, clock(600))
        if seen is None:
            return None
        found.append(seen)
    return found


def bounds(problem: Problem, tails: Tails, belief: tuple[tuple[int, tuple[int, ...]], ...]) -> int:
    """The value of a belief by the game, which has seen everything."""
    sights = Sights(problem.machine, problem.everything)
    game = Game(sights, Typed(problem.machine, problem.everything), tails.bounds)
    game.enter(tuple(v for v, _ in belief), sights.rows(state for _, state in belief))
    assert game.explore(clock(600), 10**6, 1 << 30)
    least, most = game.bounds()
    assert least == most
    return least


@pytest.mark.parametrize("batch", range(4))
def test_secrets_agree_with_the_interpreter(batch: int) -> None:
    kinds = agreed([secret_machine(seed) for seed in range(batch * 100, (batch + 1) * 100)])
    assert min(kinds[DISCOVERABLE], kinds[GUESS]) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_machines_agree_with_the_interpreter(batch: int) -> None:
    kinds = agreed([varied(seed) for seed in range(batch * SEEDS, (batch + 1) * SEEDS)])
    assert kinds[DISCOVERABLE] >= 3


def agreed(machines: list[Machine]) -> dict[str, int]:
    """Holds each machine that is small enough against the judge; how many were of each kind."""
    kinds = {DISCOVERABLE: 0, GUESS: 0}
    for seed, machine in enumerate(machines):
        problem = Problem(machine)
        surveys = surveyed(problem)
        if surveys is None or len(machine.variants) < 2:
            continue
        starts = [machine.start(variant) for variant in range(len(machine.variants))]
        lengths = [each.distance(start) for each, start in zip(surveys, starts, strict=True)]
        if any(length is None or length > machine.turns for length in lengths):
            continue
        ways = [each.way(start) for each, start in zip(surveys, starts, strict=True)]
        blank = [()] * len(ways)
        tails = Tails(problem, blank, surveys, clock(600))
        plans = [tails.said(start, way or ()) for start, way in zip(starts, ways, strict=True)]
        if any(plan is None for plan in plans):
            continue  # nobody can say what would win
        known = [plan for plan in plans if plan is not None]
        tails = Tails(problem, known, surveys, clock(600))
        beliefs = opening_beliefs(machine)
        values = [least_turns(machine, belief, LIMIT) for belief in beliefs]
        if any(value is None for value in values):
            continue
        for belief, value in zip(beliefs, values, strict=True):
            if len(belief) > 1:
                assert bounds(problem, tails, belief) == min(value or 0, NEVER), seed
        found = discover(problem, known, surveys, 1 << 28, clock(60))
        worst = max(value or 0 for value in values)
        assert found.status == (DISCOVERABLE if worst <= machine.turns else GUESS), seed
        kinds[found.status] += 1
        if found.policy is not None:
            assert wins(machine, found.policy)
            assert worst <= found.policy.longest <= machine.turns, seed
    return kinds


def test_far_and_never_are_one_number() -> None:
    assert FAR == NEVER
