"""What a world says was achieved, or says once, before the player has done anything.

In: a Machine. Out: warnings, milestone-at-once and rule-at-once: a milestone that is reached, or
a `once` rule that has spoken, after one look around from every start. Progress that is given
away tells nothing, and a condition that holds at once is mostly one that was written the wrong
way round.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.diagnostics import Diagnostic
from worldengine.machine.schema import Machine
from worldengine.modelcheck.wording.places import span_of
from worldengine.source import Source

_STARTS = 16
"""Starts that are looked at."""


def first_lints(machine: Machine, source: Source) -> Iterator[Diagnostic]:
    """See the module."""
    ends = []
    for variant in range(min(len(machine.variants), _STARTS)):
        state = machine.start(variant)
        ends.append(machine.step(state, "look").state)
    titles = {rule.name: rule.title for rule in machine.rules}
    for index, variable in enumerate(machine.variables):
        if variable.role not in ("milestone", "once") or not all(end[index] for end in ends):
            continue
        name = variable.name.partition(".")[2]
        reached = variable.role == "milestone"
        what = f'the milestone "{titles[name]}" is reached' if reached else f"`{name}` has happened"
        yield Diagnostic(
            "milestone-at-once" if reached else "rule-at-once",
            "warning",
            f"{what} after the first `look`, whatever the start",
            span_of(machine, variable.span, source),
            "is its condition the wrong way round? else leave it out",
        )
