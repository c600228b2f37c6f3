"""A Machine without its words, as a Machine: what the searches run.

In: a Machine. Out: one with the same variables, commands and rules that says nothing, blocks
written out in place. See `silence` for why its states follow in the same way.
"""

from __future__ import annotations

from dataclasses import replace

from worldengine.machine.schema import Machine, Program, Step
from worldengine.modelcheck.programs.silence import Quiet, Silent, silent, split_body


def quiet_machine(machine: Machine) -> Machine:
    """See the module. It is for engines, not for players: requirements have no names."""
    operators = []
    for operator in machine.operators:
        head, body = split_body(machine, operator.program, operator.body)
        program = (*_steps(head), *_steps(body, len(head)))
        operators.append(replace(operator, requirements=(), body=len(head), program=program))
    return replace(
        machine,
        derived=tuple(
            replace(each, program=_steps(silent(machine, each.program))) for each in machine.derived
        ),
        operators=tuple(operators),
        rules=tuple(
            replace(rule, program=_steps(silent(machine, rule.program))) for rule in machine.rules
        ),
        blocks=(),
        opening=-1,
    )


def _steps(program: Silent, shift: int = 0) -> Program:
    return tuple(_step(step, shift) for step in program)


def _step(step: Quiet, shift: int) -> Step:
    then, other = step.then + shift, step.other + shift
    return Step(step.tests, step.assigns, -1, (), -1, step.refuse, then, other)
