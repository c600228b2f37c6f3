"""Arms: made from the same episodes, each row executed again, tampering found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import worldengine
from worldengine.experiment.config import ExperimentConfig, of
from worldengine.experiment.corpus import NOTHING, execute_again, make
from worldengine.experiment.stash import script
from worldengine.machine import Machine
from worldengine.tuning.errors import TuningError

ROWS = (
    "full", "no-refinement", "keep-errors", "mask-refinement", "flip:0.2", "success-only",
    "no-thoughts", "expert-only", "uninformative",
)  # fmt: skip


def config(folder: Path, thoughts: bool = True) -> ExperimentConfig:
    arms: list[dict[str, Any]] = [
        {"name": rows.replace(":", "-").replace(".", "-"), "rows": rows} for rows in ROWS
    ]
    arms.append({"name": "half", "rows": "full", "share": 0.5})
    entries: dict[str, Any] = {
        "out": str(folder),
        "thoughts": thoughts,
        "corpus": {"episodes": 4, "validation_episodes": 1, "family": {"train": 2}},
        "arms": arms,
        "model": {"scratch": {}},
        "length": {"updates": 1},
    }
    return of(entries, "test")


@pytest.fixture(scope="module")
def machines() -> list[Machine]:
    return [worldengine.compile(script(0, number)) for number in range(2)]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def masks(row: dict[str, Any]) -> list[bool]:
    return [m["train"] for m in row["messages"] if m["role"] == "assistant"]


def test_every_arm_is_made_and_executed_again(tmp_path: Path, machines: list[Machine]) -> None:
    said: list[str] = []
    files = make(config(tmp_path, thoughts=False), machines, said.append)
    rows = {name: read(each.train) for name, each in files.items()}
    full = rows["full"]
    assert len(full) == 8 and len(rows["half"]) == 4
    for name in ("keep-errors", "mask-refinement", "flip-0-2", "uninformative"):
        assert [row["id"] for row in rows[name]] == [row["id"] for row in full]
    assert all(all(masks(row)) for row in rows["keep-errors"])
    assert any(not all(masks(row)) for row in full)
    assert sum(map(len, map(masks, rows["no-refinement"]))) < sum(map(len, map(masks, full)))
    assert all(all(masks(row)) for row in rows["no-refinement"])
    changed = [
        masks(one) != masks(other) for one, other in zip(full, rows["flip-0-2"], strict=True)
    ]
    assert any(changed)
    starts = {(row["machine_hash"], row["variant"]) for row in full}
    expert = {(row["machine_hash"], row["variant"]) for row in rows["expert-only"]}
    assert expert == starts
    quiet = [m["content"] for row in rows["uninformative"] for m in row["messages"]]
    assert NOTHING in quiet
    assert all(
        m["content"].startswith("Action: ") and "\n" not in m["content"]
        for each in rows.values() for row in each for m in row["messages"]
        if m["role"] == "assistant"
    )  # fmt: skip
    assert sum("executed again" in line for line in said) == len(files)


def test_a_row_that_the_world_does_not_confirm_is_found(
    tmp_path: Path, machines: list[Machine]
) -> None:
    files = make(config(tmp_path), machines, lambda text: None)
    path = files["full"].train
    rows = read(path)
    rows[2]["messages"][3]["content"] += " And a treasure."
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    by_hash = {machine.hash: machine for machine in machines}
    with pytest.raises(TuningError, match=r"train-full\.jsonl:3, message 4: the world answers"):
        execute_again(path, by_hash)
