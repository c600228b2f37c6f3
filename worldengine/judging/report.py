"""One report: does this world do what it says?

In: a script; expectations, plays, blind play as far as there are any; a budget. Out: a
`Judgement` whose `document` has stable keys. An alarm is something an author should look at:
an error or warning of the compiler, the prover or the lints here; an expectation that was
not met; a play that goes otherwise; a reply that contradicted the prose. Notes are no alarms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import read
from worldengine.judging.expectations import Broken, Expectations, broken
from worldengine.judging.joining import Joined, joined
from worldengine.judging.lints import says_lints
from worldengine.judging.plays import Play, answered, otherwise
from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.telling.report import judged
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.modelcheck.verdicts.verdict import Verdict
from worldengine.proof import replay
from worldengine.source import Source

ALARMING: Final = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Alarm:
    """`by` is compiler, verdict, lint, expectation, play, answer or blind. `line` is 0 where it has
    no place in the script."""

    by: str
    text: str
    line: int = 0
    about: str = ""
    readers: tuple[str, ...] = ()
    """Of an expectation: the question of the sheet that it answers, and who wrote it."""

    def told(self) -> dict[str, Any]:
        return {"by": self.by, "line": self.line or None, "text": self.text}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a world is held against."""

    read: Joined = field(default_factory=lambda: joined([]))
    plays: tuple[Play, ...] = ()
    wrong: tuple[str, ...] = ()
    """Entries of readers that are no expectations."""

    @property
    def expectations(self) -> Expectations:
        return self.read.expectations


@dataclass(frozen=True, slots=True)
class Judgement:
    path: Path
    alarms: tuple[Alarm, ...]
    diagnostics: tuple[Diagnostic, ...]
    document: dict[str, Any]
    machine: Machine | None = None

    @property
    def ok(self) -> bool:
        return not self.alarms


def judge(path: Path, evidence: Evidence, budget: Budget) -> Judgement:
    """The report on one script; blind play and mutants are added by those who ran them."""
    script = read(path)
    if script.problem is not None:
        return _judgement(path, None, [script.problem], [], evidence, None)
    return judge_source(path, script.source, evidence, budget)


def judge_source(path: Path, source: Source, evidence: Evidence, budget: Budget) -> Judgement:
    compilation = compile_source(source)
    machine = compilation.machine
    found = list(compilation.diagnostics)
    if machine is None or compilation.document is None:
        return _judgement(path, None, found, [], evidence, None)
    alarms = tried(machine, evidence)
    verdict = decide(machine, budget)
    found += judged(machine, verdict, source)
    plans = [each.plan for each in verdict.variants if each.plan is not None]
    found += says_lints(compilation.document, machine, source, plans)
    return _judgement(path, machine, found, alarms, evidence, verdict)


def tried(machine: Machine, evidence: Evidence) -> list[Alarm]:
    """Expectations, plays and proofs: what can be tried without a search."""
    alarms = [_unmet(each) for each in broken(machine, evidence.expectations)]
    alarms += [Alarm("play", f"{play.name}: {said}") for play, said in
               otherwise(machine, evidence.plays)]  # fmt: skip
    alarms += [Alarm("answer", f"{play.name}: {said}") for play, said in
               answered(machine, evidence.plays)]  # fmt: skip
    variants = range(len(machine.variants))
    for proof in range(len(machine.proofs)):
        if not any(replay(machine, proof, variant).won for variant in variants):
            alarms.append(Alarm("play", f"proof {proof + 1} wins from no start"))
    for variant in variants:
        runs = [replay(machine, proof, variant) for proof in range(len(machine.proofs))]
        won = [run for run in runs if run.won]
        early = [run for run in won if run.ended < len(machine.proofs[run.proof])]
        if won and len(early) == len(won):
            left = len(machine.proofs[early[0].proof]) - early[0].ended
            alarms.append(
                Alarm("play", f"the proof wins {left} commands before its end (start {variant})")
            )
    return alarms


def _unmet(each: Broken) -> Alarm:
    entry = each.expectation
    command = entry.command or f"command {entry.before} of the winning play"
    because = f" (expected because: {entry.because})" if entry.because else ""
    who = f" ({', '.join(entry.readers)})" if entry.readers else ""
    text = f"{each.number}. {command}: {each.told}{because}{who}"
    return Alarm("expectation", text, about=entry.about, readers=entry.readers)


def _judgement(
    path: Path,
    machine: Machine | None,
    found: Sequence[Diagnostic],
    tried_alarms: Sequence[Alarm],
    evidence: Evidence,
    verdict: Verdict | None,
) -> Judgement:
    ordered = tuple(sorted(found, key=lambda item: (item.span.start, item.id)))
    alarms = [
        Alarm("lint" if machine is not None else "compiler", f"[{d.id}] {d.message}", _line(d))
        for d in ordered
        if d.severity in ALARMING
    ]
    alarms += tried_alarms
    document = {
        "file": str(path),
        "ok": not alarms,
        "hash": machine.hash if machine is not None else None,
        "status": verdict.status if verdict is not None else None,
        "plan_length": len(verdict.variants[0].plan or ()) or None if verdict is not None else None,
        "alarms": [alarm.told() for alarm in alarms],
        "diagnostics": [to_json(item) for item in ordered],
        "expectations": len(evidence.expectations.expectations),
        "unmet": sum(alarm.by == "expectation" for alarm in alarms),
        "repeated": evidence.read.repeated,
        "disputed": evidence.read.disputed,
        "wrong": list(evidence.wrong),
        "plays": len(evidence.plays) + (len(machine.proofs) if machine is not None else 0),
    }
    return Judgement(path, tuple(alarms), ordered, document, machine)


def _line(diagnostic: Diagnostic) -> int:
    return diagnostic.span.source.position(diagnostic.span.start)[0]
