"""`check` and `solve` as values: compile, lint, verdict.

In: paths of scripts, a budget. Out: a `Report` a script, in the order given, whose `document`
has the contract's keys. Several scripts are checked in processes of their own, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import InputError, read
from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.telling.complaints import complaints
from worldengine.modelcheck.telling.hearing import telling_refusals, unanswering_forms
from worldengine.modelcheck.telling.lines import told
from worldengine.modelcheck.telling.lint import lint
from worldengine.modelcheck.telling.stopping import SECONDS, stopping_numbers
from worldengine.modelcheck.telling.unfinished import Gap, unfinished
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.modelcheck.verdicts.document import to_document
from worldengine.modelcheck.verdicts.examine import examined
from worldengine.modelcheck.verdicts.verdict import Verdict
from worldengine.processes import worker_pool
from worldengine.source import Source

WORKERS = 2
LEAST = 0.05
"""Share of the time for dead ends and guesses where the verdict has used up the rest."""


@dataclass(frozen=True, slots=True)
class Report:
    """One script. `told` are lines for people that the table has no room for, `gaps` those
    about what was not searched."""

    path: Path
    diagnostics: tuple[Diagnostic, ...]
    document: dict[str, Any]
    told: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()

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
    with worker_pool(min(workers, len(paths))) as pool:
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
    verdict: Verdict | None = None
    gaps: tuple[Gap, ...] = ()
    if compilation.machine is not None:
        verdict = judge(compilation.machine, budget)
        said, whole = _judged(compilation.machine, verdict, script.source, budget.seconds / 20)
        found, gaps = found + said, unfinished(verdict, whole)
    counts = dict(compilation.counts)
    return _report(path, found, compilation.machine, verdict, counts, strict, gaps)


def judge(machine: Machine, budget: Budget) -> Verdict:
    """The whole verdict: can it be won, does it need a guess, where are dead ends. At least
    three tenths of the time are kept for the two latter, and a tenth for what is told of it."""
    left = clock(budget.seconds * 0.9)
    verdict = decide(machine, replace(budget, seconds=budget.seconds * 0.6))
    return examined(verdict, replace(budget, seconds=max(left.left, budget.seconds * LEAST)))


def judged(
    machine: Machine, verdict: Verdict, source: Source, seconds: float = SECONDS
) -> list[Diagnostic]:
    """What the verdict and the whole Machine give to complain about, in order of place. Numbers
    that stop are looked for as long as `seconds`."""
    return _judged(machine, verdict, source, seconds)[0]


def _judged(
    machine: Machine, verdict: Verdict, source: Source, seconds: float
) -> tuple[list[Diagnostic], bool]:
    """As `judged`; and whether the time was enough for numbers that stop."""
    found = [*complaints(machine, verdict, source), *lint(machine, source)]
    found += [*unanswering_forms(machine, source), *telling_refusals(machine, source)]
    stopping, whole = stopping_numbers(machine, verdict, source, seconds)
    found += stopping
    found.sort(key=lambda item: (item.span.source.name, item.span.start, item.id))
    return found, whole


def solve_file(path: Path, budget: Budget, variant: int | None = None) -> dict[str, Any] | None:
    """How one script is won, as a verdict's document; None if it does not compile. All of the
    budget goes into shorter plans: dead ends and guesses are for `check`. With a `variant` it
    is about that start alone. `plan_variant` is the start that `plan` is for. InputError where
    there is no such start."""
    script = read(path)
    machine = None if script.problem is not None else compile_source(script.source).machine
    if machine is None:
        return None
    last = len(machine.variants) - 1
    if variant is not None and not 0 <= variant <= last:
        raise InputError(f"{machine.name} has variants 0 to {last}, not {variant}")
    verdict = decide(machine, budget, shortest=True, variant=variant)
    return to_document(verdict) | {"plan_variant": verdict.variants[0].variant}


def _report(
    path: Path,
    diagnostics: list[Diagnostic],
    machine: Machine | None,
    verdict: Verdict | None,
    counts: dict[str, int],
    strict: bool,
    gaps: tuple[Gap, ...] = (),
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
        "unfinished": [asdict(gap) for gap in gaps],
    }
    lines = told(verdict) if verdict is not None else ()
    return Report(path, tuple(diagnostics), document, lines, tuple(gap.text for gap in gaps))


def _proofs(machine: Machine | None, verdict: Verdict | None) -> dict[str, int] | None:
    """How far the world's own proofs go."""
    if machine is None or verdict is None:
        return None
    won = sum(each.by == "proof" for each in verdict.variants)
    return {"proofs": len(machine.proofs), "variants": len(machine.variants), "won": won}


def plans_line(reports: Sequence[Report]) -> str | None:
    """What people are told of plans in a table of several worlds."""
    verdicts = [report.document["verdict"] or {} for report in reports]
    plans = [verdict for verdict in verdicts if verdict.get("plan")]
    open_ = sum(not verdict["optimal"] for verdict in plans)
    if not open_:
        return None
    return (
        f"plans: {open_} of {len(plans)} are not proven shortest: shorter plays may exist"
        " (`worldengine solve FILE` looks for them)"
    )


def table_rows(reports: Sequence[Report]) -> list[list[str]]:
    """A row a script for people, heads first. Whether a guess is needed stands in it where
    some world has several starts."""
    asked = any((r.document["verdict"] or {}).get("discovery") for r in reports)
    rows = [["world", "verdict", "plan", "variants", "warnings"]]
    if asked:
        rows[0].insert(4, "by what it tells")
    for report in reports:
        verdict = report.document["verdict"]
        warnings = sum(item.severity == "warning" for item in report.diagnostics)
        row = [report.path.stem, "does not compile", "", "", str(warnings)]
        if verdict is not None:
            won = sum(each["status"] == "winnable" for each in verdict["variants"])
            plan = verdict["plan_length"]
            row[1] = verdict["status"]
            row[2] = "" if plan is None else str(plan)
            row[3] = f"{won}/{len(verdict['variants'])}"
        if asked:
            row.insert(4, (verdict or {}).get("discovery") or "")
        rows.append(row)
    return rows
