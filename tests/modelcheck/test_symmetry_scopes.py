"""Objects that are alike but for their scopes are no twins, and who takes them for twins errs.

Two pebbles in a world made by hand: one of them can be rubbed, the one that has been rubbed can be
waxed, and a waxed one wins as long as the lid is shut. What tells the pebbles apart is when
they are in scope, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.build_machine import Builder, eq, form, parameter, program, put, step
from tests.modelcheck.brute import brute
from worldengine.machine.schema import Machine
from worldengine.machine.validate import validate
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.programs.units import scopes_of
from worldengine.modelcheck.reductions import symmetry

LID, KNOB = 4, 5
"""Variables: whether the lid is open, whether the knob is turned."""
Row = tuple[int, int]
ALWAYS: Row = (-1, 1)


def pebbles(scopes: Callable[[Builder], tuple[Row, Row]]) -> Machine:
    """The world with the scopes of the first and the second pebble."""
    b = Builder()
    done, no = b.text("Done."), b.text("No.")
    one, two = b.object("one", "first pebble"), b.object("two", "second pebble")
    rubbed = {one: b.boolean("one.rubbed"), two: b.boolean("two.rubbed")}
    waxed = {one: b.boolean("one.waxed"), two: b.boolean("two.waxed")}
    lid, knob = b.boolean("lid"), b.boolean("knob")
    assert (lid, knob) == (LID, KNOB)
    status = b.integer("status", 0, 2, 0, role="status")
    b.scope("here", *((each, *row) for each, row in zip((one, two), scopes(b), strict=True)))
    near = parameter("x", (one, two), scope="here")
    rub = b.schema("rub", (near,), form("rub ", 0), own=True)
    wax = b.schema("wax", (near,), form("wax ", 0), own=True)
    lift = b.schema("lift", (), form("lift"), own=True)
    turn = b.schema("turn", (), form("turn"), own=True)
    wait = b.schema("wait", (), form("wait"), own=False)
    neither = tuple(eq(rubbed[each], 0) for each in (one, two))
    for each in (one, two):
        b.operator(
            rub, (each,), ((neither, 2, no, ()),), step(do=(put(rubbed[each], 1),), say=done)
        )
        asked = (((eq(rubbed[each], 1),), 2, no, ()),)
        b.operator(wax, (each,), asked, step(do=(put(waxed[each], 1),), say=done))
    b.operator(lift, (), (), step(do=(put(lid, 1),), say=done))
    b.operator(turn, (), (), step(do=(put(knob, 1),), say=done))
    b.operator(wait, (), ())
    shut = (eq(status, 0), eq(lid, 0), eq(knob, 0))
    steps = (step(*shut, eq(waxed[each], 1), do=(put(status, 1),)) for each in (one, two))
    b.rule("win", *steps, kind="win")
    machine = b.machine(status)
    validate(machine)
    return machine


def by_flag(b: Builder) -> tuple[Row, Row]:
    """The first is always there, the second under the lid."""
    return ALWAYS, (LID, 0)


def by_formula(b: Builder) -> tuple[Row, Row]:
    """Both ask a derived variable, which asks the knob for the first and the lid for the second."""
    found = []
    for name, flag, value in (("here(one)", KNOB, 0), ("here(two)", LID, 1)):
        own = b.derived_slot(len(b.derived))
        found.append((b.derive(name, program(step(eq(flag, value), do=(put(own, 1),)))), 0))
    return found[0], found[1]


def by_the_same(b: Builder) -> tuple[Row, Row]:
    """Both are there until the lid is open."""
    own = b.derived_slot(len(b.derived))
    shut = b.derive("shut", program(step(eq(LID, 0), do=(put(own, 1),))))
    return (shut, 0), (shut, 0)


def judged(machine: Machine) -> tuple[int | None, int]:
    """The length of the shortest win by merged states, and how many there are."""
    problem = Problem(machine)
    found = explore(
        problem, machine.start(0), problem.cone, 10**5, 1 << 28, clock(600), first_win=False,
        symmetry=True,
    )  # fmt: skip
    assert found.complete
    return None if found.plan is None else len(found.plan), found.states


@pytest.mark.parametrize("scopes", [by_flag, by_formula, by_the_same])
def test_scopes_are_compared(scopes: Callable[[Builder], tuple[Row, Row]]) -> None:
    machine = pebbles(scopes)
    judge = brute(machine, machine.start(0), 10_000)
    assert judge is not None and judge.shortest == 2
    length, states = judged(machine)
    assert length == judge.shortest
    assert (len(Problem(machine).alike) == 1) == (scopes is by_the_same)
    if scopes is by_the_same:
        assert states < judge.states


# -- what this is worth: comparisons that are wrong, and are caught --------------------------


def test_scopes_that_are_not_compared_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetry, "scopes_of", lambda machine, operator: [])
    assert judged(pebbles(by_flag))[0] is None


def test_scopes_that_are_only_counted_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetry, "scopes_of", lambda m, o: [(-1, 0) for _ in scopes_of(m, o)])
    assert judged(pebbles(by_flag))[0] is None


def test_formulas_of_scopes_that_are_not_compared_would_be_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(symmetry._Exchange, "_formulas", lambda self, asked: None)
    assert judged(pebbles(by_formula))[0] is None
