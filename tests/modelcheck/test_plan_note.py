"""Whether a plan that is shown is as short as can be is said, in text and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from worldengine.cli import main

LONG = """
world walk "A walk" { goal "Ring the bell." turns 20 }
use travel
place hall "hall" { exit east to tower }
place tower "tower" { exit west to hall }
thing bell "bell" in tower { rung : bool = false }
player in hall
action ring { form "ring [the] bell" require here(bell) else place "No." set bell.rung = true }
milestone up "up" when player.in == tower
win when bell.rung say "Dong."
proof "east", "west", "east", "ring bell"
"""
OPEN, CLOSED = "a shorter play may exist", "no play is shorter"


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.world"
    path.write_text(LONG)
    return path


def test_check_and_solve_say_whether_a_plan_is_shortest(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", str(walk)])
    shown = capsys.readouterr().out
    assert f"plan: 4 turns: the world's own proof; not proven shortest: {OPEN}" in shown
    assert main(["solve", str(walk)]) == 0
    assert f"// 2 turns; {CLOSED}" in capsys.readouterr().out
    main(["check", "--json", str(walk)])
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert verdict["optimal"] is None and OPEN in verdict["plan_note"]
    main(["solve", "--json", str(walk)])
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["optimal"] and verdict["plan_note"] == CLOSED
    assert verdict["variants"][0]["plan_note"] == CLOSED


def test_a_plan_that_solve_could_not_shorten_is_said_to_be_open(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", "--budget", "0.000001s", str(walk)]) == 0
    assert OPEN in capsys.readouterr().out.splitlines()[-1]


def test_a_table_of_several_worlds_counts_such_plans(
    walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = LONG.replace('"east", "west", ', "").replace('proof "east", "ring bell"', "")
    (tmp_path / "short.world").write_text(short.replace("world walk", "world short"))
    main(["check", str(tmp_path)])
    assert "plans: 1 of 2 are not proven shortest" in capsys.readouterr().out
