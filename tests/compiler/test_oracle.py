"""Every shipped world and every construct, turn by turn, against the walk over its tree."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.compiler.cases import PATHS
from tests.compiler.oracle import Compiled, Walk, compiled, environment
from worldengine.machine.schema import State
from worldengine.runtime import Runtime

WORLDS = sorted((Path(__file__).resolve().parents[2] / "worlds").glob("*.world"))


def check_turn(
    known: Compiled, runtime: Runtime, state: State, operator: int, number: int
) -> State:
    """One action by the Machine and by the tree: the same class, the same state."""
    answer = runtime.act(state, operator, number)
    walk = Walk(known, state)
    action, env = environment(known, operator, number)
    refusal = walk.act(action, env)
    assert refusal == answer.outcome, (answer.action, refusal, answer.outcome)
    if not refusal:
        assert walk.differences(answer.state) == [], answer.action
    return answer.state


def check_play(text: str, seed: int, turns: int) -> None:
    known = compiled(text)
    runtime = Runtime(known.machine)
    random = Random(seed)
    for variant in {0, random.randrange(len(known.machine.variants))}:
        state = known.machine.start(variant)
        for _ in range(turns):
            if runtime.status(state) != "running":
                break
            scoped = runtime.scoped(state)
            operator, intervals = random.choice(scoped)
            low, high = intervals[0] if intervals else (0, 0)
            state = check_turn(known, runtime, state, operator, random.randint(low, high))


@pytest.mark.parametrize("path", PATHS + WORLDS, ids=lambda path: path.stem)
def test_the_machine_does_what_the_tree_says(path: Path) -> None:
    check_play(path.read_text(encoding="utf-8"), seed=7, turns=25)
