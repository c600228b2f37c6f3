"""The loop: resumed equals uninterrupted, equal seeds give equal files, TRL agrees."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from tests.tuning.small import config, conversation, write_rows
from worldengine.tuning import checkpoint
from worldengine.tuning.errors import TuningError
from worldengine.tuning.models import model_of, tokenizer_of
from worldengine.tuning.rows import tokenised
from worldengine.tuning.step import gradients, mean_loss
from worldengine.tuning.train import train


def weights_of(folder: Path) -> bytes:
    return (folder / "model" / "model.safetensors").read_bytes()


def stopped_at(update: int) -> Any:
    """A progress bar during which somebody presses Ctrl-C."""

    def progress(done: int, total: int) -> None:
        if done == update:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize(
    "changes", [{}, {"lora": {"rank": 4, "dropout": 0.2}}], ids=["all", "lora"]
)
def test_resumed_equals_uninterrupted(tmp_path: Path, changes: dict[str, Any]) -> None:
    if changes:
        pytest.importorskip("peft")
    train(config(tmp_path, "whole", **changes))
    with pytest.raises(KeyboardInterrupt):
        train(config(tmp_path, "halves", **changes), progress=stopped_at(4))
    train(config(tmp_path, "halves", **changes), resume=True)
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    (name,) = [path.name for path in (whole / "model").glob("*.safetensors")]
    assert (whole / "model" / name).read_bytes() == (halves / "model" / name).read_bytes()
    assert (whole / "log.csv").read_bytes() == (halves / "log.csv").read_bytes()


def test_tensorboard_has_the_figures_of_the_log(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    made = config(tmp_path, log={"every": 1, "tensorboard": True})
    train(made)
    board = EventAccumulator(str(tmp_path / "out" / "tensorboard"))
    board.Reload()
    with (tmp_path / "out" / "log.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["loss"]]
    events = board.Scalars("loss")
    assert [event.step for event in events] == [int(row["update"]) for row in rows]
    for event, row in zip(events, rows, strict=True):
        assert event.value == pytest.approx(float(row["loss"]), rel=1e-4)
    assert "validation_loss" in board.Tags()["scalars"]


def test_a_missing_tensorboard_is_said_before_anything_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(ModuleNotFoundError):
        train(config(tmp_path, log={"every": 1, "tensorboard": True}))
    assert not (tmp_path / "out").exists()


def test_equal_seeds_give_equal_weights_and_other_seeds_others(tmp_path: Path) -> None:
    train(config(tmp_path, "one"))
    train(config(tmp_path, "two"))
    train(config(tmp_path, "other", seed=4))
    one = weights_of(tmp_path / "one")
    assert one == weights_of(tmp_path / "two")
    assert one != weights_of(tmp_path / "other")


def test_what_was_run_is_written_down(tmp_path: Path) -> None:
    summary = train(config(tmp_path, length={"updates": 12}))
    told = json.loads((tmp_path / "out" / "run.json").read_text())
    least = min(told["judged"], key=lambda update: told["judged"][update]["loss"])
    assert told["chosen"] == summary.chosen == int(least)
    seen = json.loads((tmp_path / "out" / "model" / "trained_on.json").read_text())
    assert seen["rows_of_unknown_starts"] == 0
    assert sum(map(len, seen["train"].values())) == 12
    assert sum(map(len, seen["validation"].values())) == 4
    log = (tmp_path / "out" / "log.csv").read_text().splitlines()
    first, last = float(log[2].split(",")[3]), float(log[-2].split(",")[3])
    assert last < first


def test_a_checkpoint_can_be_chosen_by_success(tmp_path: Path) -> None:
    shares = iter([0.25, 0.75, 0.5])
    made = config(
        tmp_path,
        length={"updates": 9},
        checkpoints={"every": 3, "choose": "success"},
        validation={"worlds": ["anything"]},
    )
    summary = train(made, success=lambda folder: next(shares))
    assert summary.chosen == 6 and summary.validation["success"] == 0.75
    kept = [path.name for path in checkpoint.folders(tmp_path / "out")]
    assert kept == ["000006", "000009"]


def test_gradient_checkpointing_and_accumulation_change_no_gradient(tmp_path: Path) -> None:
    found = []
    for again in (False, True):
        made = config(tmp_path, gradient_checkpointing=again)
        tokenizer = tokenizer_of(made)
        model = model_of(made, tokenizer, torch.device("cpu"))
        model.train()
        for module in model.modules():
            if hasattr(module, "attention_dropout"):
                module.attention_dropout = 0.0
        rows, _ = tokenised(made.data.train, tokenizer, 256, len(tokenizer))
        gradients(model, rows[:4], made, int(tokenizer.pad_token_id), torch.device("cpu"))
        found.append([p.grad.clone() for p in model.parameters()])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_bf16_trains(tmp_path: Path) -> None:
    summary = train(config(tmp_path, bf16=True))
    assert summary.trained_tokens > 0


@pytest.mark.slow
def test_trl_and_this_loop_agree_on_the_loss_of_a_batch(tmp_path: Path) -> None:
    """The same four rows as TRL's pre-tokenised data set: input_ids and labels."""
    pytest.importorskip("trl")
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    scratch = {"layers": 2, "hidden": 32, "heads": 2}
    made = config(tmp_path, model={"scratch": scratch})
    tokenizer = tokenizer_of(made)
    model = model_of(made, tokenizer, torch.device("cpu"))
    model.eval()
    rows, _ = tokenised(made.data.train, tokenizer, 256, len(tokenizer))
    rows = rows[:4]
    ours = mean_loss(model, rows, made, int(tokenizer.pad_token_id), torch.device("cpu"))
    data = Dataset.from_list(
        [{"input_ids": list(row.input_ids), "labels": list(row.labels)} for row in rows]
    )
    settings = SFTConfig(
        output_dir=str(tmp_path / "trl"),
        per_device_train_batch_size=4,
        per_device_eval_batch_size=4,
        use_cpu=True,
        bf16=False,
        fp16=False,
        report_to=[],
        gradient_checkpointing=False,
        max_length=256,
    )
    trainer = SFTTrainer(
        model=model, args=settings, train_dataset=data, eval_dataset=data,
        processing_class=tokenizer,
    )  # fmt: skip
    theirs = trainer.evaluate()["eval_loss"]
    assert theirs == pytest.approx(ours, rel=1e-5)


def broken(path: Path, change: Any) -> Path:
    row = conversation(0)
    change(row)
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def no_turn(row: dict[str, Any]) -> None:
    for message in row["messages"]:
        message["train"] = False


BAD_ROWS = {
    "not json": ("{", "train.jsonl:1: this is not JSON"),
    "no row": ('{"text": "x"}', "a row has `messages` or `input_ids`"),
    "labels": ('{"input_ids": [1, 2], "labels": [1]}', "2 input_ids and 1 labels"),
    "shifted": ('{"input_ids": [1, 2], "labels": [2, -100]}', "label 2 at 0 is neither"),
    "words": ('{"input_ids": [1, "a"], "labels": [1, 2]}', "not a list of whole numbers"),
    "untrained": ('{"input_ids": [1, 2], "labels": [1, -100]}', "no token of this row"),
    "vocabulary": ('{"input_ids": [1, 9999], "labels": [1, 9999]}', "outside the model's vocab"),
}


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    train(config(folder, length={"updates": 1}, checkpoints={"every": 1}))
    return folder / "out" / "model"


@pytest.mark.parametrize("name", BAD_ROWS)
def test_bad_rows_are_named_before_training(tmp_path: Path, model_folder: Path, name: str) -> None:
    text, told = BAD_ROWS[name]
    (tmp_path / "train.jsonl").write_text(text + "\n", encoding="utf-8")
    made = config(
        tmp_path,
        model={"path": str(model_folder)},
        tokenizer={},
        data={"train": [str(tmp_path / "train.jsonl")], "max_length": 256},
        checkpoints={"choose": "last"},
    )
    with pytest.raises(TuningError, match=told.replace("(", r"\(")):
        train(made)
    assert not (tmp_path / "out").exists()


def test_a_row_without_trained_turns_is_named(tmp_path: Path) -> None:
    made = config(tmp_path)
    broken(tmp_path / "train.jsonl", no_turn)
    with pytest.raises(TuningError, match=r"train\.jsonl:1: no token of this row"):
        train(made)


def test_a_row_longer_than_the_context_is_an_error_or_left_out(tmp_path: Path) -> None:
    def longer(row: dict[str, Any]) -> None:
        row["messages"][0]["content"] = "very " * 400

    made = config(tmp_path)
    with (tmp_path / "train.jsonl").open("a", encoding="utf-8") as file:
        row = conversation(40)
        longer(row)
        file.write(json.dumps(row) + "\n")
    with pytest.raises(TuningError, match=r"train\.jsonl:13: the row has \d+ tokens"):
        train(made)
    data = made.data.model_copy(update={"too_long": "skip"})
    train(made.model_copy(update={"data": data}))
    told = json.loads((tmp_path / "out" / "run.json").read_text())
    assert told["rows"] == {"train": 12, "validation": 4, "left_out_as_too_long": 1}


def test_a_start_may_not_be_trained_and_validated_on(tmp_path: Path) -> None:
    made = config(tmp_path)
    write_rows(tmp_path / "validation.jsonl", range(11, 13))
    with pytest.raises(TuningError, match="1 starts are in the training rows and in the valid"):
        train(made)


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{% for m in messages %}{{ m['content'] }}{% endfor %}", "has no generation marks"),
        (
            "{% for m in messages %}{% if m['role'] == 'assistant' %}{% generation %}"
            "{{ m['content'] }}{% endgeneration %}{% else %}{{ m['content'] }}{% endif %}"
            "{% endfor %}",
            "does not heed the flag `train`",
        ),
        (
            "{% for m in messages %}{% if m['role'] == 'assistant' and m['train'] %}"
            "{% generation %}{{ m['content'] }}{% endgeneration %}"
            "{% else %}{{ m['content'] }}{% endif %}"
            "{% endfor %}{% if add_generation_prompt %}|{% endif %}",
            "stand other tokens than those a player is asked with",
        ),
    ],
)
def test_templates_that_do_not_mark_trained_turns(tmp_path: Path, template: str, told: str) -> None:
    (tmp_path / "own.jinja").write_text(template, encoding="utf-8")
    made = config(tmp_path, tokenizer={"template": str(tmp_path / "own.jinja")})
    with pytest.raises(TuningError, match=told):
        train(made)


def test_a_template_whose_tokens_the_tokenizer_does_not_have(tmp_path: Path) -> None:
    """ChatML on a tokenizer without ChatML's tokens: replies would end in letters."""
    made = config(tmp_path, tokenizer={"template": "shipped", "vocabulary": 320})
    with pytest.raises(TuningError, match=r"replies end with .*end token is '<\|end\|>'"):
        train(made)
    assert not (tmp_path / "out").exists()


def test_an_end_that_is_not_trained(tmp_path: Path) -> None:
    template = (
        "{% for m in messages %}<|{{ m['role'] }}|>"
        "{% if m['role'] == 'assistant' and m['train'] %}{% generation %}{{ m['content'] }}"
        "{% endgeneration %}{% else %}{{ m['content'] }}{% endif %}<|end|>"
        "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    (tmp_path / "own.jinja").write_text(template, encoding="utf-8")
    with pytest.raises(TuningError, match="the model would not learn to stop"):
        train(config(tmp_path, tokenizer={"template": str(tmp_path / "own.jinja")}))


def test_a_tokenizer_without_an_end(tmp_path: Path, model_folder: Path) -> None:
    folder = tmp_path / "endless"
    shutil.copytree(model_folder, folder)
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        path = folder / name
        if path.is_file():
            told = json.loads(path.read_text(encoding="utf-8"))
            told.pop("eos_token", None)
            path.write_text(json.dumps(told), encoding="utf-8")
    made = config(tmp_path, model={"path": str(folder)}, tokenizer={})
    with pytest.raises(TuningError, match=r"no end token \(eos_token\)"):
        train(made)


def test_a_run_is_not_overwritten_nor_continued_with_something_else(tmp_path: Path) -> None:
    train(config(tmp_path))
    with pytest.raises(TuningError, match="holds a training run already"):
        train(config(tmp_path))
    with pytest.raises(TuningError, match="begun with another configuration"):
        train(config(tmp_path, seed=9), resume=True)


def test_lora_targets_that_are_not_there(tmp_path: Path) -> None:
    pytest.importorskip("peft")
    with pytest.raises(TuningError, match=r"lora\.targets"):
        train(config(tmp_path, lora={"targets": ["nothing_of_the_kind"]}))


def test_a_context_that_is_too_short(tmp_path: Path, model_folder: Path) -> None:
    made = config(
        tmp_path,
        model={"path": str(model_folder)},
        tokenizer={},
        data={"train": [str(tmp_path / "train.jsonl")], "max_length": 512},
        checkpoints={"choose": "last"},
    )
    with pytest.raises(TuningError, match="the model's context ends at 256"):
        train(made)


def test_a_device_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TuningError, match="the device 'abacus' cannot be used"):
        train(config(tmp_path, device="abacus"))
