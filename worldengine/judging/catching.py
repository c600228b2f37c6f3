"""How many spoilt copies of a world the judging of it would notice.

In: a world, its evidence, a budget for each copy. Out: for each mutant by what it was caught
(compiler, expectation, play, lint), or that it was not. A mutant whose Machine is the
original's is no mutant. What alarms on the original already counts against the judging: it
is its false alarm, and catches nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldengine.compiler import compile_source
from worldengine.judging.lints import says_lints
from worldengine.judging.mutants import KINDS, Mutant, mutants, neutral
from worldengine.judging.report import ALARMING, Evidence, judge_source, tried
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.report import judged
from worldengine.modelcheck.verdict import decide
from worldengine.source import Source

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Tried:
    """`by` is "" where nobody noticed."""

    mutant: Mutant
    by: str


@dataclass(frozen=True, slots=True)
class Catch:
    """`false_alarms` are those of the world as it is."""

    tried: tuple[Tried, ...]
    same: int
    false_alarms: tuple[str, ...]

    @property
    def caught(self) -> int:
        return sum(bool(each.by) for each in self.tried)

    def told(self) -> dict[str, Any]:
        by = sorted({each.by for each in self.tried if each.by})
        return {
            "mutants": len(self.tried),
            "caught": self.caught,
            "same_machine": self.same,
            "by": {name: sum(each.by == name for each in self.tried) for name in by},
            "kinds": {
                kind: [sum(bool(e.by) for e in group), len(group)]
                for kind in KINDS
                if (group := [e for e in self.tried if e.mutant.kind == kind])
            },
            "survivors": [
                {"kind": e.mutant.kind, "line": e.mutant.line, "change": e.mutant.change}
                for e in self.tried
                if not e.by
            ],
            "false_alarms": list(self.false_alarms),
        }


def catch(
    path: Path,
    source: Source,
    evidence: Evidence,
    budget: Budget,
    progress: Progress | None = None,
    step: int = 1,
) -> Catch:
    """Every mutant, or each `step`-th of them, judged."""
    original = judge_source(path, source, evidence, budget)
    known = {(alarm.by, alarm.text) for alarm in original.alarms}
    unspoilt = original.machine.hash if original.machine is not None else ""
    chosen = mutants(source)[::step]
    found: list[Tried] = []
    same = 0
    for number, mutant in enumerate(chosen, start=1):
        by = _noticed(source.name, mutant, evidence, budget, known, unspoilt)
        if by is None:
            same += 1
        else:
            found.append(Tried(mutant, by))
        if progress is not None:
            progress(number, len(chosen))
    return Catch(tuple(found), same, tuple(alarm.text for alarm in original.alarms))


def alarmed(
    path: Path, source: Source, evidence: Evidence, budget: Budget, step: int = 1
) -> tuple[Tried, ...]:
    """Copies that mean the same, each judged as mutants are: what is noticed there is a false
    alarm."""
    original = judge_source(path, source, evidence, budget)
    known = {(alarm.by, alarm.text) for alarm in original.alarms}
    return tuple(
        Tried(each, _noticed(source.name, each, evidence, budget, known, "") or "")
        for each in neutral(source)[::step]
    )


def _noticed(
    name: str,
    mutant: Mutant,
    evidence: Evidence,
    budget: Budget,
    known: set[tuple[str, str]],
    unspoilt: str,
) -> str | None:
    """By what a mutant is noticed, cheap means first; None if it is the very same world."""
    source = Source(name, mutant.text)
    compilation = compile_source(source)
    machine, document = compilation.machine, compilation.document
    if machine is None or document is None:
        return "compiler"
    if machine.hash == unspoilt:
        return None
    for alarm in tried(machine, evidence):
        if (alarm.by, alarm.text) not in known:
            return alarm.by
    verdict = decide(machine, budget)
    plans = [each.plan for each in verdict.variants if each.plan is not None]
    found = [
        *compilation.diagnostics,
        *judged(machine, verdict, source),
        *says_lints(document, machine, source, plans),
    ]
    alarms = {("lint", f"[{d.id}] {d.message}") for d in found if d.severity in ALARMING}
    return "lint" if alarms - known else ""
