"""What a check left out because its budget ran out: said, never left to silence.

In: a `Verdict`, and whether the search for numbers that stop came to its end. Out: a `Gap` for
each part that was not searched, or not whole. What a check says depends on how fast the machine
is only where a gap is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldengine.modelcheck.guessing.discovery import UNKNOWN as OPEN
from worldengine.modelcheck.verdicts.deadends import ALL, NEARBY, NOT, DeadEnds
from worldengine.modelcheck.verdicts.verdict import UNKNOWN, UNWINNABLE, WINNABLE, Verdict

PARTLY, NO = "partly", "no"
_MORE = {
    "seconds": "a larger --budget searches longer",
    "states": "this world is too large to be seen whole",
    "bytes": "a larger --budget of bytes may do",
}


@dataclass(frozen=True, slots=True)
class Gap:
    """`stage` is verdict, dead_ends, guesses or numbers; `searched` is partly or no;
    `stopped_by` what ran out (None: another part is open). `text` is a line for people."""

    stage: str
    searched: str
    stopped_by: str | None
    text: str


def unfinished(verdict: Verdict, numbers: bool = True) -> tuple[Gap, ...]:
    """See the module; `numbers` tells that the search for numbers that stop was finished."""
    return tuple(_gaps(verdict, numbers))


def _gaps(verdict: Verdict, numbers: bool) -> Iterator[Gap]:
    undecided = [each for each in verdict.variants if each.status == UNKNOWN]
    if undecided:
        ran_out = undecided[0].stopped_by
        many = f"{len(undecided)} of {len(verdict.variants)} starts"
        why = "" if ran_out is None else f" (out of {ran_out})"
        yield Gap("verdict", PARTLY, ran_out, f"winning: not decided for {many}{why}")
    yield from _dead_ends(verdict, bool(undecided))
    if len(verdict.variants) > 1:
        yield from _guesses(verdict)
    if not numbers:
        yield Gap(
            "numbers",
            PARTLY,
            "seconds",
            f"numbers that stop: not searched to the end (out of seconds; {_MORE['seconds']})",
        )


def _dead_ends(verdict: Verdict, undecided: bool) -> Iterator[Gap]:
    if verdict.ends is None:
        if undecided:
            yield Gap("dead_ends", NO, None, "dead ends: not searched, since no win is known")
        return
    if verdict.ends.searched != ALL:
        yield _not_all(verdict.ends)
    elif undecided:
        yield Gap("dead_ends", PARTLY, None, "dead ends: searched from starts known to be won only")


def _not_all(ends: DeadEnds) -> Gap:
    out = f"out of {ends.stopped_by}; {_MORE[ends.stopped_by]}" if ends.stopped_by else "too large"
    found = "none is proven" if ends.path is None else "others may be found elsewhere"
    if ends.searched == NOT:
        return Gap("dead_ends", NO, ends.stopped_by, f"dead ends: not searched ({out})")
    what = "not searched to the end even near the starts and the plans"
    if ends.searched == NEARBY:
        what = f"searched near the starts and the plans only, {found} there"
        if ends.path is not None:
            what = f"searched near the starts and the plans only, {found}"
    return Gap("dead_ends", PARTLY, ends.stopped_by, f"dead ends: {what} ({out})")


def _guesses(verdict: Verdict) -> Iterator[Gap]:
    found = verdict.found
    if found is None:
        if any(each.status == UNWINNABLE for each in verdict.variants):
            return  # no policy wins from every start, whatever is known
        if any(each.status != WINNABLE for each in verdict.variants):
            text = "guesses: not searched, since not every start is known to be winnable"
            yield Gap("guesses", NO, None, text)
    elif found.status == OPEN:
        ran_out = found.stopped_by or "seconds"
        text = (
            "guesses: whether one is needed is not known: not searched to the end"
            f" (out of {ran_out} after {found.beliefs:,} beliefs; {_MORE[ran_out]})"
        )
        yield Gap("guesses", PARTLY, ran_out, text)
