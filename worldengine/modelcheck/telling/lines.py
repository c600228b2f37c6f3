"""A verdict in lines for people: what the table of `check` has no room for.

In: a `Verdict`. Out: lines: whether the plan is as short as can be, the policy that wins whatever
the start, what a guess costs, dead ends with the nearest way into one. What was not searched is
told by `unfinished`.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.modelcheck.guessing.discovery import DISCOVERABLE, GUESS, NOTE, Discovery
from worldengine.modelcheck.guessing.guesses import sentence
from worldengine.modelcheck.guessing.policy import lines
from worldengine.modelcheck.verdicts.deadends import EXHAUSTION, DeadEnds
from worldengine.modelcheck.verdicts.document import plan_note
from worldengine.modelcheck.verdicts.verdict import Verdict
from worldengine.modelcheck.wording.speech import shortened

CAUSES = 5
"""Actions that are named."""


def told(verdict: Verdict) -> tuple[str, ...]:
    """See the module."""
    found: list[str] = list(_plan(verdict))
    if verdict.found is not None:
        found += _discovery(verdict, verdict.found)
    if verdict.ends is not None:
        found += _ends(verdict.ends)
    return tuple(found)


def _plan(verdict: Verdict) -> Iterator[str]:
    first = verdict.variants[0]
    if first.plan:
        start = f" from start {first.variant}" if len(verdict.variants) > 1 else ""
        further = "" if first.optimal else " (see `solve`)"
        yield f"plan: {len(first.plan)} turns{start}: {plan_note(first)}{further}"


def _discovery(verdict: Verdict, found: Discovery) -> Iterator[str]:
    if found.status == DISCOVERABLE and found.policy is not None:
        turns = found.policy.longest
        yield f"discoverable: one way of playing wins from every start, in at most {turns} turns"
        yield from (f"  {line}" for line in lines(found.policy))
        yield f"  ({NOTE})"
    elif found.status == GUESS and found.guess is not None:
        yield f"needs a guess: {sentence(verdict.machine, found.guess)}"
        yield f"  ({NOTE})"


def _ends(ends: DeadEnds) -> Iterator[str]:
    if ends.count is None:
        if ends.path is None:
            return
        yield "dead ends: some are proven, how many there are is not decided"
    elif ends.count == 0:
        yield f"dead ends: none among {ends.running:,} states"
        return
    else:
        share = 100 * (ends.share or 0.0)
        yield f"dead ends: {ends.count:,} of {ends.running:,} states ({share:.1f}%)"
    if ends.path is not None:
        kind = "the shortest way" if ends.shortest else "the shortest way known"
        proof = "seen to the end" if ends.proof == EXHAUSTION else "no win follows even if relaxed"
        start = f" from start {ends.variant}" if ends.variant else ""
        yield f"  {kind} into one{start}: {shortened(ends.path)} ({proof})"
    if ends.causes:
        said = ", ".join(f"{name} ({number})" for name, number in ends.causes[:CAUSES])
        yield f"  actions that lead into one: {said}"
