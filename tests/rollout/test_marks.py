"""Mistakes that a player makes on purpose are marked in its record, and the marks hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.test_belief import hiding
from tests.rollout.test_verify import copied, lines
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verify import verify
from worldengine.tuning.conversation import conversation
from worldengine.tuning.masks import mask
from worldengine.tuning.retelling import without_refusals, without_thoughts


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("marks") / "run"
    rollout([lamp()], "explorer", episodes=40, seed=3, out=folder)
    return folder


def marks(trajectory: Trajectory) -> list[tuple[int, str]]:
    return [(turn.index, turn.mistake) for turn in trajectory.turns if turn.mistake]


@pytest.mark.parametrize("player", ["explorer", "explorer,mistakes=no", "random"])
def test_who_errs_on_purpose_says_so(player: str, tmp_path: Path) -> None:
    rollout([hiding()], player, episodes=12, seed=1, out=tmp_path / "run")
    assert verify(tmp_path / "run").rejected == []
    found = [row.trajectory for row in Run(tmp_path / "run").rows() if row.trajectory]
    said = {mistake for each in found for _, mistake in marks(each)}
    errs = player == "explorer"
    assert bool(said) == errs, said
    for trajectory in found:
        text = json.loads(trajectory.line())
        assert [("mistake" in turn) for turn in text["turns"]] == [
            bool(turn.mistake) for turn in trajectory.turns
        ]


def test_marks_of_the_wrong_kind_are_caught(run: Path, tmp_path: Path) -> None:
    rows = lines(run)
    slips = [row for row in rows if any(t.get("mistake") == "slip" for t in row["turns"])]
    row = slips[0]
    accepted = next(turn["index"] for turn in row["turns"] if turn["outcome"] == "ok")
    for number, kind in enumerate(("slip", "repeat", "whim")):
        copy: dict[str, Any] = json.loads(json.dumps(row))
        copy["turns"][accepted]["mistake"] = kind
        (rejected,) = verify(copied(run, tmp_path / str(number), [copy])).rejected
        assert "mistake" in rejected.reason


def test_records_from_before_the_marks_are_read(run: Path, tmp_path: Path) -> None:
    rows = lines(run)
    for row in rows:
        for turn in row["turns"]:
            turn.pop("mistake", None)
    assert verify(copied(run, tmp_path / "old", rows)).rejected == []


def test_exports_know_the_marks(run: Path) -> None:
    whole = mask("refused,deliberate")
    for row in Run(run).rows():
        assert row.trajectory is not None
        found = conversation(row.trajectory, mask("none"))
        assert [each.mistake for each in found.exchanges] == [
            turn.mistake for turn in row.trajectory.turns
        ]
        for each in conversation(row.trajectory, whole).exchanges:
            assert not (each.mistake and each.train)
        kept = without_refusals(lamp(), row.trajectory)
        assert not {mistake for _, mistake in marks(kept)} & {"slip", "repeat"}
        assert marks(without_thoughts(lamp(), row.trajectory)) == marks(row.trajectory)
