"""Draws that are made for less are the draws of the generator."""

from __future__ import annotations

from random import Random

import pytest

from worldengine.players.thoughts.chance import in_any_order, one_of, weighed


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 16, 21])
def test_draws_are_those_of_the_generator(count: int) -> None:
    things, weights = list(range(count)), [1 + each % 3 / 2 for each in range(count)]
    ours, its = Random(count), Random(count)
    for _ in range(200):
        assert one_of(ours.getrandbits, things) == its.choice(things)
        assert in_any_order(ours.getrandbits, things) == its.sample(things, count)
        assert weighed(ours.random, weights) == its.choices(things, weights)[0]
    assert ours.getstate() == its.getstate()
