"""Targets of commands: a run, and what is read, are never written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_cli import worldengine
from tests.worlds import TINY
from worldengine.outputs import TargetError, refuse_file, refuse_folder


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs and a script; the folder is the working one."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.world").write_text(TINY)
    for name in ("run", "other"):
        assert worldengine("rollout", "tiny.world", "--out", name).returncode == 0
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ("curate run --out other/manifest.json", "inside the run"),
        ("curate run --out other/machines/new.jsonl", "inside the run"),
        ("curate run --out tiny.world", "no selection by its name"),
        ("report run --out other/page.html", "inside the run"),
        ("report run --out tiny.world", "end it in .html"),
        ("export run --to messages --out other/new.jsonl", "inside the run"),
        ("export run --to messages --out link/new.jsonl", "inside the run"),
        (
            "export run --to messages --variant full --variant flip:0.2 --out other/arms",
            "inside the run",
        ),
        ("perturb tiny.world --kind verbs -o tiny.world", "is read here"),
        ("perturb tiny.world --kind verbs -o alias.world", "is read here"),
        ("perturb tiny.world --kind verbs -o run/new.world", "inside the run"),
        ("perturb tiny.world --kind verbs -o new.world --carry run", "--carry-to"),
        ("perturb tiny.world --kind verbs -o new.world --carry-to run2", "--carry-to"),
        ("perturb tiny.world --kind verbs -o new.world --carry no --carry-to run2", "holds no run"),
        (
            "perturb tiny.world --kind verbs -o new.world --carry run --carry-to other",
            "holds a run",
        ),
        (
            "perturb tide_clock --kind verbs -o new.world --carry run --carry-to run2",
            "nothing that was played",
        ),
        ("perturb tiny.world --kind verbs -o run2/w --carry run --carry-to run2", "--carry-to"),
        ("diversity tiny.world tide_clock --heatmap run/map.svg", "inside the run"),
        ("import agentrefine tiny.world -o tiny.world", "is read here"),
        ("evaluate tiny.world --out other", "holds a run"),
        ("evaluate tiny.world --out other/more", "inside the run"),
        ("stats run --plots run", "holds a run"),
    ],
)
def test_nothing_is_written_over(made: Path, asked: str, complaint: str) -> None:
    Path("link").symlink_to("other")
    Path("alias.world").symlink_to("tiny.world")
    before = contents(made)
    done = worldengine(*asked.split())
    assert done.returncode == 2 and complaint in done.stderr.decode(), done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert contents(made) == before


def test_training_is_not_put_into_a_run(made: Path) -> None:
    text = 'out = "run"\nlength = { updates = 2 }\n[model]\npath = "model"\n'
    text += '[data]\ntrain = ["rows.jsonl"]\nvalidation = ["more.jsonl"]\n'
    Path("train.toml").write_text(text)
    before = contents(made)
    done = worldengine("train", "train.toml")
    assert done.returncode == 2 and b"holds a run" in done.stderr, done.stderr
    assert contents(made) == before


def test_an_experiment_is_not_put_into_a_run(made: Path) -> None:
    text = 'out = "run/more"\narms = [{ name = "full" }]\nlength = { updates = 2 }\n'
    text += "corpus = { episodes = 2, family = { train = 2, test = 1 } }\n"
    text += 'test = { splits = ["starts"] }\n[model.scratch]\n'
    Path("small.toml").write_text(text)
    before = contents(made)
    done = worldengine("experiment", "small.toml")
    assert done.returncode == 2 and b"inside the run" in done.stderr, done.stderr
    assert contents(made) == before


def test_other_places_are_free(made: Path) -> None:
    refuse_file(made / "new" / "file.jsonl")
    refuse_folder(made / "pictures")
    assert worldengine("curate", "run", "--out", "picked.jsonl").returncode == 0
    assert worldengine("curate", "run", "--out", "picked.jsonl").returncode == 0
    assert worldengine("report", "run", "--out", "page.html").returncode == 0
    Path("twin.world").hardlink_to("tiny.world")
    with pytest.raises(TargetError, match="is read here"):
        refuse_file(Path("twin.world"), [Path("tiny.world")])
    Path("loop").symlink_to("loop")
    with pytest.raises(TargetError, match="loop"):
        refuse_file(Path("loop") / "x")
