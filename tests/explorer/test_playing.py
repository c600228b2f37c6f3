"""Many turns in one go are as many turns of the engine."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.explorer.test_belief import world
from worldengine.explorer.imagining import playing
from worldengine.explorer.knowing.insight import insight_of
from worldengine.machine.schema import RUNNING


@pytest.mark.parametrize("name", ["tide_clock", "forklift", "lighthouse"])
@pytest.mark.parametrize("texts", [False, True])
def test_turns_in_one_go_are_turns(name: str, texts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = world(name)
    insight = insight_of(machine)
    replayer, random = insight.replayer, Random(f"{name} {texts}")
    flags = (1,) * len(insight.rules.flags)
    starts = [machine.start(random.randrange(len(machine.variants))) for _ in range(40)]
    begun = np.array([(*start, *flags) for start in starts], replayer.kind)
    operators = np.full((60, 40), -1, np.int32)
    numbers = np.zeros((60, 40), np.int32)
    ways = [step for way in insight.ways for step in way]
    for step in range(60):
        for row in range(40):
            known = random.random() < 0.8
            operators[step, row], numbers[step, row] = (
                random.choice(ways) if known else (random.randrange(-1, len(machine.operators)), 0)
            )
    one, other = begun.copy(), begun.copy()
    passed = np.zeros((60, *begun.shape), begun.dtype)
    went = playing.gone(replayer.engine, one, operators, numbers, replayer.status, texts, passed)
    monkeypatch.setattr(playing, "FEW", 0)
    again = playing.gone(replayer.engine, other, operators, numbers, replayer.status, texts)
    assert (one == other).all() and (passed[-1] == one).all()
    assert (went.outcomes == again.outcomes).all()
    over = (went.ends != RUNNING) & (went.outcomes == 0)
    assert (went.ends[over] == again.ends[over]).all()
    assert (went.texts == again.texts).all()
    assert went.texts.shape[1] == 40 * texts
    assert len(np.unique(went.outcomes)) >= 3
