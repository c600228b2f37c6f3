"""Sentences whose number varies."""

from __future__ import annotations

import pytest

from worldengine.cli.printing import left_out


@pytest.mark.parametrize(
    ("number", "why", "told"),
    [
        (
            1,
            "hold fewer than two refinements",
            "1 trajectory that holds fewer than two refinements",
        ),
        (2, "were lost", "2 trajectories that were lost"),
        (1, "were lost", "1 trajectory that was lost"),
        (1, "ran out of turns", "1 trajectory that ran out of turns"),
    ],
)
def test_reasons_agree_with_their_number(number: int, why: str, told: str) -> None:
    assert left_out(number, "trajectory", "trajectories", why) == f"left out: {told}"
