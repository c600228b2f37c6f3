"""`worldengine train` from the command line: what it says, and how it fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.tuning.small import write_rows
from worldengine.cli import main

CONFIG = """
out = "FOLDER/out"
device = "cpu"
tokenizer = { vocabulary = 320 }
batch = { rows = 4 }
length = { updates = 2 }
[model.scratch]
layers = 1
hidden = 16
heads = 2
[data]
train = ["FOLDER/train.jsonl"]
validation = ["FOLDER/validation.jsonl"]
max_length = 256
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_rows(tmp_path / "train.jsonl", range(8))
    write_rows(tmp_path / "validation.jsonl", range(8, 10))
    path = tmp_path / "train.toml"
    path.write_text(CONFIG.replace("FOLDER", str(tmp_path)), encoding="utf-8")
    return path


def test_checked_trained_and_not_twice(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", str(path), "--check", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rows"], told["validation_rows"], told["updates"]) == (8, 2, 2)
    assert not (path.parent / "out").exists()
    assert main(["train", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["updates"], told["chosen"]) == (2, 2)
    assert main(["train", str(path)]) == 2
    assert "go on with --resume" in capsys.readouterr().err
    assert main(["train", str(path), "--resume"]) == 0
    assert "model in" in capsys.readouterr().out


def test_mistakes_are_one_sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text(path.read_text().replace("updates", "update"), encoding="utf-8")
    assert main(["train", str(path)]) == 2
    assert "`length.update`; did you mean `updates`?" in capsys.readouterr().err


def test_a_missing_library_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert main(["train", str(path)]) == 3
    assert "pip install 'worldengine-machine[" in capsys.readouterr().err
