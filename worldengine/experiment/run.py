"""`experiment`: every arm trained with every seed and tested on the same starts.

In: a configuration, worlds for training, worlds for testing. Out: a folder:

```
OUT/corpus/                     the episodes and every arm's rows
OUT/tokenizer/                  one for all arms, where they are trained from scratch
OUT/runs/MATCH/ARM/seed-S/      a training run, as `train` writes it
OUT/played/                     every tested episode, as runs that verify
OUT/results.json  table.md      one table, null results included
```

What is there is not done again: a stopped experiment goes on where it was. Test starts are
played once every training is done, and chose nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import worldengine
from worldengine.evaluation.playing import World
from worldengine.experiment.config import ExperimentConfig, Match
from worldengine.experiment.corpus import Files, make
from worldengine.experiment.results import table
from worldengine.experiment.testing import Trained, enough, named, tested, with_test_starts
from worldengine.rollout.files import replace
from worldengine.tuning.config import Data, Length, TokenizerSection, TrainConfig
from worldengine.tuning.errors import TuningError
from worldengine.tuning.record import Summary

Say = Callable[[str], None]
Progress = Callable[[int, int], None]


def experiment(
    config: ExperimentConfig,
    train_worlds: Sequence[World],
    other_worlds: Mapping[str, Sequence[World]],
    *,
    say: Say = lambda text: None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The whole experiment; see the module. `other_worlds` are those that nothing is trained
    on, by split: `worlds`, `family`."""
    tests = {"starts": with_test_starts(train_worlds), **other_worlds}
    names: dict[str, str] = {}
    for split in config.test.splits:
        enough(split, tests[split], config)
        names[split] = named(split, train_worlds, tests[split])
    out = Path(config.out)
    _same(config, out)
    files = make(config, [world.machine for world in train_worlds], say)
    trained: list[Trained] = []
    for match in config.match:
        for seed in config.seeds:
            trained += _arms(config, match, seed, files, say, progress)
    untrained = _untrained(config)
    rows: list[dict[str, Any]] = []
    for split in config.test.splits:
        rows += tested(config, split, names[split], tests[split], trained, untrained, say)
    results = {
        "format": 1,
        "program": worldengine.__version__,
        "config": config.model_dump(mode="json"),
        "rows": rows,
        "arms": {name: each.rows for name, each in files.items()},
        "worlds": {
            name: {"worlds": len(worlds), "shapes": len({w.machine.shape for w in worlds})}
            for name, worlds in (
                ("trained on", train_worlds),
                *((names[split], tests[split]) for split in config.test.splits),
            )
        },
    }
    replace(out / "results.json", json.dumps(results, indent=1, ensure_ascii=False).encode())
    replace(out / "table.md", table(results).encode())
    return results


def _same(config: ExperimentConfig, out: Path) -> None:
    """A folder belongs to one experiment; seeds and arms may be added to it."""
    path = out / "experiment.json"
    grows = {"arms", "seeds", "match", "test"}
    request = {k: v for k, v in config.model_dump(mode="json").items() if k not in grows}
    if path.is_file():
        if json.loads(path.read_text(encoding="utf-8")) != request:
            raise TuningError(f"{out} holds another experiment; choose another folder")
        return
    out.mkdir(parents=True, exist_ok=True)
    replace(path, json.dumps(request, indent=1).encode())


def _arms(
    config: ExperimentConfig,
    match: Match,
    seed: int,
    files: dict[str, Files],
    say: Say,
    progress: Progress | None,
) -> list[Trained]:
    """All arms with one seed. The first one's trained tokens are what others get."""
    found: list[Trained] = []
    for arm in config.arms:
        length = config.length
        if match == "trained_tokens" and found:
            length = Length(trained_tokens=found[0].trained_tokens)
        out = Path(config.out) / "runs" / match / arm.name / f"seed-{seed}"
        summary = _train(_settings(config, files[arm.name], out, seed, length), progress)
        found.append(Trained(match, arm, seed, out / "model", summary.trained_tokens))
        say(
            f"{arm.name}, seed {seed}: {summary.updates} updates, {summary.trained_tokens} "
            "trained tokens"
        )
    return found


def _train(settings: TrainConfig, progress: Progress | None) -> Summary:
    """Trains, goes on, or reads what was trained."""
    from worldengine.tuning.train import train

    record = Path(settings.out) / "run.json"
    if record.is_file():
        told = json.loads(record.read_text(encoding="utf-8"))
        if "chosen" in told:
            return Summary(
                updates=told["request"]["updates"],
                device=told["machine"]["device"],
                chosen=told["chosen"],
                trained_tokens=told["trained_tokens"],
                tokens=told["tokens"],
            )
    return train(settings, resume=record.is_file(), progress=progress)


def _settings(
    config: ExperimentConfig, files: Files, out: Path, seed: int, length: Length
) -> TrainConfig:
    home = Path(config.out) / "tokenizer"
    tokenizer = config.tokenizer
    if config.model.scratch is not None and tokenizer.path is None:
        _shared_tokenizer(config, home)
        tokenizer = TokenizerSection(path=str(home), template=tokenizer.template)
    return TrainConfig(
        out=str(out),
        seed=seed,
        device=config.device,
        threads=config.threads,
        bf16=config.bf16,
        gradient_checkpointing=config.gradient_checkpointing,
        data=Data(
            train=(str(files.train),),
            validation=(str(files.validation),),
            max_length=config.max_length,
        ),
        model=config.model,
        tokenizer=tokenizer,
        lora=config.lora,
        batch=config.batch,
        loss=config.loss,
        optimizer=config.optimizer,
        length=length,
        checkpoints=config.checkpoints,
        log=config.log,
    )


def _shared_tokenizer(config: ExperimentConfig, home: Path) -> None:
    """One tokenizer for all arms, from the first arm's rows: it is not what is compared."""
    if home.is_dir():
        return
    from worldengine.tuning.models import trained_tokenizer

    rows = Path(config.out) / "corpus" / "rows" / f"train-{config.arms[0].name}.jsonl"
    trained_tokenizer((str(rows),), config.tokenizer.vocabulary).save_pretrained(home)


def _untrained(config: ExperimentConfig) -> Path | None:
    """The model before its first update, as a folder; None where it is not tested."""
    if not config.test.untrained:
        return None
    from worldengine.tuning.checkpoint import save_model
    from worldengine.tuning.models import device_of, model_of, tokenizer_of

    out = Path(config.out) / "untrained"
    if not out.is_dir():
        files = Path(config.out) / "corpus" / "rows" / f"train-{config.arms[0].name}.jsonl"
        seed = config.seeds[0]
        settings = _settings(config, Files(files, files, 0), out, seed, config.length)
        settings = settings.model_copy(update={"lora": None})
        tokenizer = tokenizer_of(settings)
        save_model(out, model_of(settings, tokenizer, device_of("cpu")), tokenizer)
    return out
