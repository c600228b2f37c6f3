"""Every export is taken by the framework it is for, and one training step is run on it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.models.tiny import network
from tests.tuning.families import CHATML, chat, raw
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.tuning.export import export
from worldengine.tuning.sources import Options
from worldengine.tuning.tokens import Tokens

pytest.importorskip("torch")
datasets = pytest.importorskip("datasets")
trl = pytest.importorskip("trl")

pytestmark = pytest.mark.slow

STEP = {
    "max_steps": 1,
    "per_device_train_batch_size": 2,
    "learning_rate": 1e-3,
    "use_cpu": True,
    "bf16": False,
    "fp16": False,
    "report_to": [],
    "save_strategy": "no",
    "gradient_checkpointing": False,
    "disable_tqdm": True,
    "logging_steps": 1,
}


@pytest.fixture(scope="module", autouse=True)
def apart(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The libraries keep their caches in a folder of the test's own."""
    patch = pytest.MonkeyPatch()
    patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))
    patch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    yield
    patch.undo()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frameworks") / "run"
    rollout([lamp()], "explorer", episodes=6, seed=4, out=folder)
    return folder


def rows(run: Path, to: str, out: Path, **options: Any) -> Any:
    export(run, Options(to=to, **options), out)
    kind = "parquet" if out.suffix == ".parquet" else "json"
    return datasets.load_dataset(kind, data_files=str(out), split="train")


def sft(data: Any, out: Path, **options: Any) -> Any:
    config = trl.SFTConfig(output_dir=str(out), max_length=None, **STEP, **options)
    model = network(len(raw(CHATML)))
    return trl.SFTTrainer(
        model=model, args=config, train_dataset=data, processing_class=raw(CHATML)
    )


def steps(trainer: Any) -> None:
    """One step changes weights and has a finite loss."""
    before = {name: each.detach().clone() for name, each in trainer.model.named_parameters()}
    loss = trainer.train().training_loss
    assert loss == loss and 0 < loss < 100
    moved = [n for n, each in trainer.model.named_parameters() if not (each == before[n]).all()]
    assert moved


def supervised(trainer: Any, number: int) -> str:
    """What the trainer itself would learn from one row."""
    row = trainer.train_dataset[number]
    batch = trainer.data_collator([row])
    ids = [int(label) for label in batch["labels"][0] if label != -100]
    return str(raw(CHATML).decode(ids))


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "jsonl.zst"])
def test_token_rows_train_in_trl(run: Path, tmp_path: Path, ending: str) -> None:
    tokens = Tokens(chat(CHATML))
    data = rows(run, "tokens", tmp_path / f"rows.{ending}", tokens=tokens)
    trainer = sft(data, tmp_path / "out")
    for number, row in enumerate(data):
        ids = [label for label in row["labels"] if label != -100]
        assert supervised(trainer, number) == raw(CHATML).decode(ids)
    steps(trainer)


def test_messages_train_in_trl_on_the_marked_turns_only(run: Path, tmp_path: Path) -> None:
    """With the shipped template TRL learns the very text that token rows teach."""
    data = rows(run, "messages", tmp_path / "rows.jsonl")
    exact = rows(run, "tokens", tmp_path / "exact.jsonl", tokens=Tokens(chat(CHATML)))
    trainer = sft(data.select_columns(["messages"]), tmp_path / "out", assistant_only_loss=True)
    for number, row in enumerate(exact):
        ids = [label for label in row["labels"] if label != -100]
        assert supervised(trainer, number) == raw(CHATML).decode(ids)
    masked = [m["content"] for m in data[0]["messages"] if m["role"] == "assistant"]
    refused = [m["content"] for m in data[0]["messages"] if m["role"] != "user" and not m["train"]]
    assert any(text in masked for text in refused)
    assert not any(text in supervised(trainer, 0) for text in refused if text in masked)
    steps(trainer)


def test_prefix_rows_train_in_trl(run: Path, tmp_path: Path) -> None:
    data = rows(run, "prefix", tmp_path / "rows.jsonl").select_columns(["prompt", "completion"])
    trainer = sft(data, tmp_path / "out")
    for number in (0, len(data) - 1):
        assert data[number]["completion"][0]["content"] in supervised(trainer, number)
        assert data[number]["prompt"][-1]["content"] not in supervised(trainer, number)
    steps(trainer)


@pytest.mark.parametrize("pairs", ["after", "before"])
def test_pairs_train_in_trl(run: Path, tmp_path: Path, pairs: str) -> None:
    data = rows(run, "dpo", tmp_path / "rows.jsonl", pairs=pairs)
    data = data.select_columns(["prompt", "chosen", "rejected"])
    config = trl.DPOConfig(output_dir=str(tmp_path / "out"), max_length=None, **STEP)
    words = raw(CHATML)
    model, fixed = network(len(words)), network(len(words))
    trainer = trl.DPOTrainer(
        model=model, ref_model=fixed, args=config, train_dataset=data, processing_class=words
    )
    steps(trainer)


@pytest.mark.parametrize("to", ["sharegpt", "openai", "llamafactory", "rl", "messages"])
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_datasets_reads_back_what_was_written(
    run: Path, tmp_path: Path, to: str, ending: str
) -> None:
    """Every row and every flag, without a null where there was a value."""
    import json

    export(run, Options(to=to), tmp_path / "plain.jsonl")
    plain = [json.loads(line) for line in (tmp_path / "plain.jsonl").open()]
    data = list(rows(run, to, tmp_path / f"rows.{ending}"))
    assert len(data) == len(plain)
    for read, row in zip(data, plain, strict=True):
        if to == "openai":  # a weight stands on replies only, so tables fill in null elsewhere
            for message in read["messages"]:
                if message.get("weight", 0) is None:
                    del message["weight"]
        assert read == row
