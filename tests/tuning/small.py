"""A very small corpus and the configuration of a very small model, for tests of training."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from worldengine.tuning.config import TrainConfig, parse

THINGS = ("lamp", "key", "coin", "rope", "map", "bell")
PLACES = ("hall", "attic", "cellar", "yard")


def conversation(number: int) -> dict[str, Any]:
    """One row as `export --to messages` writes it: a refused turn stands masked in it."""
    thing, place = THINGS[number % 6], PLACES[number % 4]

    def said(role: str, content: str, train: bool = False) -> dict[str, Any]:
        return {"role": role, "content": content, "train": train, "loss": train}

    return {
        "id": f"row-{number}",
        "machine_hash": f"{number % 3:064d}",
        "variant": number,
        "messages": [
            said("system", f"Fetch the {thing}."),
            said("user", f"You are in the {place}."),
            said("assistant", f"Thought: At once.\nAction: take {thing}"),
            said("user", f"You see no {thing} here."),
            said("assistant", "Thought: Elsewhere, then.\nAction: go north", True),
            said("user", f"A {thing} lies here."),
            said("assistant", f"Action: take {thing}", True),
        ],
    }


def write_rows(path: Path, numbers: range) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number in numbers:
            file.write(json.dumps(conversation(number)) + "\n")
    return path


def config(folder: Path, name: str = "out", **changes: Any) -> TrainConfig:
    """A whole configuration; `changes` replace whole entries."""
    train = folder / "train.jsonl"
    validation = folder / "validation.jsonl"
    if not train.exists():
        write_rows(train, range(12))
        write_rows(validation, range(12, 16))
    entries: dict[str, Any] = {
        "out": str(folder / name),
        "seed": 3,
        "device": "cpu",
        "data": {
            "train": [str(train)],
            "validation": [str(validation)],
            "max_length": 256,
        },
        "model": {
            "scratch": {
                "layers": 2,
                "hidden": 32,
                "heads": 2,
                "settings": {"attention_dropout": 0.1},
            }
        },
        "tokenizer": {"vocabulary": 320},
        "batch": {"rows": 4, "tokens_at_once": 1024},
        "optimizer": {"rate": 0.01},
        "length": {"updates": 6},
        "checkpoints": {"every": 3},
        "log": {"every": 1},
    }
    return parse(entries | changes, "test", TrainConfig)
