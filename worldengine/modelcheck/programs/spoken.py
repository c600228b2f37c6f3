"""Programs with their words, called blocks written out in place.

In: a Machine and a program. Out: its `Line`s. See `silence` for the same without words, and for
why a block in place of its call does what the call does.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.schema import Argument, Assign, Machine, Operator, Program, Test


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


def written_out(machine: Machine, program: Program) -> list[Line]:
    """A program with the blocks that it calls in place of the calls."""
    found: list[Line] = []
    places: list[int] = []
    for step in program:
        places.append(len(found))
        found.append(
            Line(step.tests, step.assigns, step.text, step.arguments, 0, step.then, step.other)
        )
        if step.call >= 0:
            base = len(found)
            for line in written_out(machine, machine.blocks[step.call].program):
                line.then, line.other = line.then + base, line.other + base
                found.append(line)
            found.append(Line((), (), -1, (), step.refuse, step.then, step.then))
        else:
            found[-1].refuse = step.refuse
    places.append(len(found))
    for start, following, step in zip(places, places[1:], program, strict=False):
        found[start].other = places[step.other]
        if step.call >= 0:
            found[start].then = start + 1
            found[following - 1].then = found[following - 1].other = places[step.then]
        else:
            found[start].then = places[step.then]
    return found


def halves(machine: Machine, operator: Operator) -> tuple[list[Line], list[Line]]:
    """The requirements and the act of an operator, each as a program of its own."""
    program, body = operator.program, operator.body
    return (
        written_out(machine, _part(program, 0, body)),
        written_out(machine, _part(program, body, len(program))),
    )


def _part(program: Program, start: int, end: int) -> Program:
    return tuple(
        step._replace(then=min(step.then, end) - start, other=min(step.other, end) - start)
        for step in program[start:end]
    )
