"""The skein drawn as a tree. In: a skein. Out: rows; choosing one goes to its turn.

A run of turns without a branch is drawn straight down, a branch is set in: five hundred
turns in a line do not wander off to the right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from worldengine.cli.printing import counted

from .rows import BLANK, SHORT, Row, Span, heading, row, span
from .skein import DIFFERS, GONE, MARKS, NEW, SAME, UNPLAYED, Knot, Skein, difference

DEEPEST = 12
"""Branches drawn further in than this are not set in any more."""


def rows(skein: Skein, opened: Knot | None) -> list[Row]:
    """The tree with its marks; the difference under the turn that is open."""
    verdicts = Counter[str]()
    tree = list(_tree(skein, opened, verdicts))
    turns, plays = verdicts.total(), len(skein.leaves())
    title = heading("Plays of this world", f"{counted(plays, 'play')}, {counted(turns, 'turn')}")
    if not turns:
        return [
            title,
            BLANK,
            row("Nothing is recorded yet."),
            row(("ctrl+t keeps the play you are in; R keeps the world's proofs.", "muted")),
        ]
    return [title, _summary(verdicts), BLANK, *tree]


def _summary(tally: Counter[str]) -> Row:
    if tally[UNPLAYED]:
        return row((f"{tally[UNPLAYED]} turns were not run on this world yet; r runs all", "muted"))
    return row(
        (f"✓ {tally[SAME]}  ", "good"),
        (f"≠ {tally[DIFFERS]} differ  ", "bad" if tally[DIFFERS] else "muted"),
        (f"+ {tally[NEW]} new  ", "warn" if tally[NEW] else "muted"),
        (f"✗ {tally[GONE]} gone", "bad" if tally[GONE] else "muted"),
    )


def _tree(skein: Skein, opened: Knot | None, tally: Counter[str]) -> Iterator[Row]:
    """Every turn in order; how it stands is counted in `tally` on the way."""
    waiting: list[tuple[Knot, int, bool]] = []
    variants = dict.fromkeys(knot.variant for knot in skein.roots)
    for variant in reversed(list(variants)):
        roots = [knot for knot in skein.roots if knot.variant == variant]
        waiting += [(knot, 0, True) for knot in reversed(roots)]
    last_variant = -1
    while waiting:
        knot, depth, starts = waiting.pop()
        if knot.parent is None and knot.variant != last_variant:
            last_variant = knot.variant
            yield row((f"variant {knot.variant}", "strong"))
        verdict = knot.verdict
        tally[verdict] += 1
        yield _turn(knot, verdict, depth, starts)
        if knot is opened:
            yield from _opened(knot, depth)
        inner = depth + 1 if len(knot.children) > 1 else depth
        waiting += [(child, inner, inner > depth) for child in reversed(knot.children)]


def _turn(knot: Knot, verdict: str, depth: int, starts: bool) -> Row:
    outcome = ""
    if knot.node is not None and knot.node.transition is not None:
        turn = knot.node.transition
        outcome = f"  {turn.outcome_name}" if turn.refusal is not None else ""
        outcome += f"  {knot.node.status}" if knot.node.over else ""
    spans = _kept if len(knot.command) <= SHORT else _spans
    return Row(spans(verdict, min(depth, DEEPEST), starts, knot.command, outcome), "knot", knot, 4)


def _spans(verdict: str, depth: int, starts: bool, command: str, outcome: str) -> tuple[Span, ...]:
    sign, tone = MARKS[verdict]
    drawn = "│ " * depth
    drawn = drawn[:-2] + "├╴" if starts and drawn else drawn
    said = span(command, "command")
    return (f"{sign} ", tone), (drawn, "muted"), said, (outcome, "muted")


_kept = lru_cache(maxsize=8_192)(_spans)
"""Of thousands of turns many say the same."""


def _opened(knot: Knot, depth: int) -> Iterator[Row]:
    pad = "  " + "  " * min(depth, DEEPEST)
    if knot.verdict == GONE:
        yield row((f"{pad}✗ the play is over before this turn", "bad"))
        return
    for sign, line in difference(knot):
        tone = {"-": "bad", "+": "good"}.get(sign, "muted")
        yield row((f"{pad}{sign} ", tone), (line, tone), indent=len(pad) + 2)
