"""`check` and `solve` as values: compile, lint, verdict.

In: paths of scripts, a budget. Out: a `Report` a script, in the order given, whose `document`
has the contract's keys. Several scripts are checked in processes of their own, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import read
from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.complaints import complaints
from worldengine.modelcheck.lint import lint
from worldengine.modelcheck.verdict import Verdict, decide, to_document
from worldengine.source import Source

WORKERS = 2


@dataclass(frozen=True, slots=True)
class Report:
    """One script. `machine` and `verdict` are None where it does not compile."""

    path: Path
    diagnostics: tuple[Diagnostic, ...]
    document: dict[str, Any]

    @property
    def ok(self) -> bool:
        return bool(self.document["ok"])


def check_all(
    paths: Sequence[Path], budget: Budget, strict: bool = False, workers: int = WORKERS
) -> Iterator[Report]:
    """A report for every script; more than one at a time where there are several."""
    if len(paths) < 2 or workers < 2:
        for path in paths:
            yield check_file(path, budget, strict)
        return
    with ProcessPoolExecutor(min(workers, len(paths)), mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(check_file, path, budget, strict) for path in paths]
        for job in jobs:
            yield job.result()


def check_file(path: Path, budget: Budget, strict: bool = False) -> Report:
    """One script: compiled, linted, decided."""
    script = read(path)
    if script.problem is not None:
        return _report(path, [script.problem], None, None, {}, strict)
    compilation = compile_source(script.source)
    found = list(compilation.diagnostics)
    verdict = None
    if compilation.machine is not None:
        verdict = decide(compilation.machine, budget)
        found += judged(compilation.machine, verdict, script.source)
    return _report(path, found, compilation.machine, verdict, dict(compilation.counts), strict)


def judged(machine: Machine, verdict: Verdict, source: Source) -> list[Diagnostic]:
    """What the verdict and the whole Machine give to complain about, in order of place."""
    found = [*complaints(machine, verdict, source), *lint(machine, source)]
    return sorted(found, key=lambda item: (item.span.source.name, item.span.start, item.id))


def solve_file(path: Path, budget: Budget) -> dict[str, Any] | None:
    """The verdict on one script as a document, None if it does not compile."""
    script = read(path)
    machine = None if script.problem is not None else compile_source(script.source).machine
    if machine is None:
        return None
    return to_document(decide(machine, budget, proofs=True, shortest=True))


def _report(
    path: Path,
    diagnostics: list[Diagnostic],
    machine: Machine | None,
    verdict: Verdict | None,
    counts: dict[str, int],
    strict: bool,
) -> Report:
    wanting = ("error", "warning") if strict else ("error",)
    document = {
        "file": str(path),
        "ok": not any(item.severity in wanting for item in diagnostics),
        "hash": machine.hash if machine is not None else None,
        "diagnostics": [to_json(item) for item in diagnostics],
        "verdict": to_document(verdict) if verdict is not None else None,
        "counts": counts,
        "proofs": _proofs(machine, verdict),
    }
    return Report(path, tuple(diagnostics), document)


def _proofs(machine: Machine | None, verdict: Verdict | None) -> dict[str, int] | None:
    """How far the world's own proofs go."""
    if machine is None or verdict is None:
        return None
    won = sum(each.by == "proof" for each in verdict.variants)
    return {"proofs": len(machine.proofs), "variants": len(machine.variants), "won": won}


def table_rows(reports: Sequence[Report]) -> list[list[str]]:
    """A row a script for people, heads first."""
    rows = [["world", "verdict", "plan", "variants", "warnings"]]
    for report in reports:
        verdict = report.document["verdict"]
        warnings = sum(item.severity == "warning" for item in report.diagnostics)
        if verdict is None:
            rows.append([report.path.stem, "does not compile", "", "", str(warnings)])
            continue
        won = sum(each["status"] == "winnable" for each in verdict["variants"])
        plan = verdict["plan_length"]
        rows.append(
            [
                report.path.stem,
                verdict["status"],
                "" if plan is None else str(plan),
                f"{won}/{len(verdict['variants'])}",
                str(warnings),
            ]
        )
    return rows
