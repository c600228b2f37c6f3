"""`worldengine train`: refinement tuning as a TOML file says."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldengine.cli.printing import document, out, say
from worldengine.cli.progress import Progress, progress_of
from worldengine.cli.quiet import quiet_libraries
from worldengine.outputs import refuse_folder
from worldengine.tuning.config import TrainConfig, load

if TYPE_CHECKING:
    from worldengine.tuning.record import Summary


def run(arguments: argparse.Namespace) -> int:
    """Status 0 when the run is done."""
    config = _config(arguments)
    refuse_folder(Path(config.out))
    quiet_libraries()
    if arguments.check:
        return _check(config, arguments.json)
    with progress_of("updates") as progress:
        summary = _trained(config, arguments.resume, progress)
    from worldengine.tuning.record import as_told

    if arguments.json:
        document(as_told(summary) | {"out": config.out})
    else:
        told = ", ".join(f"{name} {value:.4g}" for name, value in summary.validation.items())
        out(
            f"{summary.updates} updates, {summary.trained_tokens} trained tokens of "
            f"{summary.tokens}; chosen: update {summary.chosen}"
            f"{f' (validation: {told})' if told else ''}; model in {config.out}/model"
        )
        measured = summary.measured
        say(
            f"{measured['seconds']} s, {measured['tokens_per_second']:.0f} tokens/s on "
            f"{summary.device}, {measured['memory_mib']:.0f} MiB"
        )
    return 0


def _trained(config: TrainConfig, resume: bool, progress: Progress) -> Summary:
    if config.method == "dpo":
        from worldengine.tuning.preference import prefer

        return prefer(config, resume=resume, progress=progress)
    from worldengine.tuning.train import train

    return train(config, resume=resume, success=_player(config), progress=progress)


def _config(arguments: argparse.Namespace) -> TrainConfig:
    config = load(Path(arguments.config))
    changes: dict[str, Any] = {}
    if arguments.out is not None:
        changes["out"] = arguments.out
    if arguments.seed is not None:
        changes["seed"] = arguments.seed
    return config.model_copy(update=changes)


def _check(config: TrainConfig, as_json: bool) -> int:
    from worldengine.tuning.train import prepared

    work = prepared(config)
    told = {
        "rows": len(work.train),
        "validation_rows": len(work.validation),
        "left_out_as_too_long": work.skipped,
        "updates": len(work.updates),
        "longest_row": max(len(row.input_ids) for row in work.train),
        "trained_tokens": sum(work.train[n].trained for update in work.updates for n in update),
        "parameters": sum(p.numel() for p in work.model.parameters()),
        "device": str(work.device),
    }
    if as_json:
        document(told)
    else:
        out(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items()))
    return 0


def _player(config: TrainConfig) -> Any:
    """How the validation starts are played, where checkpoints are chosen by success."""
    if config.validation is None:
        return None
    from worldengine.cli.worlds import under_test
    from worldengine.evaluation.validation import success

    section = config.validation
    return success(under_test(section.worlds), section.part, section.starts, config.device)
