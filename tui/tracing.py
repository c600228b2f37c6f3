"""A runtime that notes which steps of which programs ran.

In: commands, as for any runtime. Out: the same transitions, and marks: (program, step, how many
of its tests held before one failed). The steps themselves are carried out by the interpreter,
one at a time; only the choice of the next one is made here.
"""

from __future__ import annotations

from worldengine.machine import Machine, State
from worldengine.machine.schema import Program, Step
from worldengine.runtime import Runtime
from worldengine.runtime.interpreter import Evaluation
from worldengine.runtime.tables import Tables

Mark = tuple[int, int, int]
"""A program by identity, a step of it, and how many of the step's tests held."""


class _Traced(Evaluation):
    __slots__ = ("marks_of",)

    def __init__(self, tables: Tables, state: State, marks: set[Mark]) -> None:
        super().__init__(tables, state)
        self.marks_of = marks

    def run(self, program: Program, start: int, end: int) -> int:
        at = start
        while at < end:
            step = program[at]
            held = self._held(step)
            self.marks_of.add((id(program), at, held))
            if held < len(step.tests):
                at = step.other
                continue
            if super().run(program, at, at + 1) >= 0:
                return at
            at = step.then
        return -1

    def _held(self, step: Step) -> int:
        """How many tests hold before the first that does not."""
        for number, test in enumerate(step.tests):
            probe = Step((test,), (), -1, (), -1, 1, 1, 1)
            if super().run((probe,), 0, 1) != 0:
                return number
        return len(step.tests)


class TracingRuntime(Runtime):
    """See the module. `marks` grows with every turn."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.marks: set[Mark] = set()

    def evaluation(self, state: State) -> Evaluation:
        return _Traced(self.tables, state, self.marks)
