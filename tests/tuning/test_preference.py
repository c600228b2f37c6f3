"""DPO through TRL on exported pairs: it learns to prefer, and bad pairs are named first."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("trl")

from tests.tuning.small import config
from worldengine.tuning.config import TrainConfig
from worldengine.tuning.errors import TuningError
from worldengine.tuning.preference import prefer
from worldengine.tuning.train import train


def pair(number: int) -> dict[str, Any]:
    thing = ("lamp", "key", "coin", "rope")[number % 4]
    return {
        "id": f"pair-{number}",
        "machine_hash": "0" * 64,
        "variant": number,
        "prompt": [
            {"role": "system", "content": f"Fetch the {thing}."},
            {"role": "user", "content": f"You see no {thing} here."},
        ],
        "chosen": [{"role": "assistant", "content": "Action: go north"}],
        "rejected": [{"role": "assistant", "content": f"Action: take {thing}"}],
    }


def write(path: Path, numbers: range) -> str:
    path.write_text("".join(json.dumps(pair(n)) + "\n" for n in numbers), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    train(config(folder, length={"updates": 1}, checkpoints={"every": 1}))
    return folder / "out" / "model"


def preferring(folder: Path, model: Path, **changes: Any) -> TrainConfig:
    data = {
        "train": [write(folder / "pairs.jsonl", range(8))],
        "validation": [write(folder / "held_out.jsonl", range(8, 12))],
        "max_length": 256,
    }
    settings: dict[str, Any] = {
        "method": "dpo",
        "model": {"path": str(model)},
        "tokenizer": {},
        "data": data,
        "length": {"updates": 8},
        "optimizer": {"rate": 0.003},
        "checkpoints": {"choose": "last"},
    }
    return config(folder, **(settings | changes))


@pytest.mark.slow
def test_it_learns_to_prefer(tmp_path: Path, model: Path) -> None:
    summary = prefer(preferring(tmp_path, model))
    assert summary.updates == 8 and (tmp_path / "out" / "model" / "model.safetensors").is_file()
    with (tmp_path / "out" / "log.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    losses = [float(row["loss"]) for row in rows]
    assert [row["update"] for row in rows] == [str(number) for number in range(1, 9)]
    assert losses[0] == pytest.approx(0.693, abs=0.01)  # nothing preferred yet: log 2
    assert losses[-1] < losses[0]
    assert summary.validation["loss"] < 0.693
    seen = json.loads((tmp_path / "out" / "model" / "trained_on.json").read_text())
    assert seen["train"] == {"0" * 64: list(range(8))}


@pytest.mark.slow
def test_resumed_equals_uninterrupted(tmp_path: Path, model: Path) -> None:
    """Stopped after a checkpoint and while the next one is being written."""
    for name in ("whole", "stopped"):
        (tmp_path / name).mkdir()
    length = {"length": {"updates": 6}, "checkpoints": {"choose": "last", "every": 2, "keep": 9}}
    prefer(preferring(tmp_path / "whole", model, **length))
    made = preferring(tmp_path / "stopped", model, **length)

    def stop(at: int, of: int) -> None:
        if at == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prefer(made, progress=stop)
    out = tmp_path / "stopped" / "out"
    torn = out / "trl" / "checkpoint-3"
    torn.mkdir()
    (torn / "model.safetensors").write_bytes(b"half")
    with pytest.raises(TuningError, match="go on with --resume"):
        prefer(made)
    other = made.model_copy(update={"seed": 9})
    with pytest.raises(TuningError, match="begun with another configuration"):
        prefer(other, resume=True)
    seen: list[int] = []
    assert prefer(made, resume=True, progress=lambda at, of: seen.append(at)).updates == 6
    assert seen == [3, 4, 5, 6]
    weights = [
        (tmp_path / name / "out" / "model" / "model.safetensors").read_bytes()
        for name in ("whole", "stopped")
    ]
    assert weights[0] == weights[1]
    logs = [(tmp_path / name / "out" / "log.csv").read_text() for name in ("whole", "stopped")]
    assert logs[0] == logs[1]


def test_pairs_that_cannot_be_used_are_named(tmp_path: Path, model: Path) -> None:
    made = preferring(tmp_path, model)
    with pytest.raises(TuningError, match="1 starts are in the training rows and in"):
        write(tmp_path / "held_out.jsonl", range(7, 9))
        prefer(made)
    (tmp_path / "pairs.jsonl").write_text('{"prompt": []}\n')
    with pytest.raises(TuningError, match=r"pairs\.jsonl:1: `prompt` is no list of messages"):
        prefer(made)
    (tmp_path / "pairs.jsonl").write_text('{"messages": []}\n')
    with pytest.raises(TuningError, match="a row has `prompt` or `chosen` or `rejected`"):
        prefer(made)


def test_a_pair_that_is_too_long(tmp_path: Path, model: Path) -> None:
    made = preferring(tmp_path, model)
    data = made.data.model_copy(update={"max_length": 12})
    with pytest.raises(TuningError, match=r"pair 1 has \d+ tokens and the context is 12"):
        prefer(made.model_copy(update={"data": data}))
