"""Recorded plays, what of a world they exercise, and play on its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.parlour import compiled, parlour
from tests.tui.test_saves import edited
from tests.tui.test_session import WIN
from tui import skein, skein_rows
from tui.autoplay import autoplay
from tui.coverage import KINDS, Coverage, rows
from worldengine.runtime import runtime_of


def woven() -> skein.Skein:
    made = skein.Skein("parlour")
    made.add(0, WIN)
    made.add(0, (*WIN[:2], "ring bell 2 times"))
    made.add(1, ("east",))
    return made


def test_plays_share_their_first_turns() -> None:
    made = woven()
    assert [knot.command for knot in made.knots()] == [*WIN, "ring bell 2 times", "east"]
    assert [skein.commands(leaf)[-1] for leaf in made.leaves()] == [
        "put letter in stove", "ring bell 2 times", "east",
    ]  # fmt: skip


def test_blessed_texts_are_compared(tmp_path: Path) -> None:
    made = woven()
    assert made.run(parlour())[skein.NEW] == 10
    assert made.bless_all() == 10
    skein.write(tmp_path / "s.json", made)
    again = skein.read(tmp_path / "s.json", "parlour")
    assert again.run(parlour()) == {"same": 10, "differs": 0, "new": 0, "gone": 0}
    machine = edited(('say "It rings {n} times."', 'say "Ding, {n}."'), ("turns 12", "turns 7"))
    assert again.run(machine) == {"same": 7, "differs": 2, "new": 0, "gone": 1}
    ring = next(knot for knot in again.knots() if knot.command.startswith("ring"))
    assert skein.difference(ring) == [("-", "It rings 2 times."), ("+", "Ding, 2.")]
    text = "\n".join(row.text for row in skein_rows.rows(again, ring))
    assert "≠" in text and "- It rings 2 times." in text and "+ Ding, 2." in text


def test_blessing_one_turn_blesses_the_way_there() -> None:
    made = woven()
    made.run(parlour())
    assert made.bless(made.leaves()[1]) == 3
    assert made.bless(made.leaves()[1]) == 0


def test_removing_a_turn_removes_what_follows() -> None:
    made = woven()
    made.remove(next(iter(made.knots())))
    assert [knot.command for knot in made.knots()] == ["east"]


def test_a_start_that_is_gone_cannot_be_played() -> None:
    made = woven()
    made.run(edited(("vary letter.in among pantry, garden", "")))
    assert [leaf.verdict for leaf in made.leaves()] == [skein.NEW, skein.NEW, skein.GONE]


@pytest.mark.parametrize("data", ["", "{}", '{"world": "w", "turns": [{"parent": 3}]}'])
def test_a_file_that_is_no_skein_says_so(tmp_path: Path, data: str) -> None:
    (tmp_path / "s.json").write_text(data)
    with pytest.raises(skein.SkeinError, match=r"s\.json"):
        skein.read(tmp_path / "s.json", "parlour")


def test_a_long_play_is_drawn_and_stored_without_recursion(tmp_path: Path) -> None:
    made = skein.Skein("parlour")
    made.add(0, ("look",) * 5000)
    skein.write(tmp_path / "s.json", made)
    assert sum(1 for _ in skein.read(tmp_path / "s.json", "parlour").knots()) == 5000
    assert len(skein_rows.rows(made, None)) > 5000


# -- coverage ------------------------------------------------------------------------------


def test_coverage_counts_what_a_play_meets() -> None:
    measured = Coverage(*compiled())
    measured.play(0, WIN)
    counts = measured.counts()
    assert counts["actions"] == (0, 1) and counts["forms"] == (0, 1)
    assert counts["milestones"] == (2, 2) and counts["rules"] == (1, 2)
    measured.play(0, ("ring bell 2 times", "ring bell 3 times", "e", "d"))
    counts = measured.counts()
    assert counts["actions"] == (1, 1) and counts["refusals"] == (1, 1)
    assert counts["rules"] == (2, 2) and measured.plays == 2


def test_tracing_changes_no_turn() -> None:
    traced, plain = Coverage(*compiled())._runtime, runtime_of(parlour())
    state = parlour().start(0)
    for command in (*WIN[:3], "ring bell 3 times", "x stove", "dance", *WIN[3:]):
        assert traced.step(state, command) == plain.step(state, command)
        state = plain.step(state, command).state


def test_autoplay_is_seeded_and_keeps_only_what_helped() -> None:
    first, second = Coverage(*compiled()), Coverage(*compiled())
    plays = autoplay(first, 3, 25)
    assert plays and plays == autoplay(second, 3, 25)
    third = Coverage(*compiled())
    assert all(third.play(variant, commands) for variant, commands in plays)
    assert third.covered == first.covered
    assert first.counts()["rules"] == (2, 2) and first.counts()["refusals"] == (1, 1)


def test_coverage_lists_what_is_missing_with_its_line() -> None:
    measured = Coverage(*compiled())
    for kind in KINDS:
        text = "\n".join(row.text for row in rows(measured, kind))
        assert f"▾ {kind}" in text
    action = next(row for row in rows(measured, "actions") if row.text.endswith(" ring"))
    assert action.value is not None
