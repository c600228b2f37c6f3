"""DPO on exported pairs, through TRL.

In: rows of `export --to dpo` (`prompt`, `chosen`, `rejected`, each a list of messages), the
configuration of any run. Out: the same folder as `train` writes, with TRL's figures in
`log.csv`. The trainer is TRL's own; what is ours is that everything is checked first, that
seeds and lengths are those of the configuration, and that starts stay apart. A run that was
stopped goes on from TRL's own last whole checkpoint, in `OUT/trl`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

import worldengine
from worldengine.rollout.files import replace
from worldengine.tuning.checkpoint import save_model
from worldengine.tuning.config import TrainConfig
from worldengine.tuning.errors import TuningError
from worldengine.tuning.models import device_of, model_of, tokenizer_of
from worldengine.tuning.record import Summary, allow, begin, digest, trained_on, versions
from worldengine.tuning.rows import Row, check_held_out, lines, start_of

FIELDS = ("prompt", "chosen", "rejected")
STATE = "trainer_state.json"
COLUMNS = {
    "update": "step",
    "loss": "loss",
    "preferred": "rewards/accuracies",
    "margin": "rewards/margins",
    "rate": "learning_rate",
}
"""Columns of `log.csv`, and what TRL calls them."""


Progress = Callable[[int, int], None]


def prefer(
    config: TrainConfig, *, resume: bool = False, progress: Progress | None = None
) -> Summary:
    """The whole run. TuningError before the first update."""
    out = Path(config.out)
    allow(out, resume)
    if config.model.path is None:
        raise TuningError("preferences are learnt by a model that can play already: model.path")
    import trl  # noqa: F401  (said to be missing before anything is read)

    if config.log.tensorboard:
        import_module("torch.utils.tensorboard")

    device = device_of(config.device)
    tokenizer = tokenizer_of(config, marks=False)
    pairs = read(config.data.train)
    held_out = read(config.data.validation) if config.data.validation else []
    check_held_out([_row(each) for each in pairs], [_row(each) for each in held_out])
    _check_lengths(pairs, tokenizer, config)
    model = model_of(config, tokenizer, device)
    out.mkdir(parents=True, exist_ok=True)
    begin(out, _request(config), resume)
    began = time.perf_counter()
    trainer = _trainer(config, model, tokenizer, pairs, held_out)
    if progress is not None:
        trainer.add_callback(_showing(progress))
    there = _last_whole(out / "trl") if resume else None
    trainer.train(resume_from_checkpoint=None if there is None else str(there))
    summary = Summary(updates=trainer.state.global_step, device=str(device))
    summary.chosen = trainer.state.global_step
    summary.measure(device, time.perf_counter() - began, int(trainer.state.num_input_tokens_seen))
    if held_out:
        summary.validation = {
            name.removeprefix("eval_"): float(value)
            for name, value in trainer.evaluate().items()
            if name in ("eval_loss", "eval_rewards/accuracies")
        }
    _write(config, out, trainer, tokenizer, pairs, held_out, summary)
    return summary


def _request(config: TrainConfig) -> dict[str, Any]:
    files = (*config.data.train, *config.data.validation)
    return {
        "program": worldengine.__version__,
        "config": config.model_dump(mode="json"),
        "data": {name: digest(Path(name)) for name in files},
        "libraries": versions(),
    }


def _last_whole(folder: Path) -> Path | None:
    """The last checkpoint that was written to its end: the state of the trainer comes last."""
    found = [
        path
        for path in folder.glob("checkpoint-*")
        if path.name.removeprefix("checkpoint-").isdigit() and (path / STATE).is_file()
    ]
    return max(found, key=lambda path: int(path.name.removeprefix("checkpoint-")), default=None)


def _showing(progress: Progress) -> Any:
    from transformers import TrainerCallback

    class Showing(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            progress(state.global_step, state.max_steps)

    return Showing()


def read(paths: Sequence[str]) -> list[dict[str, Any]]:
    """The pairs of the files, checked for their form."""
    found: list[dict[str, Any]] = []
    for where, value in lines(paths, FIELDS):
        for name in FIELDS:
            messages = value.get(name)
            if not isinstance(messages, list) or not messages:
                raise TuningError(
                    f"{where}: `{name}` is no list of messages; write such rows with "
                    "`worldengine export --to dpo`"
                )
        found.append(value)
    if not found:
        raise TuningError(f"there is no pair to learn from in {', '.join(paths)}")
    return found


def _row(pair: dict[str, Any]) -> Row:
    return Row(str(pair.get("id", "")), (), (), start_of(pair))


def _check_lengths(pairs: Sequence[dict[str, Any]], tokenizer: Any, config: TrainConfig) -> None:
    for number, pair in enumerate(pairs, start=1):
        longest = max((pair["chosen"], pair["rejected"]), key=lambda said: len(str(said)))
        ids = tokenizer.apply_chat_template([*pair["prompt"], *longest], return_dict=True)
        if len(ids["input_ids"]) > config.data.max_length:
            raise TuningError(
                f"pair {number} has {len(ids['input_ids'])} tokens and the context is "
                f"{config.data.max_length}; raise data.max_length"
            )


def _trainer(
    config: TrainConfig, model: Any, tokenizer: Any, pairs: Sequence[Any], held_out: Sequence[Any]
) -> Any:
    from datasets import Dataset
    from trl import DPOConfig, DPOTrainer

    def table(rows: Sequence[Any]) -> Any:
        return Dataset.from_list([{name: row[name] for name in FIELDS} for row in rows])

    if config.length.trained_tokens is not None:
        raise TuningError("a run by preferences has epochs or updates, not trained_tokens")
    settings = DPOConfig(
        output_dir=str(Path(config.out) / "trl"),
        per_device_train_batch_size=config.batch.rows,
        max_steps=config.length.updates or -1,
        num_train_epochs=config.length.epochs or 1,
        learning_rate=config.optimizer.rate,
        lr_scheduler_type="cosine",
        warmup_steps=config.optimizer.warmup,
        weight_decay=config.optimizer.weight_decay,
        adam_beta1=config.optimizer.beta1,
        adam_beta2=config.optimizer.beta2,
        max_grad_norm=config.optimizer.clip,
        beta=config.preference.beta,
        max_length=config.data.max_length,
        seed=config.seed,
        logging_steps=config.log.every,
        save_strategy="steps",
        save_steps=config.checkpoints.every,
        save_total_limit=config.checkpoints.keep,
        report_to=["tensorboard"] if config.log.tensorboard else [],
        bf16=config.bf16,
        fp16=False,
        use_cpu=str(device_of(config.device)) == "cpu",
        gradient_checkpointing=config.gradient_checkpointing,
        disable_tqdm=True,
    )
    return DPOTrainer(
        model=model,
        args=settings,
        train_dataset=table(pairs),
        eval_dataset=table(held_out) if held_out else None,
        processing_class=tokenizer,
    )


def _write(
    config: TrainConfig,
    out: Path,
    trainer: Any,
    tokenizer: Any,
    pairs: Sequence[dict[str, Any]],
    held_out: Sequence[dict[str, Any]],
    summary: Summary,
) -> None:
    """The model, what it was made of, TRL's figures."""
    save_model(out / "model", trainer.model, tokenizer)
    told = trained_on([_row(each) for each in pairs], [_row(each) for each in held_out])
    replace(out / "model" / "trained_on.json", _json(told))
    rows = [each for each in trainer.state.log_history if "loss" in each]
    text = [",".join(COLUMNS)]
    text += [",".join(_cell(row.get(name)) for name in COLUMNS.values()) for row in rows]
    replace(out / "log.csv", ("\n".join(text) + "\n").encode())
    record = {
        "request": _request(config),
        "pairs": len(pairs),
        "validation": summary.validation,
        "machine": {"torch_threads": torch.get_num_threads(), "device": summary.device},
        "measured": summary.measured,
    }
    replace(out / "run.json", _json(record))


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{float(value):.6g}"
