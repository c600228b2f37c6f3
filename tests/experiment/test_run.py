"""A whole experiment, very small: two arms, two splits, and nothing done twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from worldengine.cli import main
from worldengine.experiment.stash import write

CONFIG = """
out = "OUT"
seeds = [0, 1]
match = ["updates", "trained_tokens"]
thoughts = false
threads = 1
device = "cpu"
max_length = 1024
arms = [
  { name = "full" },
  { name = "kept", rows = "keep-errors" },
  { name = "quiet", rows = "uninformative", silent = true },
]
test = { splits = ["starts", "worlds", "family"], starts = 1, few_worlds = true, max_tokens = 8 }
tokenizer = { vocabulary = 400 }
batch = { rows = 4 }
length = { updates = 2 }
checkpoints = { every = 2 }
[corpus]
episodes = 4
validation_episodes = 1
family = { train = 2, test = 1 }
elsewhere = { family = "chain", count = 1 }
[model.scratch]
layers = 1
hidden = 16
heads = 2
"""


@pytest.mark.slow
def test_a_whole_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.toml"
    path.write_text(CONFIG.replace("OUT", str(tmp_path / "out")), encoding="utf-8")
    assert main(["experiment", str(path), "--json"]) == 0
    first = capsys.readouterr()
    results = json.loads(first.out)
    rows = results["rows"]
    arms = ["random", "untrained", *2 * ["full", "kept", "quiet"]]
    # Worlds of the small family differ in words alone, and their split is called so.
    for split in ("unseen starts", "unseen wordings of trained worlds", "an unseen family"):
        assert [row["arm"] for row in rows if row["split"] == split] == arms
    assert {row["seen"]["split"] for row in rows if "seen" in row} == {
        "unseen starts of worlds that were trained on",
        "unseen worlds",
    }
    assert results["worlds"]["trained on"] == {"worlds": 2, "shapes": 1}
    by_tokens = [
        r for r in rows if r["match"] == "trained tokens" and r["split"].endswith("starts")
    ]
    full, kept, _ = (row["trained_tokens"] for row in by_tokens)
    assert full <= kept < 1.8 * full
    assert (tmp_path / "out" / "results.json").is_file()
    files = sorted((tmp_path / "out" / "runs").glob("*/*/*/model/model.safetensors"))
    assert len(files) == 12
    before = [file.stat().st_mtime_ns for file in files]
    table = (tmp_path / "out" / "table.md").read_bytes()
    assert main(["experiment", str(path)]) == 0
    assert [file.stat().st_mtime_ns for file in files] == before
    assert (tmp_path / "out" / "table.md").read_bytes() == table
    assert main(["report", str(tmp_path / "out"), "--out", str(tmp_path / "r.html")]) == 0
    played = tmp_path / "out" / "played" / "starts"
    quiet = [path for path in played.rglob("manifest.json") if "silent" in str(path)]
    assert len(quiet) == 4 and '"refusals": "silent"' in quiet[0].read_text()
    assert all(main(["verify", str(run.parent)]) == 0 for run in played.rglob("manifest.json"))


def test_worlds_that_are_trained_on_are_not_unseen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.toml"
    known = write(tmp_path / "known", 1, 0)[0]
    text = CONFIG.replace("OUT", str(tmp_path / "out"))
    for ours, told in (
        (f'elsewhere = {{ worlds = ["{known}"] }}', "is to be of an unseen family, and it is"),
        (f'elsewhere = {{ worlds = ["{write(tmp_path / "train", 1, 9)[0]}"] }}', "family train is"),
    ):
        changed = text.replace('elsewhere = { family = "chain", count = 1 }', ours)
        path.write_text(changed, encoding="utf-8")
        assert main(["experiment", str(path)]) == 2
        assert told in capsys.readouterr().err


def test_too_few_worlds_for_intervals_over_worlds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.toml"
    text = CONFIG.replace("OUT", str(tmp_path / "out")).replace("few_worlds = true, ", "")
    path.write_text(text, encoding="utf-8")
    assert main(["experiment", str(path)]) == 2
    assert "intervals over worlds want 30 or more" in capsys.readouterr().err
