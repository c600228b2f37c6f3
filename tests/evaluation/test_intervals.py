"""Intervals against published values and against simulation; comparisons by hand."""

from __future__ import annotations

import random

import pytest

from tests.evaluation.transcripts import transcript
from worldengine.evaluation.intervals import bootstrap, clustered, wilson
from worldengine.evaluation.metrics import Figures, figures
from worldengine.evaluation.paired import compare, exact


@pytest.mark.parametrize(
    ("won", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson(won: int, trials: int, low: float, high: float) -> None:
    """The last row is the worked example of Newcombe (1998)."""
    assert wilson(won, trials) == pytest.approx((low, high), abs=1e-4)


def test_bootstrap_is_fixed_by_its_seed_and_covers() -> None:
    values = [float(random.Random(1).random()) for _ in range(1)]
    assert bootstrap(values) == (values[0], values[0])
    draw = random.Random(0)
    covered = 0
    for _ in range(200):
        sample = [draw.gauss(0, 1) for _ in range(40)]
        interval = bootstrap(sample)
        assert interval is not None and interval == bootstrap(sample)
        covered += interval[0] <= 0.0 <= interval[1]
    assert 178 <= covered <= 200


def test_clusters_widen_what_episodes_alone_would_claim() -> None:
    """Ten worlds, each won always or never, twenty episodes each."""
    values = [float(world % 2) for world in range(10) for _ in range(20)]
    worlds = [str(world) for world in range(10) for _ in range(20)]
    alone, together = bootstrap(values), clustered(values, worlds)
    assert alone is not None and together is not None
    assert together[1] - together[0] > 3 * (alone[1] - alone[0])


def test_one_world_says_nothing_of_others() -> None:
    assert clustered([0.0, 1.0], ["a", "a"]) is None


@pytest.mark.parametrize(
    ("less", "more", "p"), [(0, 0, 1.0), (1, 9, 0.021484375), (5, 5, 1.0), (0, 5, 0.0625)]
)
def test_the_sign_test(less: int, more: int, p: float) -> None:
    assert exact(less, more) == exact(more, less) == pytest.approx(p)


def plays(wins: str, world: int = 0) -> list[Figures]:
    """One episode a letter: w won, l lost; start number by place."""
    return [
        figures(
            transcript(
                [("x", "ok", "", 1.0 if letter == "w" else 0.25)],
                "won" if letter == "w" else "lost",
                variant=at,
                world=world,
            )
        )
        for at, letter in enumerate(wins)
    ]


def test_two_players_on_the_same_starts() -> None:
    found = compare(plays("wwlll"), plays("wlwwwl"))
    assert (found.pairs, found.unpaired) == (5, 1)
    assert (found.only_first, found.only_second) == (1, 3)
    assert found.success_difference == pytest.approx(2 / 5)
    assert found.progress_difference == pytest.approx(0.75 * 2 / 5)
    assert found.p_success == found.p_progress == exact(1, 3) == 0.625


def test_a_player_against_itself() -> None:
    found = compare(plays("wl"), plays("wl"))
    assert found.success_difference == 0.0 and found.p_success == 1.0


def test_the_second_play_of_a_start_is_paired_with_the_second() -> None:
    first, second = plays("w") + plays("l"), plays("l") + plays("l")
    found = compare(first, second)
    assert (found.pairs, found.only_first) == (2, 1)
