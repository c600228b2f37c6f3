"""What stands in the way of a win that no single condition forbids.

In: a world of which every reachable state has been seen and none is won. Out: a `Reason`,
found by asking what would have to be otherwise: without which `lose`, without which rule,
without which condition of `win` could it be won? Each question is an exploration of a
changed copy of the world, within a small budget; the first that can be won names the culprit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from worldengine.machine.notation import Notation
from worldengine.machine.schema import Machine, Rule, Step
from worldengine.modelcheck.budget import Clock, clock
from worldengine.modelcheck.exploration.explore import explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.cone import cone_of
from worldengine.modelcheck.verdicts.reasons import Reason
from worldengine.modelcheck.wording.places import location_of

STATES = 100_000
"""States for each question."""
SECONDS = 3.0
MEMORY = 1 << 28


def blame(machine: Machine, variant: int, left: Clock) -> Reason:
    """The reason, as exact as the questions make it."""
    for changed, reason in _questions(machine):
        if left.left <= 0:
            break
        if _winnable(changed, variant, min(SECONDS, left.left)):
            return reason
    win = next((rule for rule in machine.rules if rule.kind == "win"), None)
    text = "every state that can be reached has been seen, and none of them is won"
    return Reason(text, location_of(machine, win.span) if win else None)


def _winnable(machine: Machine, variant: int, seconds: float) -> bool:
    problem = Problem(machine)
    seen = explore(
        problem, machine.start(variant), cone_of(machine), STATES, MEMORY, clock(seconds)
    )
    return seen.plan is not None and len(seen.plan) <= machine.turns


def _questions(machine: Machine) -> Iterator[tuple[Machine, Reason]]:
    for kind in ("lose", "rule"):
        for index, rule in enumerate(machine.rules):
            if rule.kind != kind:
                continue
            rest = (*machine.rules[:index], *machine.rules[index + 1 :])
            yield (
                replace(machine, rules=rest),
                Reason(_of_rule(rule), location_of(machine, rule.span)),
            )
    notation = Notation(machine)
    for index, rule in enumerate(machine.rules):
        if rule.kind != "win" or len(rule.program) != 1:
            continue
        step = rule.program[0]
        for place, test in enumerate(step.tests):
            if test.left == machine.status:
                continue
            easier = step._replace(tests=(*step.tests[:place], *step.tests[place + 1 :]))
            text = (
                f"`win` cannot hold: {notation.test(test)} is never so"
                " together with the other conditions"
            )
            changed = _with_rule(machine, index, rule, easier)
            yield changed, Reason(text, location_of(machine, rule.span))


def _with_rule(machine: Machine, index: int, rule: Rule, step: Step) -> Machine:
    easier = replace(rule, program=(step,))
    return replace(machine, rules=(*machine.rules[:index], easier, *machine.rules[index + 1 :]))


def _of_rule(rule: Rule) -> str:
    if rule.kind == "lose":
        return "`lose` always comes first: without it the world could be won"
    return f"rule `{rule.name}` undoes every win: without it the world could be won"
