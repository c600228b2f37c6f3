"""Every metric on transcripts whose values are known."""

from __future__ import annotations

import pytest

from tests.evaluation.transcripts import (
    AT_THE_LAST_TURN,
    GOING_ROUND,
    SLIPPED_BACK,
    WON,
    transcript,
)
from worldengine.evaluation.diversity import diversity
from worldengine.evaluation.metrics import ends_in_a_loop, figures
from worldengine.evaluation.summary import best_of, grouped, summary


def test_a_won_episode() -> None:
    found = figures(WON)
    assert (found.won, found.progress, found.turns) == (True, 1.0, 5)
    assert found.grounding == 3 / 5
    assert found.refusals == (1, 0, 1) and found.refused == 2
    assert (found.recovered, found.recovery_turns) == (2, 4)
    assert (found.repeats, found.loop) == (0, False)
    assert (found.prompt_tokens, found.reply_tokens) == (250, 25)


def test_progress_is_the_running_maximum() -> None:
    found = figures(SLIPPED_BACK)
    assert found.progress == 0.5 and not found.won and found.status == "lost"


def test_truncation_is_never_success() -> None:
    found = summary([figures(AT_THE_LAST_TURN)])
    assert (found["success"], found["won"], found["truncated"]) == (0.0, 0, 1)
    assert found["progress"] == 0.75


def test_repeats_and_loops() -> None:
    found = figures(GOING_ROUND)
    assert found.repeats == 4 and found.loop
    assert not figures(WON).loop


@pytest.mark.parametrize(
    ("blocks", "loops"),
    [
        ("aaa", True),
        ("aa", False),
        ("xaaa", True),
        ("aaax", False),
        ("abababab", True),
        ("abcabcabc", True),
        ("abcdabcdabcd", True),
        ("abcdeabcdeabcde", False),
        ("", False),
    ],
)
def test_what_a_loop_is(blocks: str, loops: bool) -> None:
    assert ends_in_a_loop([(letter, "") for letter in blocks]) is loops


def test_the_same_command_with_another_answer_is_no_repeat() -> None:
    same = transcript([("wait", "ok", "One.", 0), ("wait", "ok", "Two.", 0)], "truncated")
    assert figures(same).repeats == 0


def test_a_summary_of_four() -> None:
    episodes = [figures(each) for each in (WON, SLIPPED_BACK, GOING_ROUND, AT_THE_LAST_TURN)]
    found = summary(episodes)
    assert (found["episodes"], found["won"], found["lost"], found["truncated"]) == (4, 1, 1, 2)
    assert found["success"] == 0.25
    assert found["progress"] == (1.0 + 0.5 + 0.0 + 0.75) / 4
    assert found["grounding"] == pytest.approx((3 / 5 + 2 / 3 + 1 + 1) / 4)
    assert found["loops"] == 0.25
    assert found["repeats"] == 5 / 17
    assert found["refusals"] == {"parameter": 1, "place": 1, "logic": 1}
    assert found["refused"] == 3 / 17
    assert found["recovery"] == 2 / 3 and found["recovery_turns"] == 2.0
    assert found["turns"] == 17 / 4 and found["turns_when_won"] == 5.0
    assert found["ci"]["success"] == pytest.approx((0.0456, 0.6994), abs=1e-4)


def test_a_summary_of_nothing_claims_nothing() -> None:
    found = summary([])
    assert found["success"] is None and found["ci"]["success"] is None


def test_groups() -> None:
    episodes = [figures(WON), figures(SLIPPED_BACK)]
    found = grouped(episodes, lambda each: each.status)
    assert list(found) == ["lost", "won"] and found["won"]["success"] == 1.0


def test_best_of_n_counts_starts_won_at_least_once() -> None:
    """Start 0 was won once in three plays, start 1 never; start 2 was played twice only."""

    def played(variant: int, won: bool) -> object:
        line = [("x", "ok", "", 1.0)]
        return figures(transcript(line, "won" if won else "lost", variant=variant))  # type: ignore[arg-type]

    plays = [(0, True), (0, False), (0, False), (1, False), (1, False), (1, False)]
    episodes = [played(*each) for each in [*plays, (2, True), (2, True)]]
    found = best_of(episodes, 3)  # type: ignore[arg-type]
    assert [found[k]["starts"] for k in ("1", "2", "3")] == [2, 2, 2]
    assert found["1"]["success"] == pytest.approx((1 / 3 + 0) / 2)
    assert found["2"]["success"] == pytest.approx((2 / 3 + 0) / 2)
    assert found["3"]["success"] == pytest.approx((1 + 0) / 2)


def test_diversity_is_what_is_counted() -> None:
    found = diversity(["I take it", "I take it", "now I go"])
    assert found["unique"] == 2 / 3
    assert found["distinct_1"] == 5 / 9  # i take it now go
    assert found["distinct_2"] == 4 / 6  # i-take take-it now-i i-go
    assert diversity([])["distinct_1"] is None
