"""What a report is made of: folders, told apart by what lies in them.

In: paths. Out: what each holds. `manifest.json` makes a run, `run.json` a training run,
`report.json` an evaluation, `results.json` an experiment; a folder may be several of them.
Nothing that a file names is imported, executed or fetched. Refused: folders that hold none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worldengine.documents import DocumentError, json_of
from worldengine.rollout.storage import Run
from worldengine.tuning.log import read as read_log

LIMIT = 64 * 1024 * 1024


class ReportError(ValueError):
    """There is nothing to report on; the message is for people."""


@dataclass(slots=True)
class Training:
    """A training run: its record and the rows of its log."""

    name: str
    record: dict[str, Any]
    log: list[dict[str, str]]


@dataclass(slots=True)
class Found:
    """Everything that the folders hold, in the order they were named."""

    runs: list[tuple[str, Run]] = field(default_factory=list)
    trainings: list[Training] = field(default_factory=list)
    evaluations: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    experiments: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def find(paths: list[Path]) -> Found:
    """See the module. Inside an experiment its training runs are found, too."""
    found = Found()
    for path in paths:
        if not path.is_dir():
            raise ReportError(f"{path} is no folder; name runs, training runs or evaluations")
        if not _look(found, path):
            raise ReportError(
                f"{path} holds nothing to report on: no manifest.json, run.json, report.json or "
                "results.json"
            )
    return found


def _look(found: Found, path: Path) -> bool:
    before = _count(found)
    if (path / "manifest.json").is_file():
        found.runs.append((str(path), Run(path)))
    if (path / "run.json").is_file():
        training = Training(str(path), _json(path / "run.json"), read_log(path / "log.csv"))
        found.trainings.append(training)
    if (path / "report.json").is_file():
        found.evaluations.append((str(path), _json(path / "report.json")))
    if (path / "results.json").is_file():
        found.experiments.append((str(path), _json(path / "results.json")))
        for inner in sorted((path / "runs").glob("*/*/seed-*")):
            _look(found, inner)
    return _count(found) > before


def _count(found: Found) -> int:
    kinds = (found.runs, found.trainings, found.evaluations, found.experiments)
    return sum(len(kind) for kind in kinds)


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json_of(path, LIMIT)
    except DocumentError as error:
        raise ReportError(str(error)) from None
    if not isinstance(value, dict):
        raise ReportError(f"{path} is not what `worldengine` writes under that name")
    return value
