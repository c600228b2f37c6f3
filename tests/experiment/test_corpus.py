"""Arms: made from the same episodes, each row executed again, tampering found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import worldengine
from worldengine.evaluation.feedback import NOTHING
from worldengine.experiment.config import ExperimentConfig, of
from worldengine.experiment.corpus import execute_again, make
from worldengine.experiment.stash import script
from worldengine.machine import Machine
from worldengine.tuning.errors import TuningError

WITH_THOUGHTS = (
    "full", "no-refinement", "keep-errors", "mask-refinement", "mask-harmful", "flip:0.2",
    "success-only", "no-thoughts", "expert-only",
)  # fmt: skip
CLUMSY = "python:tests.experiment.clumsy:Clumsy"
WITHOUT = tuple({"no-thoughts": "uninformative"}.get(rows, rows) for rows in WITH_THOUGHTS)


def config(
    folder: Path, thoughts: bool = True, player: str = "explorer", episodes: int = 4
) -> ExperimentConfig:
    """Every arm there is."""
    arms: list[dict[str, Any]] = [
        {"name": rows.replace(":", "-").replace(".", "-"), "rows": rows}
        for rows in (WITH_THOUGHTS if thoughts else WITHOUT)
    ]
    arms.append({"name": "half", "rows": "full", "share": 0.5})
    corpus = {
        "episodes": episodes,
        "validation_episodes": 1,
        "family": {"train": 2},
        "player": player,
    }
    entries: dict[str, Any] = {
        "out": str(folder),
        "thoughts": thoughts,
        "corpus": corpus | {"include": "verified"},
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
    assert len(full) == 8
    half = [(row["machine_hash"], row["episode"]) for row in rows["half"]]
    assert sorted(episode for _, episode in half) == [0, 0, 1, 1]  # two of each world
    for name in ("keep-errors", "mask-refinement", "mask-harmful", "flip-0-2", "uninformative"):
        assert [row["id"] for row in rows[name]] == [row["id"] for row in full]
    assert all(all(masks(row)) for row in rows["keep-errors"])
    assert any(not all(masks(row)) for row in full)
    assert sum(map(len, map(masks, rows["no-refinement"]))) < sum(map(len, map(masks, full)))
    assert all(all(masks(row)) for row in rows["no-refinement"])
    changed = [
        masks(one) != masks(other) for one, other in zip(full, rows["flip-0-2"], strict=True)
    ]
    assert any(changed)
    starts = [(row["machine_hash"], row["episode"], row["variant"]) for row in full]
    expert = [(row["machine_hash"], row["episode"], row["variant"]) for row in rows["expert-only"]]
    assert expert == starts
    quiet = [m["content"] for row in rows["uninformative"] for m in row["messages"]]
    assert NOTHING in quiet
    assert all(
        m["content"].startswith("Action: ") and "\n" not in m["content"]
        for each in rows.values() for row in each for m in row["messages"]
        if m["role"] == "assistant"
    )  # fmt: skip
    assert sum("executed again" in line for line in said) == len(files)


def test_arms_differ_in_what_they_are_called_after(tmp_path: Path, machines: list[Machine]) -> None:
    files = make(config(tmp_path, player=CLUMSY, episodes=6), machines, lambda text: None)
    rows = {name: read(each.train) for name, each in files.items()}
    full = rows["full"]
    assert any(row["status"] != "won" for row in full)
    won = [row["id"] for row in full if row["status"] == "won"]
    assert [row["id"] for row in rows["success-only"]] == won and won
    fewer = [
        (sum(masks(one)), sum(masks(other)))
        for one, other in zip(full, rows["mask-harmful"], strict=True)
    ]
    assert all(other <= one for one, other in fewer)
    assert any(other < one for one, other in fewer)  # to and fro leads away from winning
    for one, other in zip(full, rows["mask-harmful"], strict=True):
        for before, after in zip(one["messages"], other["messages"], strict=False):
            assert before["content"] == after["content"]
            assert before["train"] or not after["train"]


def test_thoughts_none_and_full_say_the_same_commands(
    tmp_path: Path, machines: list[Machine]
) -> None:
    files = make(config(tmp_path), machines, lambda text: None)
    full, none = read(files["full"].train), read(files["no-thoughts"].train)
    for one, other in zip(full, none, strict=True):
        said = [
            [m["content"].rpartition("Action: ")[2] for m in row["messages"]]
            for row in (one, other)
        ]
        assert said[0] == said[1]
    assert any("Thought: " in m["content"] for row in full for m in row["messages"])
    replies = [m["content"] for row in none for m in row["messages"] if m["role"] == "assistant"]
    assert not any("\n" in reply or "Thought:" in reply for reply in replies)


def test_an_episode_without_a_row_in_one_arm_has_none_in_any(
    tmp_path: Path, machines: list[Machine]
) -> None:
    made = config(tmp_path, player=CLUMSY, episodes=6)
    files = make(made, machines, lambda text: None)
    ids = [row["id"] for row in read(files["full"].train)]
    for name in ("no-refinement", "keep-errors", "mask-refinement", "mask-harmful", "no-thoughts"):
        assert [row["id"] for row in read(files[name].train)] == ids


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
