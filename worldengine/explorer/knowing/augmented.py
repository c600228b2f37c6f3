"""A world in which requirements count only once they are known.

In: a Machine. Out: the same Machine with one more variable for every requirement that depends
on the state, and, for commands that are refused whatever the state, the classes of arguments
for which they are. A requirement whose variable is 0 is passed over; one that never holds is
left out, because what a refusal teaches there is about that very command and not about its
kind. So "what is known of the rules" becomes a part of the state, and everything that plans
over states plans over it, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from worldengine.machine import Machine
from worldengine.machine.reads import step_reads
from worldengine.machine.schema import (
    EQ,
    Argument,
    Assign,
    Operator,
    Program,
    Requirement,
    Row,
    Scope,
    ScopeRow,
    Step,
    Test,
    Variable,
)

Rule = tuple[int, int]
"""A requirement as written: its action schema and the span it was written at."""


@dataclass(frozen=True)
class Augmented:
    """`flags[rule]` is the variable that tells whether a rule is known. `rule_of[operator][k]`
    is the rule of an operator's requirement k, None where the requirement never depends on
    the state. `never` are the operators that are refused whatever the state and number."""

    machine: Machine
    flags: dict[Rule, int]
    rule_of: tuple[tuple[Rule | None, ...], ...]
    never: frozenset[int]


def augmented(machine: Machine) -> Augmented:
    """See the module."""
    rule_of = tuple(_rules(machine, operator) for operator in machine.operators)
    rules = dict.fromkeys(rule for found in rule_of for rule in found if rule is not None)
    count = len(machine.variables)
    flags = {rule: count + index for index, rule in enumerate(rules)}
    move = _Move(machine, len(flags))
    variables = machine.variables + tuple(
        Variable(f"known.{index}", "bool", "attribute", 0, 1, (), 0, -1)
        for index in range(len(flags))
    )
    operators = tuple(
        _operator(move, operator, found, flags)
        for operator, found in zip(machine.operators, rule_of, strict=True)
    )
    made = replace(
        machine,
        variables=variables,
        derived=tuple(
            replace(each, program=move.program(each.program)) for each in machine.derived
        ),
        tables=tuple(tuple(map(move.row, table)) for table in machine.tables),
        scopes=tuple(
            Scope(
                scope.word,
                tuple(ScopeRow(r.object, move.slot(r.slot), r.constant) for r in scope.rows),
            )
            for scope in machine.scopes
        ),
        operators=operators,
        blocks=tuple(replace(each, program=move.program(each.program)) for each in machine.blocks),
        rules=tuple(replace(each, program=move.program(each.program)) for each in machine.rules),
    )
    never = frozenset(
        index for index, operator in enumerate(machine.operators) if _never(machine, operator)
    )
    return Augmented(made, flags, rule_of, never)


def _rules(machine: Machine, operator: Operator) -> tuple[Rule | None, ...]:
    return tuple(
        (operator.schema, requirement.span) if _depends(machine, part) else None
        for requirement, part in _parts(operator)
    )


def _parts(operator: Operator) -> Iterator[tuple[Requirement, Program]]:
    """Each requirement with its steps."""
    ends = [*(each.entry for each in operator.requirements), operator.body][1:]
    for requirement, end in zip(operator.requirements, ends, strict=True):
        yield requirement, operator.program[requirement.entry : end]


def _depends(machine: Machine, part: Program) -> bool:
    """Whether a requirement asks about the state, and not only about its number."""
    asked = {slot for step in part for slot in step_reads(step._replace(arguments=()), machine)}
    return bool(asked - {machine.number_slot, *range(machine.register_base, machine.derived_base)})


def _never(machine: Machine, operator: Operator) -> bool:
    """Whether an operator is refused whatever the state and its number."""
    for _, part in _parts(operator):
        if any(step.refuse for step in part) and not any(step.tests for step in part):
            return True
    return False


class _Move:
    """Slots renumbered for `more` variables behind the others."""

    def __init__(self, machine: Machine, more: int) -> None:
        self.count = len(machine.variables)
        self.more = more

    def slot(self, slot: int) -> int:
        if slot < self.count:
            return slot
        return slot + (self.more if slot < 2 * self.count else 2 * self.more)

    def row(self, row: Row) -> Row:
        return Row(row.value, self.slot(row.slot), row.constant)

    def assign(self, assign: Assign) -> Assign:
        return Assign(
            self.slot(assign.target),
            assign.op,
            self.slot(assign.left),
            self.slot(assign.right),
            assign.constant,
        )

    def step(self, step: Step) -> Step:
        return step._replace(
            tests=tuple(
                Test(self.slot(t.left), t.op, self.slot(t.right), t.offset) for t in step.tests
            ),
            assigns=tuple(map(self.assign, step.assigns)),
            arguments=tuple(Argument(self.slot(a.slot), a.constant) for a in step.arguments),
        )

    def program(self, program: Program) -> Program:
        return tuple(map(self.step, program))


def _operator(
    move: _Move, operator: Operator, rules: tuple[Rule | None, ...], flags: dict[Rule, int]
) -> Operator:
    """The operator with a gate before each requirement that may be unknown."""
    entries = [requirement.entry for requirement in operator.requirements]
    body = operator.body
    places: list[int] = []  # where each old step now begins, its gate included
    at = 0
    for index in range(len(operator.program)):
        places.append(at)
        at += 2 if index in entries and index < body else 1
    places.append(at)
    ends = [*entries[1:], body]
    program: list[Step] = []
    requirements: list[Requirement] = []
    for index, step in enumerate(operator.program):
        if index < body and index in entries:
            number = entries.index(index)
            rule = rules[number]
            leave = places[ends[number]]
            here = len(program)
            tests = () if rule is None else (Test(flags[rule], EQ, -1, 1),)
            go = leave if rule is None else here + 1
            program.append(Step(tests, (), -1, (), -1, 0, go, leave))
            requirements.append(replace(operator.requirements[number], entry=here))
        moved = move.step(step)
        program.append(moved._replace(then=places[step.then], other=places[step.other]))
    return replace(
        operator,
        requirements=tuple(requirements),
        body=places[body],
        program=tuple(program),
    )
