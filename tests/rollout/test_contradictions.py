"""Lines of a run that contradict themselves: left out with their reason, by whoever reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from worldengine.cli import main
from worldengine.rollout.storage import Run

Line = dict[str, Any]


def set_in(*trail: Any, to: Any) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        node: Any = line
        for key in trail[:-1]:
            node = node[key]
        node[trail[-1]] = to

    return change


HUGE = 10**30
NOTES = {
    "repairs": [], "cut": 0, "error": "", "prompt_tokens": 0, "reply_tokens": 0,
    "cached_tokens": 0, "retries": 0, "cost": 0.0,
}  # fmt: skip
HOSTILE: dict[str, tuple[Callable[[Line], None], str]] = {
    "no turns": (set_in("turns", to=[]), "counts: "),
    "huge turns": (set_in("counts", "turns", to=HUGE), "counts.turns: "),
    "negative turns": (set_in("counts", "turns", to=-1), "counts.turns: "),
    "other turns": (set_in("counts", "turns", to=1), "counts: "),
    "huge refused": (set_in("refinements", 0, "refused", to=HUGE), "refinements.0.refused"),
    "huge recovered": (set_in("refinements", 0, "recovered", to=HUGE), "refinements.0.recovered"),
    "negative refused": (set_in("refinements", 0, "refused", to=-1), "refinements.0.refused"),
    "no such turn": (set_in("refinements", 0, "recovered", to=10_000), "refinements.0: "),
    "nothing refused": (
        lambda line: line["refinements"][0].update(_accepted(line)),
        "refinements.0",
    ),
    "twice the same": (
        lambda line: (
            line["refinements"].append(line["refinements"][0]),
            line["counts"].update(refinements=len(line["refinements"])),
        )[-1],
        "refinements.",
    ),
    "another index": (set_in("turns", 0, "index", to=7), "turns.0.index"),
    "no number": (set_in("progress", to=float("nan")), "progress"),
    "no number in a turn": (set_in("turns", 1, "score", to=float("inf")), "turns.1.progress"),
    "huge tokens": (set_in("turns", 0, "notes", to=NOTES | {"reply_tokens": HUGE}), "turns.0"),
    "negative retries": (set_in("turns", 0, "notes", to=NOTES | {"retries": -1}), "turns.0.notes"),
}  # fmt: skip


def _accepted(line: Line) -> dict[str, int]:
    first, second = [turn["index"] for turn in line["turns"] if turn["outcome"] == "ok"][:2]
    return {"refused": first, "recovered": second}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("contradictions") / "run"
    asked = ["rollout", "tide_clock", "--player", "explorer", "--episodes", "2"]
    assert main([*asked, "--out", str(folder)]) == 0
    assert all(row.trajectory and row.trajectory.refinements for row in Run(folder).rows())
    return folder


@pytest.fixture(params=sorted(HOSTILE))
def hostile(request: pytest.FixtureRequest, run: Path, tmp_path: Path) -> tuple[Path, str]:
    """The run with its first line changed, and what is said of it."""
    change, says = HOSTILE[request.param]
    shard = "trajectories-00000.jsonl"
    first, *others = (run / shard).read_text(encoding="utf-8").splitlines()
    line = json.loads(first)
    change(line)
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "manifest.json").write_bytes((run / "manifest.json").read_bytes())
    (folder / "machines").symlink_to(run / "machines")
    text = "\n".join([json.dumps(line), *others, ""])
    (folder / shard).write_text(text, encoding="utf-8")
    return folder, says


def test_a_line_that_contradicts_itself_is_left_out(
    hostile: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, says = hostile
    rows = list(Run(folder).rows())
    assert rows[0].trajectory is None and rows[1].trajectory is not None
    assert says in rows[0].problem and "\n" not in rows[0].problem
    capsys.readouterr()
    assert main(["stats", str(folder), "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["unreadable"] == 1 and json.loads(told.out)["trajectories"] == 1
    assert "1 line cannot be read" in told.err and says in told.err


def test_a_report_leaves_it_out(
    hostile: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    assert main(["report", str(hostile[0]), "--out", str(page)]) in (0, 1)
    assert page.stat().st_size > 1000
