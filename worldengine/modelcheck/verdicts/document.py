"""A verdict under the contract's keys.

In: a `Verdict`. Out: a document of JSON values. What speaks of the whole world (`status`,
`reason`) is said of its worst start; `plan` and what belongs to it of its first. `plan_note` is
`optimal` in words.
"""

from __future__ import annotations

from typing import Any

from worldengine.machine.schema import Location, Machine
from worldengine.modelcheck.guessing.discovery import to_document as discovery_document
from worldengine.modelcheck.verdicts.deadends import to_document as ends_document
from worldengine.modelcheck.verdicts.reasons import Reason
from worldengine.modelcheck.verdicts.verdict import Decided, Verdict


def to_document(verdict: Verdict) -> dict[str, Any]:
    """The verdict under the contract's keys."""
    worst = verdict.worst
    first = verdict.variants[0]
    return {
        "status": worst.status,
        "reason": _reason(worst.reason),
        "stopped_by": worst.stopped_by,
        "plan": list(first.plan) if first.plan else None,
        "plan_length": len(first.plan) if first.plan else None,
        "optimal": first.optimal,
        "plan_note": plan_note(first),
        "states": worst.states,
        **discovery_document(verdict.machine, verdict.found),
        **ends_document(verdict.ends),
        "variants": [_variant(verdict.machine, each) for each in verdict.variants],
    }


def plan_note(decided: Decided) -> str | None:
    """Whether a plan is as short as can be, in words; None where there is no plan."""
    if not decided.plan:
        return None
    if decided.optimal:
        return "no play is shorter"
    origin = "the world's own proof; " if decided.by == "proof" else ""
    return f"{origin}not proven shortest: a shorter play may exist"


def _variant(machine: Machine, decided: Decided) -> dict[str, Any]:
    return {
        "index": decided.variant,
        "values": dict(machine.variants[decided.variant].values),
        "status": decided.status,
        "plan": list(decided.plan) if decided.plan else None,
        "plan_length": len(decided.plan) if decided.plan else None,
        "optimal": decided.optimal,
        "plan_note": plan_note(decided),
        "by": decided.by,
        "stopped_by": decided.stopped_by,
        "reason": _reason(decided.reason),
    }


def _reason(reason: Reason | None) -> dict[str, Any] | None:
    if reason is None:
        return None
    place: Location | None = reason.location
    return {
        "text": reason.text,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }
