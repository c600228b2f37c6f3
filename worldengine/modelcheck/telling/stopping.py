"""Numbers that stop at an end, told to their author.

In: a Machine, its verdict, its source. Out: notes, one for each number and end, placed on the
statement that goes past it.
"""

from __future__ import annotations

import re

from worldengine.diagnostics import Diagnostic
from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.verdicts.saturation import Saturation, saturations
from worldengine.modelcheck.verdicts.verdict import Verdict
from worldengine.modelcheck.wording.places import located, location_of
from worldengine.modelcheck.wording.speech import shortened
from worldengine.source import Source, Span

SECONDS = 2.0
"""At most."""
_NEXT_ITEM = re.compile(r"^(action|rule|after|before|milestone|win|lose|proof)\b", re.MULTILINE)


def stopping_numbers(
    machine: Machine, verdict: Verdict, source: Source, seconds: float = SECONDS
) -> tuple[list[Diagnostic], bool]:
    """See the module; and whether the time was enough."""
    plans = [each.plan for each in verdict.variants]
    left = clock(min(seconds, SECONDS))
    found = saturations(Problem(machine), plans, left)
    told = [_told(machine, each, source) for each in found if _own(machine, each, source)]
    return told, left.left > 0


def _own(machine: Machine, found: Saturation, source: Source) -> bool:
    place = location_of(machine, machine.schemas[found.schema].span)
    return place is not None and place.file == source.name


def _told(machine: Machine, found: Saturation, source: Source) -> Diagnostic:
    variable = machine.variables[found.variable]
    return Diagnostic(
        "number-stops",
        "note",
        f"`{variable.name}` goes no further than {found.end}: after `{shortened(found.path)}`"
        " it would be past it",
        _statement(machine, found, source),
        "fine if it is meant so; else widen its range, or refuse the command before",
    )


def _statement(machine: Machine, found: Saturation, source: Source) -> Span:
    """The `set` that goes past the end; the action's name where there is no telling."""
    place = location_of(machine, machine.schemas[found.schema].span)
    assert place is not None
    name = located(place, source)
    attribute = re.escape(machine.variables[found.variable].name.rpartition(".")[2])
    after = _NEXT_ITEM.search(source.text, name.end)
    end = after.start() if after else len(source.text)
    match = re.compile(rf"\bset\s+\S*\.{attribute}\s*[-+]?=").search(source.text, name.end, end)
    return Span(source, match.start(), match.end()) if match else name
