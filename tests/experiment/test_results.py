"""Differences between arms, worked out by hand."""

from __future__ import annotations

from tests.evaluation.test_intervals import plays
from worldengine.experiment.results import against, outcome, table


def test_an_arm_is_all_its_seeds() -> None:
    found = outcome({0: plays("wwl"), 1: plays("wll")})
    assert (found["episodes"], found["won"], found["success"]) == (6, 3, 0.5)
    assert found["by_seed"] == {"0": 2 / 3, "1": 1 / 3}
    assert found["ci"]["success"] is None  # one world says nothing of others


def test_differences_are_by_start_and_seed_and_counted_by_world() -> None:
    first = {0: plays("wl", world=0) + plays("ll", world=1) + plays("w", world=2)}
    second = {0: plays("ww", world=0) + plays("wl", world=1) + plays("l", world=2)}
    found = against(first, second)
    assert (found["pairs"], found["worlds"]) == (5, 3)
    assert found["success"] == (1 + 1 - 1) / 5
    assert (found["worlds_better"], found["worlds_worse"]) == (2, 1)
    assert found["p"] == 1.0


def test_seeds_stand_by_themselves() -> None:
    first = {0: plays("wl"), 1: plays("ww")}
    found = against(first, {0: plays("ww"), 1: plays("ll")})
    assert found["by_seed"] == {"0": 0.5, "1": -1.0}
    assert found["success"] == -0.25


def test_seeds_that_only_one_arm_has_are_left_out() -> None:
    assert against({0: plays("w")}, {0: plays("w"), 1: plays("l")})["pairs"] == 1


def test_null_results_stand_in_the_table() -> None:
    same = {0: plays("wl", world=0) + plays("wl", world=1)}
    row = {"split": "unseen starts", "match": "updates", "seeds": 1, "trained_tokens": 1234.0}
    rows = [
        row | {"arm": "full", "outcome": outcome(same)},
        row | {"arm": "other", "outcome": outcome(same), "against": against(same, same)},
    ]
    shown = table({"rows": rows, "worlds": {"unseen starts": {"worlds": 30, "shapes": 1}}})
    assert "unseen starts: 30 worlds of 1 shape." in shown
    assert "| other | 1 | 1,234 | 0.500 |" in shown
    assert "| +0.000 | +0.000 to +0.000 | 1 |" in shown
