"""Programs without what can never happen: static variables, flags that only go one way.

In: a quiet Machine (see `quiet`) and the values that can occur in it from its starts. Out: the
same Machine, its programs shorter: a test that holds whenever it is come to is left out, a step
whose tests never hold is passed by, an operator that is never accepted refuses at once.

**Argument.** The sets of `abstract.reach` hold the values of every slot at every point of every
program in every play from the starts. So whatever a folded program does differently it does
where no play comes. What is left out this way: variables that nothing changes (their tests are
decided), values that are never taken, rules that have fired their only time before the start.
States outside the sets are not to be asked about.
"""

from __future__ import annotations

from dataclasses import replace

from worldengine.machine.schema import LOGIC, Machine, Program, Step
from worldengine.modelcheck.programs.silence import silent
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, Unit
from worldengine.modelcheck.programs.values import Env
from worldengine.modelcheck.relaxation.abstract import Run
from worldengine.modelcheck.relaxation.reached import Reach

REFUSED: Program = (Step((), (), -1, (), -1, LOGIC, 1, 1),)
"""The requirements of an operator that is never accepted."""


def folded(reached: Reach) -> Machine:
    """See the module. `reached` is closed, and of a quiet Machine."""
    machine = reached.machine
    operators, rules, derived = (
        list(machine.operators),
        list(machine.rules),
        list(machine.derived),
    )
    for number, unit in enumerate(reached.units):
        if unit.kind == OPERATOR:
            if reached.points[number][unit.body] is None:
                operators[unit.index] = replace(operators[unit.index], program=REFUSED, body=1)
                continue
            head = _folded(reached, number, unit, 0, unit.body)
            body = _folded(reached, number, unit, unit.body, len(unit.program))
            program = (*head, *(_moved(step, len(head)) for step in body))
            operators[unit.index] = replace(operators[unit.index], program=program, body=len(head))
            continue
        program = _folded(reached, number, unit, 0, len(unit.program))
        if unit.kind == DERIVED:
            derived[unit.index] = replace(derived[unit.index], program=program)
        else:
            rules[unit.index] = replace(rules[unit.index], program=program)
    return replace(machine, operators=tuple(operators), rules=tuple(rules), derived=tuple(derived))


def _folded(reached: Reach, number: int, unit: Unit, start: int, end: int) -> Program:
    """One stretch of a program as a program of its own."""
    run = Run(reached, number)
    steps: list[Step] = []
    for index in range(start, end):
        quiet, env = unit.program[index], reached.points[number][index]
        then, other = min(quiet.then, end) - start, min(quiet.other, end) - start
        if env is None or run.satisfied(quiet.tests, env) is None:
            then = other if env is not None else then
            steps.append(Step((), (), -1, (), -1, 0, then, then))
            continue
        tests = tuple(test for test in quiet.tests if _open(run, test, env))
        steps.append(Step(tests, quiet.assigns, -1, (), -1, quiet.refuse, then, other))
    return tuple(
        Step(each.tests, each.assigns, -1, (), -1, each.refuse, each.then, each.other)
        for each in silent(reached.machine, tuple(steps))
    )


def _open(run: Run, test: object, env: Env) -> bool:
    return run.refuted((test,), env) is not None  # type: ignore[arg-type]


def _moved(step: Step, by: int) -> Step:
    return step._replace(then=step.then + by, other=step.other + by)
