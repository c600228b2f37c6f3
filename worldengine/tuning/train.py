"""`train`: one readable loop.

In: a configuration; optionally a way to play the validation starts. Out: a folder:

```
OUT/model/           the chosen checkpoint: what to hand to `--player hf:OUT/model`
OUT/model/trained_on.json   where its rows were played, so that evaluation can tell what is new
OUT/checkpoints/     what a run needs to go on
OUT/log.csv          figures by update
OUT/run.json         what was run: configuration, hashes of the data, versions, what was chosen
```

Everything that can be wrong is found before the first update. Equal configurations and data
give equal weights on one machine. Checkpoints are judged on validation rows and starts alone;
no test start is ever looked at here.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from worldengine.tuning import checkpoint
from worldengine.tuning.config import TrainConfig
from worldengine.tuning.errors import TuningError
from worldengine.tuning.log import Log
from worldengine.tuning.models import device_of, model_of, tokenizer_of
from worldengine.tuning.probe import check_rows_stay_apart
from worldengine.tuning.record import Summary, allow, begin_record, write_model, write_record
from worldengine.tuning.rows import Row, check_held_out, tokenised
from worldengine.tuning.schedule import Update, plan, rate
from worldengine.tuning.step import gradients, mean_loss, optimizer_of

Success = Callable[[Path], float]
"""Plays the validation starts with the model in a folder: the share that was won."""
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Work:
    """All that a run works with once everything was found in order."""

    config: TrainConfig
    out: Path
    device: torch.device
    tokenizer: Any
    model: Any
    optimizer: Any
    train: Sequence[Row]
    validation: Sequence[Row]
    updates: Sequence[Update]
    skipped: int

    @property
    def pad(self) -> int:
        return int(self.tokenizer.pad_token_id)


def train(
    config: TrainConfig,
    *,
    resume: bool = False,
    success: Success | None = None,
    progress: Progress | None = None,
) -> Summary:
    """The whole run; see the module. TuningError before the first update."""
    if config.checkpoints.choose == "success" and success is None:
        raise TuningError("checkpoints are chosen by success, and nothing here can play")
    out = Path(config.out)
    allow(out, resume)
    work = prepared(config)
    out.mkdir(parents=True, exist_ok=True)
    begin_record(work, resume)
    state = checkpoint.State()
    there = checkpoint.folders(out)
    if resume and there:
        state = checkpoint.load(there[-1], work.model, work.optimizer)
    summary = _loop(work, state, success, progress)
    chosen = checkpoint.best(config.checkpoints.choose, state)
    write_model(work, state, chosen)
    write_record(work, state, chosen, summary)
    return summary


def prepared(config: TrainConfig) -> Work:
    """Everything read, made and checked."""
    device = device_of(config.device)
    if config.log.tensorboard:
        import_module("torch.utils.tensorboard")  # said to be missing before anything begins
    if config.threads:
        torch.set_num_threads(config.threads)
    if device.type == "cpu":
        torch.use_deterministic_algorithms(True)
        # Nothing here reads memory before it is written; filling it first costs much time.
        torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    tokenizer = tokenizer_of(config)
    model = model_of(config, tokenizer, device)
    vocabulary = model.get_input_embeddings().weight.shape[0]
    longest = config.data.max_length
    skip = config.data.too_long == "skip"
    rows, skipped = tokenised(config.data.train, tokenizer, longest, vocabulary, skip)
    held_out: list[Row] = []
    if config.data.validation:
        held_out, more = tokenised(config.data.validation, tokenizer, longest, vocabulary, skip)
        skipped += more
        check_held_out(rows, held_out)
    check_rows_stay_apart(model, rows, config, int(tokenizer.pad_token_id), device)
    updates = plan(rows, config.length, config.batch.rows, config.seed)
    optimizer = optimizer_of(model, config.optimizer)
    model.train()
    torch.manual_seed(config.seed)
    return Work(
        config,
        Path(config.out),
        device,
        tokenizer,
        model,
        optimizer,
        rows,
        held_out,
        updates,
        skipped,
    )


def _loop(
    work: Work, state: checkpoint.State, success: Success | None, progress: Progress | None
) -> Summary:
    """From where `state` is to the end of the plan."""
    config, total = work.config, len(work.updates)
    log = Log(work.out, state.updates or -1, config.log.tensorboard)
    summary = Summary(updates=total, device=str(work.device))
    began, before = time.perf_counter(), state.tokens
    if state.updates == 0:
        _judge(work, state, success, log, first=True)
    try:
        for number in range(state.updates, total):
            rows = [work.train[row] for row in work.updates[number]]
            speed = rate(config.optimizer, number, total)
            loss, norm = _update(work, rows, speed)
            state.updates = number + 1
            state.tokens += sum(len(row.input_ids) for row in rows)
            state.trained_tokens += sum(row.trained for row in rows)
            last = state.updates == total
            if state.updates % config.log.every == 0 or last:
                log.write(
                    {
                        "update": state.updates,
                        "trained_tokens": state.trained_tokens,
                        "tokens": state.tokens,
                        "loss": loss,
                        "rate": speed,
                        "gradient": norm,
                    }
                )
            if state.updates % config.checkpoints.every == 0 or last:
                _judge(work, state, success, log)
            if progress is not None:
                progress(state.updates, total)
    finally:
        log.close()
    summary.measure(work.device, time.perf_counter() - began, state.tokens - before)
    return summary


def _update(work: Work, rows: Sequence[Row], speed: float) -> tuple[float, float]:
    """One step of the optimizer; the loss and the norm of the gradient before clipping."""
    for group in work.optimizer.param_groups:
        group["lr"] = speed
    work.optimizer.zero_grad(set_to_none=True)
    loss = gradients(work.model, rows, work.config, work.pad, work.device)
    parameters = [p for p in work.model.parameters() if p.requires_grad]
    norm = float(torch.nn.utils.clip_grad_norm_(parameters, work.config.optimizer.clip))
    work.optimizer.step()
    return loss, norm


def _judge(
    work: Work,
    state: checkpoint.State,
    success: Success | None,
    log: Log,
    first: bool = False,
) -> None:
    """A checkpoint and its validation figures. The untrained model is judged, too, for the
    record, and never chosen."""
    figures: dict[str, float] = {}
    if work.validation:
        figures["loss"] = mean_loss(work.model, work.validation, work.config, work.pad, work.device)
    if first:
        if figures:
            log.write({"update": 0, "validation_loss": figures["loss"]})
        return
    if success is not None and work.config.checkpoints.choose == "success":
        trial = work.out / "trial"
        work.model.eval()
        checkpoint.save_model(trial, work.model, work.tokenizer)
        figures["success"] = success(trial)
        work.model.train()
        shutil.rmtree(trial)
    if figures:
        state.judged[state.updates] = {"loss": float("inf")} | figures
        log.write(
            {"update": state.updates, "trained_tokens": state.trained_tokens}
            | {f"validation_{name}": value for name, value in figures.items()}
        )
    checkpoint.save(work.out, work.model, work.tokenizer, work.optimizer, state)
    checkpoint.prune(
        work.out,
        work.config.checkpoints.keep,
        checkpoint.best(work.config.checkpoints.choose, state),
    )
