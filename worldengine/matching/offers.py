"""The commands that mean actions which a state offers.

In: actions (an operator and the numbers it takes) and what is in scope. Out: canonical
commands: typed, each means its action in that state. No command is offered that would be
understood as another action; numbers are printed as ranges, `dial 1..9`.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.matching.commands import LONGEST, InScope, Matcher, Understood
from worldengine.matching.forms import argument_name, canonical_text

Intervals = tuple[tuple[int, int], ...]
"""Closed intervals of numbers, ascending."""
Action = tuple[int, Intervals | None]
"""An operator and the numbers it takes, None if it takes no number."""


class Offers:
    """See the module. Safe to share between threads: what it remembers does not depend on
    states, and is only ever replaced by equal values."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._machine = matcher.machine
        self._certain: dict[int, str | None] = {}

    def texts(self, actions: Iterable[Action], in_scope: InScope) -> tuple[str, ...]:
        """The commands that mean these actions, which are in scope."""
        found: dict[str, None] = {}
        for operator, intervals in actions:
            certain = self.certain(operator)
            if certain is not None:
                found[certain] = None
                continue
            number = intervals[0][0] if intervals else 0
            form = self._form_meaning(in_scope, operator, number)
            if form is None:
                continue
            for low, high in intervals or ((0, 0),):
                found[self._ranged(operator, form, low, high)] = None
        return tuple(found)

    def certain(self, operator: int) -> str | None:
        """The command that means an operator wherever it is in scope: no form that answers
        before it can mean another. None where that hangs on the state, or on a number."""
        if operator not in self._certain:
            self._certain[operator] = self._alone(operator)
        return self._certain[operator]

    def _alone(self, operator: int) -> str | None:
        schema = self._machine.schemas[self._machine.operators[operator].schema]
        if any(parameter.type == "number" for parameter in schema.parameters):
            return None
        text = canonical_text(self._machine, operator, 0, 0)
        readings = [each for each in self._matcher.readings(text) if each.in_range]
        sure = bool(readings) and readings[0].operator == operator and len(text) <= LONGEST
        return text if sure else None

    def _form_meaning(self, in_scope: InScope, operator: int, number: int) -> int | None:
        """The first form by which a player can give this action in this state: one that no
        other action answers first."""
        schema = self._machine.schemas[self._machine.operators[operator].schema]
        for form in range(len(schema.forms)):
            text = canonical_text(self._machine, operator, form, number)
            answer = self._matcher.answer(text, in_scope)
            if isinstance(answer, Understood) and answer.operator == operator:
                return form
        return None

    def _ranged(self, operator: int, form: int, low: int, high: int) -> str:
        """A canonical text with a range in the place of its number."""
        ground = self._machine.operators[operator]
        schema = self._machine.schemas[ground.schema]
        shown = ""
        for piece in schema.forms[form].template:
            if isinstance(piece, str):
                shown += piece
            elif schema.parameters[piece].type == "number":
                shown += str(low) if low == high else f"{low}..{high}"
            else:
                value = ground.arguments[piece]
                shown += argument_name(self._machine, schema.parameters[piece], value, 0)
        return shown
