"""Configurations that cannot be meant: each is told what is wrong with it, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from worldengine.tuning.config import TrainConfig, load, parse
from worldengine.tuning.errors import TuningError
from worldengine.tuning.rows import lines

GOOD: dict[str, Any] = {
    "out": "out",
    "data": {"train": ["train.jsonl"], "validation": ["validation.jsonl"]},
    "model": {"path": "model"},
    "length": {"epochs": 1},
}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "misspelt": ({"optimizer": {"rat": 1.0}}, "`optimizer.rat`; did you mean `rate`"),
    "unknown": ({"speed": 1}, "there is no entry `speed`"),
    "deeper": (
        {"model": {"scratch": {"layer": 2}}},
        "`model.scratch.layer`; did you mean `layers`",
    ),
    "type": ({"seed": "one"}, "`seed`: Input should be a valid integer"),
    "range": ({"batch": {"rows": 0}}, "`batch.rows`: Input should be greater"),
    "two lengths": ({"length": {"epochs": 1, "updates": 2}}, "exactly one of epochs"),
    "no length": ({"length": {}}, "exactly one of epochs"),
    "two models": ({"model": {"path": "m", "scratch": {}}}, "either path or a"),
    "no model": ({"model": {}}, "either path or a"),
    "no held-out": ({"data": {"train": ["t"]}}, "data.validation names no file"),
    "success": ({"checkpoints": {"choose": "success"}}, r"there is no \[validation\] table"),
    "pass": ({"batch": {"tokens_at_once": 100}}, "one row might not fit"),
}


def test_a_good_one_is_read() -> None:
    assert parse(GOOD, "x.toml", TrainConfig).length.epochs == 1


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_named(name: str) -> None:
    change, told = BAD[name]
    with pytest.raises(TuningError, match=told):
        parse(GOOD | change, "x.toml", TrainConfig)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(TuningError, match=r"x\.toml: the entry `out` is missing"):
        parse({key: value for key, value in GOOD.items() if key != "out"}, "x.toml", TrainConfig)


def test_what_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("out = \n", encoding="utf-8")
    with pytest.raises(TuningError, match="is not TOML"):
        load(tmp_path / "bad.toml")


def test_the_example_of_the_guide_is_good(tmp_path: Path) -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "learning.md"
    _, _, rest = guide.read_text(encoding="utf-8").partition("```toml\n")
    path = tmp_path / "guide.toml"
    path.write_text(rest.partition("```")[0], encoding="utf-8")
    assert load(path).checkpoints.choose == "loss"


@pytest.mark.parametrize("text", ["[" * 200_000, '{"messages"', '{"a": ' + "1" * 5_000 + "}"])
def test_a_row_that_is_none_is_told_with_its_place(text: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(text + "\n")
    with pytest.raises(TuningError, match=r"rows\.jsonl:1: this is not JSON"):
        list(lines([str(file)], ("messages",)))
