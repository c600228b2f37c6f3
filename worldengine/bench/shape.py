"""A Machine of the shape on which array engines are compared."""

from __future__ import annotations

import random

from worldengine.machine.schema import (
    CONST,
    EQ,
    GE,
    LE,
    Assign,
    Form,
    Machine,
    Operator,
    Schema,
    Step,
    Test,
    Variable,
    Variant,
)


def trial_shape(seed: int = 0, variables: int = 48, operators: int = 300) -> Machine:
    """A machine of the shape that array engines are compared on: up to 8 comparisons and 4
    assignments an operator, no rules, no texts."""
    chance = random.Random(seed)
    status = variables

    def acts(index: int) -> Operator:
        tests = tuple(
            Test(chance.randrange(variables), chance.choice((EQ, GE, LE)), -1, chance.randrange(4))
            for _ in range(chance.randint(1, 8))
        )
        assigns = tuple(
            Assign(chance.randrange(variables), CONST, -1, -1, chance.randrange(4))
            for _ in range(chance.randint(1, 4))
        )
        return Operator(index, (), (), 0, (Step(tests, assigns, -1, (), -1, 0, 1, 1),), -1)

    numbers = tuple(
        Variable(f"v{index}", "int", "attribute", 0, 3, (), chance.randrange(4), -1)
        for index in range(variables)
    )
    state = (*numbers, Variable("status", "int", "status", 0, 2, (), 0, -1))
    forms = tuple(Form((f"act {i}",), (f"act {i}",), "", 4) for i in range(operators))
    return Machine(
        name="trial shape", title="", persona="", intro="", goal="", timeout="", turns=10**6,
        variables=state, derived=(), tables=(), texts=(), strings=(), symbols=(), objects=(),
        exits=(), scopes=(),
        schemas=tuple(Schema(f"act{i}", True, (), (forms[i],), -1) for i in range(operators)),
        operators=tuple(acts(index) for index in range(operators)), blocks=(), opening=-1,
        rules=(), variants=(Variant((), ()),), proofs=((),), player=-1, status=status, turn=-1,
        milestones=(), spans=(),
    )  # fmt: skip
