"""A runtime that notes which steps of which programs ran.

In: commands, as for any runtime. Out: the same transitions, and marks: (program, step,
whether its tests held), and the texts that were said. The steps themselves are carried out
by the interpreter, one at a time; only the choice of the next one is made here.
"""

from __future__ import annotations

from worldengine.machine import Machine, State
from worldengine.machine.schema import Argument, Program
from worldengine.runtime import Runtime
from worldengine.runtime.interpreter import Evaluation
from worldengine.runtime.tables import Tables


class Marks:
    """What ran: `steps` of programs by identity, `texts` by index."""

    def __init__(self) -> None:
        self.steps: set[tuple[int, int, bool]] = set()
        self.texts: set[int] = set()


class _Traced(Evaluation):
    __slots__ = ("marks_of",)

    def __init__(self, tables: Tables, state: State, marks: Marks) -> None:
        super().__init__(tables, state)
        self.marks_of = marks

    def run(self, program: Program, start: int, end: int) -> int:
        at = start
        while at < end:
            step = program[at]
            held = not step.tests or self._holds(program, at)
            self.marks_of.steps.add((id(program), at, held))
            if not held:
                at = step.other
                continue
            if super().run(program, at, at + 1) >= 0:
                return at
            at = step.then
        return -1

    def _holds(self, program: Program, at: int) -> bool:
        probe = program[at]._replace(assigns=(), text=-1, call=-1, refuse=1)
        return super().run((probe,), 0, 1) == 0

    def say(self, text: int, arguments: tuple[Argument, ...]) -> None:
        self.marks_of.texts.add(text)
        super().say(text, arguments)


class TracingRuntime(Runtime):
    """See the module. `marks` grows with every turn."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.marks = Marks()

    def evaluation(self, state: State) -> Evaluation:
        return _Traced(self.tables, state, self.marks)
