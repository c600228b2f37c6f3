"""Programs with their words, called blocks written out in place.

In: a Machine and a program. Out: its `Line`s. See `silence` for the same without words.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.schema import Argument, Assign, Machine, Operator, Program, Step, Test
from worldengine.modelcheck.programs.blocks import halves, written_out


@dataclass(slots=True)
class Line:
    """A step with called blocks written out in place. Targets are indices of lines."""

    tests: tuple[Test, ...]
    assigns: tuple[Assign, ...]
    text: int
    arguments: tuple[Argument, ...]
    refuse: int
    then: int
    other: int


def spoken(machine: Machine, program: Program) -> list[Line]:
    """A program with the blocks that it calls in place of the calls."""
    return written_out(program, lambda step: machine.blocks[step.call].program, _line)


def _line(step: Step, _: int) -> Line:
    return Line(
        step.tests, step.assigns, step.text, step.arguments, step.refuse, step.then, step.other
    )


def spoken_halves(machine: Machine, operator: Operator) -> tuple[list[Line], list[Line]]:
    """The requirements and the act of an operator, each as a program of its own."""
    head, act = halves(operator.program, operator.body)
    return spoken(machine, head), spoken(machine, act)
