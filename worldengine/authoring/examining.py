"""A draft before the compiler and the prover, and what they say to its author.

In: a script, what was wanted, a budget. Out: an `Examined`: how far it came, why not
further, what was measured, and the words that go back to the author. Nothing is raised on
any text. A draft stands where it compiles, can be won from every start, fills every hole
and is as hard as was wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from worldengine.authoring.asking import Wanted
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, render_terminal
from worldengine.judging.prose import PROSE_LINTS, prose_lints
from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.telling.report import judge, judged
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.modelcheck.verdicts.document import to_document
from worldengine.modelcheck.verdicts.verdict import Verdict
from worldengine.source import Source

REASONS: Final = {
    "does_not_compile": "the script does not compile",
    "holes_left": "there are holes left in it",
    "unwinnable": "it cannot be won from every start",
    "undecided": "whether it can be won is not known: its proof does not win from every start",
    "plan_too_short": "it is won in fewer commands than were asked for",
    "plan_too_long": "it takes more commands than were asked for",
    "other_places": "it has another number of places than was asked for",
    "fewer_mistakes": "it has fewer ways to lose than were asked for",
    "duplicate": "it is a world that is there already",
}
"""Why a draft does not stand, worst first."""
_SERIOUS: Final = ("error", "warning")
_MOST_TOLD: Final = 12
_PLAN_TOLD: Final = 60


@dataclass(frozen=True, slots=True)
class Examined:
    """`reason` is "" where the draft stands. `measured` holds plan_length, places, mistakes,
    variants, hash and structure, as far as they are known."""

    compiled: bool
    winnable: bool
    reason: str
    told: str
    ids: tuple[str, ...] = ()
    measured: dict[str, Any] = field(default_factory=dict)
    verdict: dict[str, Any] | None = None
    structure: str = ""

    @property
    def discovery(self) -> str | None:
        return None if self.verdict is None else self.verdict["discovery"]


def examine(
    text: str, name: str, wanted: Wanted, seconds: float, discovery: bool = False
) -> Examined:
    """See the module. `seconds` bounds the search for a plan, and with `discovery` also that
    for whether its starts can be told apart."""
    source = Source(f"{name}.world", text)
    compilation = compile_source(source)
    found = list(compilation.diagnostics)
    machine = compilation.machine
    if machine is None:
        return Examined(False, False, "does_not_compile", _told("", found, _SERIOUS), _ids(found))
    verdict = (judge if discovery else decide)(machine, Budget(seconds=seconds))
    found += judged(machine, verdict, source)
    if compilation.document is not None:
        found += prose_lints(compilation.document, machine)
    document = to_document(verdict)
    measured = measure(machine, document)
    reason = _reason(found, verdict, measured, wanted)
    return Examined(
        True,
        verdict.status == "winnable",
        reason,
        _told(_opinion(reason, verdict, measured, wanted), found, _SERIOUS),
        _ids(found),
        measured,
        document,
        machine.shape,
    )


def measure(machine: Machine, verdict: dict[str, Any]) -> dict[str, Any]:
    """How hard a world is: the longest of its starts' known plans, its places, the ways it
    can be lost that its author wrote."""
    lengths = [each["plan_length"] for each in verdict["variants"]]
    known = [length for length in lengths if length is not None]
    return {
        "plan_length": max(known) if len(known) == len(lengths) else None,
        "places": sum(item.role == "place" for item in machine.objects),
        "mistakes": sum(rule.kind == "lose" for rule in machine.rules),
        "milestones": sum(rule.kind == "milestone" for rule in machine.rules),
        "variants": len(machine.variants),
        "hash": machine.hash,
    }


def _reason(
    found: Sequence[Diagnostic], verdict: Verdict, measured: dict[str, Any], wanted: Wanted
) -> str:
    if any(item.id == "hole" for item in found):
        return "holes_left"
    if verdict.status != "winnable":
        return "unwinnable" if verdict.status == "unwinnable" else "undecided"
    if any(item.severity == "error" for item in found):
        return "does_not_compile"
    low, high = wanted.plan
    length = measured["plan_length"]
    if length is not None and length < low:
        return "plan_too_short"
    if length is not None and length > high:
        return "plan_too_long"
    if wanted.places is not None and measured["places"] != wanted.places:
        return "other_places"
    if wanted.mistakes is not None and measured["mistakes"] < wanted.mistakes:
        return "fewer_mistakes"
    return ""


def _opinion(reason: str, verdict: Verdict, measured: dict[str, Any], wanted: Wanted) -> str:
    """One or two sentences on the whole, before the complaints."""
    won = sum(each.status == "winnable" for each in verdict.variants)
    total = len(verdict.variants)
    if reason == "plan_too_short":
        plan = verdict.variants[0].plan or ()
        steps = "; ".join(plan[:_PLAN_TOLD])
        return (
            f"It compiles and can be won, but in {measured['plan_length']} commands, and "
            f"{wanted.plan[0]} or more were asked for. This wins: {steps}."
        )
    if reason == "plan_too_long":
        return (
            f"It compiles and can be won, but takes {measured['plan_length']} commands, and at "
            f"most {wanted.plan[1]} were asked for."
        )
    if reason == "other_places":
        return f"It has {measured['places']} places, and {wanted.places} were asked for."
    if reason == "fewer_mistakes":
        return (
            f"It can be lost in {measured['mistakes']} ways (`lose when`), and "
            f"{wanted.mistakes} were asked for."
        )
    if reason in ("unwinnable", "undecided"):
        return f"It compiles, and is won from {won} of its {total} starts."
    return ""


def _told(opinion: str, found: Sequence[Diagnostic], severities: Sequence[str]) -> str:
    """The opinion and the complaints, errors first, as many as an author can use."""
    serious = [item for item in found if item.severity in severities or item.id in _ALWAYS]
    ordered = sorted(serious, key=lambda item: item.severity != "error")
    parts = [opinion] if opinion else []
    if ordered:
        more = len(ordered) - _MOST_TOLD
        parts.append("The compiler says:\n\n" + render_terminal(ordered[:_MOST_TOLD]).rstrip())
        if more > 0:
            parts.append(f"… and {more} more.")
    return "\n\n".join(parts)


_ALWAYS: Final = frozenset({"world-undecided", "turns-tight", *PROSE_LINTS})


def _ids(found: Sequence[Diagnostic]) -> tuple[str, ...]:
    return tuple(sorted({item.id for item in found if item.severity in _SERIOUS}))
