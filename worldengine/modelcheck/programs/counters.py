"""Counters that go on by themselves: patience, daylight, batteries.

In: a Machine. Out: integer variables that some rule, or every other operator, moves by a
constant from where they are. A planner may look past them when it compares states: what was
reached earlier with all else equal is nearly always at least as good. It may miss a win that
way, never claim one.
"""

from __future__ import annotations

from worldengine.machine.reads import with_blocks
from worldengine.machine.schema import COPY, Machine, Program

LONG = 10
"""Shorter ranges are stages of something, not clocks."""
MANY = 0.4
"""Share of the operators that move a variable, from which on it counts as a clock."""


def counters(machine: Machine) -> set[int]:
    """See the module."""
    moved: dict[int, int] = {}
    for operator in machine.operators:
        for variable in _moves(machine, operator.program[operator.body :]):
            moved[variable] = moved.get(variable, 0) + 1
    found = {v for v, count in moved.items() if count >= MANY * len(machine.operators)}
    for rule in machine.rules:
        if rule.kind == "rule":
            found |= _moves(machine, rule.program)
    return found


def _moves(machine: Machine, program: Program) -> set[int]:
    """Long integer variables that a program moves by a constant."""
    found: set[int] = set()
    for step in with_blocks(program, machine):
        for assign in step.assigns:
            if assign.op != COPY or assign.target != assign.left or assign.constant == 0:
                continue
            if assign.target < len(machine.variables):
                variable = machine.variables[assign.target]
                if variable.kind == "int" and variable.high - variable.low >= LONG:
                    found.add(assign.target)
    return found
