"""What was run: written beside the weights, so that a figure can be traced to its data.

In: the work of a run. Out: `run.json` and `trained_on.json`. Clocks and speeds stand in
`run.json` under `measured` alone.
"""

from __future__ import annotations

import hashlib
import json
import platform
import resource
import shutil
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

import worldengine
from worldengine.rollout.files import replace
from worldengine.tuning.checkpoint import State, folders
from worldengine.tuning.errors import TuningError
from worldengine.tuning.rows import Row, starts

if TYPE_CHECKING:
    from worldengine.tuning.train import Work

LIBRARIES = ("torch", "transformers", "tokenizers", "peft", "trl", "numpy")


@dataclass(slots=True)
class Summary:
    """What a run did, with what was measured on this machine."""

    updates: int
    device: str
    chosen: int = 0
    trained_tokens: int = 0
    tokens: int = 0
    validation: dict[str, float] = field(default_factory=dict)
    measured: dict[str, float] = field(default_factory=dict)

    def measure(self, device: torch.device, seconds: float, tokens: int) -> None:
        """Speed and the largest memory taken."""
        self.measured["seconds"] = round(seconds, 1)
        self.measured["tokens_per_second"] = round(tokens / seconds, 1) if seconds else 0.0
        if device.type == "cuda":
            taken = torch.cuda.max_memory_allocated(device)
        else:
            taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self.measured["memory_mib"] = round(taken / 2**20, 1)


def allow(out: Path, resume: bool) -> None:
    """A run that is there is only gone on with when that was asked for."""
    if out.is_file():
        raise TuningError(f"{out} is a file; a training run is a folder")
    if (out / "run.json").exists() and not resume:
        raise TuningError(
            f"{out} holds a training run already; go on with --resume or choose another folder"
        )


def begin_record(work: Work, resume: bool) -> None:
    """`run.json` before the first update. A run may only go on with the same request."""
    begin(work.out, _request(work), resume)


def begin(out: Path, request: dict[str, Any], resume: bool) -> None:
    """The same for any request."""
    path = out / "run.json"
    if resume and path.is_file():
        try:
            there = json.loads(path.read_text(encoding="utf-8")).get("request")
        except ValueError as error:
            raise TuningError(f"{path} cannot be read: {error}") from None
        if there != request:
            raise TuningError(
                f"{out} was begun with another configuration, data or version; "
                "choose another folder"
            )
    _write(path, {"request": request})


def write_record(work: Work, state: State, chosen: int, summary: Summary) -> None:
    """`run.json` of a run that is done; the summary gets its figures, too."""
    summary.chosen = chosen
    summary.trained_tokens, summary.tokens = state.trained_tokens, state.tokens
    summary.validation = state.judged.get(chosen, {})
    told = {
        "request": _request(work),
        "rows": {
            "train": len(work.train),
            "validation": len(work.validation),
            "left_out_as_too_long": work.skipped,
        },
        "parameters": sum(p.numel() for p in work.model.parameters()),
        "trained_parameters": sum(p.numel() for p in work.model.parameters() if p.requires_grad),
        "judged": {str(update): figures for update, figures in sorted(state.judged.items())},
        "chosen": chosen,
        "chosen_by": f"{work.config.checkpoints.choose} on validation rows and starts only",
        "trained_tokens": state.trained_tokens,
        "tokens": state.tokens,
        "machine": {"python": platform.python_version(), "device": _device_name(work.device)},
        "measured": summary.measured,
    }
    _write(work.out / "run.json", told)


def write_model(work: Work, state: State, chosen: int) -> None:
    """The chosen checkpoint as `OUT/model`, without what only training needs."""
    place = next(path for path in folders(work.out) if int(path.name) == chosen)
    target = work.out / "model"
    beside = work.out / "model.part"
    shutil.rmtree(beside, ignore_errors=True)
    ignored = shutil.ignore_patterns("optimizer.safetensors", "state.json")
    shutil.copytree(place, beside, ignore=ignored)
    _write(beside / "trained_on.json", trained_on(work.train, work.validation))
    shutil.rmtree(target, ignore_errors=True)
    beside.rename(target)


def trained_on(train: Any, validation: Any) -> dict[str, Any]:
    """The starts of the rows, by world. Rows that do not say where they come from are
    counted: what was not trained on is then unknown."""
    return {
        "train": _by_world(train),
        "validation": _by_world(validation),
        "rows_of_unknown_starts": sum(row.start is None for row in train),
    }


def _by_world(rows: list[Row]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for world, variant in sorted(starts(rows)):
        found.setdefault(world, []).append(variant)
    return found


def _request(work: Work) -> dict[str, Any]:
    config = work.config
    files = (*config.data.train, *config.data.validation)
    return {
        "program": worldengine.__version__,
        "config": config.model_dump(mode="json"),
        "data": {name: digest(Path(name)) for name in files},
        "libraries": versions(),
        "updates": len(work.updates),
    }


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def versions() -> dict[str, str]:
    """The libraries that weights depend on, as installed."""
    found: dict[str, str] = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)


def _write(path: Path, value: object) -> None:
    replace(path, json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n")


def as_told(summary: Summary) -> dict[str, Any]:
    """For `--json`."""
    return asdict(summary)
