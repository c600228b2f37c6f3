"""Which actions a state offers: the scoped and the applicable command sets.

In: an `Evaluation` of a state. Out: actions (an operator and the numbers it takes) in the
order of the operators, or the commands that mean them. Nothing is offered in a state that
has been won or lost, and no command that would be understood as another action.
"""

from __future__ import annotations

from worldengine.machine.schema import RUNNING
from worldengine.matching.commands import Matcher
from worldengine.matching.offers import Action, Intervals, Offers
from worldengine.runtime.interpreter import Evaluation
from worldengine.runtime.intervals import Stretches
from worldengine.runtime.tables import Tables


class CommandSets:
    """See the module."""

    def __init__(self, tables: Tables, matcher: Matcher) -> None:
        self._tables = tables
        self._machine = tables.machine
        self._offers = Offers(matcher)
        self._stretches: dict[int, Stretches] = {}

    def actions(self, turn: Evaluation, required: bool) -> tuple[Action, ...]:
        """The operators in scope; if `required`, only those (and those numbers) whose
        requirements hold."""
        if turn.slots[self._machine.status] != RUNNING:
            return ()
        found: list[Action] = []
        for operator, scopes in enumerate(self._tables.operator_scopes):
            if all(turn.in_scope(word, index) for word, index in scopes):
                intervals = self._numbers(turn, operator, required)
                if intervals != ():
                    found.append((operator, intervals))
        return tuple(found)

    def texts(self, turn: Evaluation, actions: tuple[Action, ...]) -> tuple[str, ...]:
        """The commands that mean these actions, numbers printed as ranges."""
        return self._offers.texts(actions, turn.in_scope)

    def _numbers(self, turn: Evaluation, operator: int, required: bool) -> Intervals | None:
        """The numbers with which an operator in scope is accepted: () if it never is."""
        ground = self._machine.operators[operator]
        position = self._tables.number_parameters[ground.schema]
        if position < 0:
            accepted = not required or self._accepted(turn, operator, 0)
            return None if accepted else ()
        parameter = self._machine.schemas[ground.schema].parameters[position]
        low, high = parameter.low, parameter.high
        if not required:
            return ((low, high),)
        stretches = self._stretches.get(operator)
        if stretches is None:
            stretches = self._stretches[operator] = Stretches(self._tables, operator)
        intervals: list[tuple[int, int]] = []
        starts = stretches.starts(turn, low, high)
        for number, following in zip(starts, [*starts[1:], high + 1], strict=True):
            if not self._accepted(turn, operator, number):
                continue
            if intervals and intervals[-1][1] == number - 1:
                intervals[-1] = intervals[-1][0], following - 1
            else:
                intervals.append((number, following - 1))
        return tuple(intervals)

    def _accepted(self, turn: Evaluation, operator: int, number: int) -> bool:
        """Whether no requirement refuses. They write registers only, so nothing changes."""
        ground = self._machine.operators[operator]
        turn.set_number(number)
        accepted = turn.run(ground.program, 0, ground.body) < 0
        turn.said.clear()
        return accepted
