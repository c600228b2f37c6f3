"""Plans without what they do not need: `worldengine.proof.elimination` over compiled steps.

In: a `Problem`, a start, a plan that wins. Out: one that wins with fewer commands.
"""

from __future__ import annotations

import numpy as np

from worldengine.machine.schema import RUNNING, WON, State
from worldengine.modelcheck.compiled.kernel import Space, follow, scratch
from worldengine.modelcheck.planning.nodes import Array
from worldengine.modelcheck.problem import Problem
from worldengine.proof.elimination import Game

TURNS = 600_000
"""States looked at for pairs of commands, a second or two."""

Pair = tuple[int, int]
Pairs = tuple[Pair, ...]
"""A plan as operators and numbers."""


def trimmed(problem: Problem, start: State, plan: Pairs) -> Pairs:
    """The plan with no command, and no two, that the rest wins without, each of the rest being
    accepted. Of plans longer than some 150 commands not all pairs are tried."""
    return _game(problem, start).needed(plan)


def shortened(problem: Problem, start: State, plan: Pairs) -> Pairs:
    """The plan without single commands that the rest wins without."""
    return _game(problem, start).without_one(plan)


def _game(problem: Problem, start: State) -> Game[Array, Pair]:
    tables, status = problem.tables, problem.machine.status
    space: Space = scratch(tables)

    def step(state: Array, action: Pair) -> Array | None:
        after = np.zeros_like(state)
        return after if follow(tables, state, *action, after, space) else None

    return Game(
        np.array(start, np.int32),
        step,
        lambda state: bool(state[status] == WON),
        lambda state: bool(state[status] != RUNNING),
        TURNS,
    )
