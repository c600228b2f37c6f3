"""How many spoilt copies of a world the judging of it would notice.

In: a world, its evidence, a budget for each copy. Out: for each mutant by what it was caught
(compiler, expectation, play, lint), or that it was not. A mutant whose Machine is the
original's is no mutant, nor one that no play can tell from the original (see `sameness`); of
those that nobody noticed it is tried to prove that. What alarms on the original already counts
against the judging: it is its false alarm, and catches nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from worldengine.compiler import compile_source
from worldengine.judging.lints import says_lints
from worldengine.judging.mutants import KINDS, Mutant, mutants, neutral
from worldengine.judging.report import (
    ALARMING,
    Alarm,
    Evidence,
    Judgement,
    judge_source,
    tried,
)
from worldengine.judging.sameness import proven_same
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.telling.report import judged
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.source import Source

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Tried:
    """`by` are all means that noticed, of those that were tried: lints, which take a search,
    only where nothing else had noticed. `about` are the questions of the reader's sheet whose
    entries did, `readers` who wrote them. `equal` if no play can tell it from the original."""

    mutant: Mutant
    by: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Catch:
    """`false_alarms` are those of the world as it is; `entries` how many expectations there
    were, false ones included."""

    everything: tuple[Tried, ...]
    same: int
    false_alarms: tuple[str, ...]
    false_entries: int = 0
    entries: int = 0

    @property
    def tried(self) -> tuple[Tried, ...]:
        """Mutants that differ from the original, as far as that is known."""
        return tuple(each for each in self.everything if not each.equal)

    @property
    def caught(self) -> int:
        return sum(bool(each.by) for each in self.tried)

    def told(self) -> dict[str, Any]:
        tried = self.tried
        return {
            "mutants": len(tried),
            "caught": self.caught,
            "same_machine": self.same,
            "proven_equal": len(self.everything) - len(tried),
            "by": _counted([each.by[:1] for each in tried]),
            "means": _counted([each.by for each in tried]),
            "only_by": _counted([each.by for each in tried if len(each.by) == 1]),
            "questions": _counted([each.about for each in tried]),
            "readers": _counted([each.readers for each in tried]),
            "kinds": {
                kind: [sum(bool(e.by) for e in group), len(group)]
                for kind in KINDS
                if (group := [e for e in tried if e.mutant.kind == kind])
            },
            "survivors": [
                {"kind": e.mutant.kind, "line": e.mutant.line, "change": e.mutant.change}
                for e in tried
                if not e.by
            ],
            "false_alarms": list(self.false_alarms),
            "false_expectations": [self.false_entries, self.entries],
        }


def _counted(groups: Iterable[tuple[str, ...]]) -> dict[str, int]:
    counts = Counter(name for group in groups for name in group)
    return {name: counts[name] for name in sorted(counts)}


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
    known = _known(original)
    unspoilt = original.machine.hash if original.machine is not None else ""
    chosen = mutants(source)[::step]
    found: list[Tried] = []
    same = 0
    for number, mutant in enumerate(chosen, start=1):
        tried_ = _noticed(source, mutant, evidence, budget, known, unspoilt)
        if tried_ is None:
            same += 1
        elif tried_.by:
            found.append(tried_)
        else:
            found.append(replace(tried_, equal=proven_same(source, mutant, budget)))
        if progress is not None:
            progress(number, len(chosen))
    return Catch(
        tuple(found),
        same,
        tuple(alarm.text for alarm in original.alarms),
        sum(alarm.by == "expectation" for alarm in original.alarms),
        len(evidence.expectations.expectations),
    )


def alarmed(
    path: Path, source: Source, evidence: Evidence, budget: Budget, step: int = 1
) -> tuple[Tried, ...]:
    """Copies that mean the same, each judged as mutants are: what is noticed there is a false
    alarm."""
    known = _known(judge_source(path, source, evidence, budget))
    return tuple(
        _noticed(source, each, evidence, budget, known, "") or Tried(each)
        for each in neutral(source)[::step]
    )


def _known(original: Judgement) -> set[tuple[str, str]]:
    """What alarms already. An expectation that is not met is known by its number: however it
    is missed in a mutant, it says nothing."""
    return {_name(alarm) for alarm in original.alarms}


def _name(alarm: Alarm) -> tuple[str, str]:
    number = alarm.by == "expectation"
    return alarm.by, alarm.text.partition(".")[0] if number else alarm.text


def _noticed(
    source: Source,
    mutant: Mutant,
    evidence: Evidence,
    budget: Budget,
    known: set[tuple[str, str]],
    unspoilt: str,
) -> Tried | None:
    """By what a mutant is noticed; None if it is the very same world."""
    spoilt = Source(source.name, mutant.text)
    compilation = compile_source(spoilt)
    machine, document = compilation.machine, compilation.document
    if machine is None or document is None:
        return Tried(mutant, ("compiler",))
    if machine.hash == unspoilt:
        return None
    alarms = [alarm for alarm in tried(machine, evidence) if _name(alarm) not in known]
    if alarms:
        return Tried(
            mutant,
            _each(alarm.by for alarm in alarms),
            _each(alarm.about[:1] for alarm in alarms),
            _each(name for alarm in alarms for name in alarm.readers),
        )
    verdict = decide(machine, budget)
    plans = [each.plan for each in verdict.variants if each.plan is not None]
    found = [
        *compilation.diagnostics,
        *judged(machine, verdict, spoilt),
        *says_lints(document, machine, spoilt, plans),
    ]
    new = {("lint", f"[{d.id}] {d.message}") for d in found if d.severity in ALARMING} - known
    return Tried(mutant, ("lint",) if new else ())


def _each(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name}))
