"""The eight steps of a turn, on hand-built Machines."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from dataclasses import replace
from typing import Any

import pytest

from tests.build_machine import (
    Builder,
    copy,
    eq,
    form,
    ge,
    lamp_world,
    parameter,
    pick,
    put,
    slot,
    step,
    total,
    value,
)
from worldengine.machine.schema import (
    ACCEPTED,
    ADD,
    CONST,
    DIV,
    IS_UNDEFINED,
    LOGIC,
    MAX,
    MIN,
    MOD,
    MUL,
    NE,
    NONE,
    PARAMETER,
    PLACE,
    SATURATION,
    SUB,
    UNDEFINED,
    Assign,
    State,
)
from worldengine.machine.schema import Test as Condition
from worldengine.machine.validate import validate
from worldengine.runtime import (
    EpisodeOver,
    Runtime,
    SnapshotError,
    begin,
    restore,
    runtime_of,
    snapshot,
)

LAMP = lamp_world()
RUNTIME = Runtime(LAMP)
PLAN = ("take red key", "unlock door with red key", "go north", "take emerald")


def play(*commands: str) -> State:
    state = LAMP.start(0)
    for command in commands:
        transition = RUNTIME.step(state, command)
        assert transition.accepted, transition
        state = transition.state
    return state


def test_the_plan_wins() -> None:
    state = play(*PLAN[:-1])
    last = RUNTIME.step(state, PLAN[-1])
    assert last.observation == "You take the emerald.\nYou have it!"
    assert (last.status, last.progress, last.score) == ("won", 1.0, 1.0)
    assert (last.action, last.outcome, last.outcome_name) == ("take emerald", ACCEPTED, "ok")
    with pytest.raises(EpisodeOver):
        RUNTIME.step(last.state, "look")
    with pytest.raises(EpisodeOver):
        RUNTIME.act(last.state, 0)
    assert RUNTIME.applicable(last.state) == () == RUNTIME.scoped(last.state)


@pytest.mark.parametrize(
    ("command", "outcome", "observation"),
    [
        ("go north", LOGIC, "The oak door is locked."),
        ("take emerald", PLACE, "You see no emerald here. Try: take THING."),
        ("dial 1", LOGIC, "It is lit already."),
        ("dial 10", PARAMETER, "N must be a whole number from 1 to 9. Try: dial N."),
    ],
)
def test_a_refused_command_keeps_the_very_same_state(
    command: str, outcome: int, observation: str
) -> None:
    state = LAMP.start(0)
    transition = RUNTIME.step(state, command)
    assert (transition.outcome, transition.observation) == (outcome, observation)
    assert transition.state is state
    assert transition.refusal is not None


def test_a_turn_that_says_nothing_is_done() -> None:
    assert RUNTIME.step(play("take red key"), "unlock door with key").observation == "Done."


def test_turn_and_prior() -> None:
    third = RUNTIME.step(play("look", "look"), "look")
    assert third.observation.endswith("\nSomewhere a clock strikes.")
    fourth = RUNTIME.step(third.state, "look")
    assert "clock" not in fourth.observation


def test_acting_checks_what_text_checks() -> None:
    state = LAMP.start(0)
    refused = RUNTIME.act(state, 6)
    assert (refused.outcome, refused.observation) == (
        PLACE,
        "You see no emerald here. Try: take THING.",
    )
    assert RUNTIME.act(state, 19, 10).outcome == PARAMETER
    assert RUNTIME.act(state, 19, 7) == RUNTIME.step(state, "dial 7")
    with pytest.raises(IndexError):
        RUNTIME.act(state, 99)
    with pytest.raises(ValueError, match="12 values"):
        RUNTIME.step(state[:-1], "look")


@pytest.mark.parametrize("command", [None, 3, b"look", ["look"]])
def test_what_is_no_text_is_no_command(command: Any) -> None:
    with pytest.raises(TypeError, match=r"^a command is text \(a str\), not (None|an? \w+)$"):
        LAMP.step(LAMP.start(), command)


@pytest.mark.parametrize("state", [None, 3, "look", {}])
def test_what_is_no_state_is_no_state(state: Any) -> None:
    with pytest.raises(TypeError, match=r"^a state is the tuple that start or a turn gave, not "):
        LAMP.step(state, "look")
    with pytest.raises(TypeError, match=r"^a state is the tuple"):
        LAMP.applicable(state)


def test_a_machine_prints_as_one_line() -> None:
    shown = repr(LAMP)
    assert str(LAMP) == shown
    assert shown.startswith(f"<Machine {LAMP.name} {LAMP.title!r}: 2 places, ")
    assert shown.endswith(f", 1 variants, hash {LAMP.hash[:12]}>")
    assert len(shown) < 200 and "\n" not in shown


def test_what_is_remembered_of_a_machine_is_private() -> None:
    machine = lamp_world()
    machine.step(machine.start(), "look")
    begin(machine)
    fields = {item.name for item in dataclasses.fields(machine)}
    kept = set(vars(machine)) - fields
    assert kept and all(name.isidentifier() and name.startswith("_") for name in kept)
    assert set(dir(machine)) - set(dir(type(machine))) - fields == kept


def test_refusals_can_be_asked_again() -> None:
    state = LAMP.start(0)
    locked = RUNTIME.step(state, "go north").refusal
    far = RUNTIME.step(state, "take emerald").refusal
    unknown = RUNTIME.step(state, "xyzzy").refusal
    assert locked and far and unknown
    assert (locked.requirement, locked.template) == (0, "go DIRECTION")
    assert not RUNTIME.holds(state, locked)
    assert not RUNTIME.holds(state, far)
    opened = play(*PLAN[:2])
    assert RUNTIME.holds(opened, locked)
    assert RUNTIME.holds(play(*PLAN[:3]), far)
    assert not RUNTIME.holds(opened, unknown)


def test_command_sets() -> None:
    state = LAMP.start(0)
    assert RUNTIME.applicable_texts(state) == (
        "take lamp",
        "take red key",
        "take jar 2",
        "look",
        "light lamp",
        "dial 2..9",
    )
    assert "go north" in RUNTIME.scoped_texts(state)
    assert "dial 1..9" in RUNTIME.scoped_texts(state)
    middle = play("dial 5")
    assert (19, ((1, 4), (6, 9))) in RUNTIME.applicable(middle)


def test_snapshots_belong_to_their_machine() -> None:
    state = play("take lamp")
    assert restore(LAMP, snapshot(LAMP, state)) == state
    other = replace(LAMP, goal="Another.")
    with pytest.raises(SnapshotError, match="another version"):
        restore(other, snapshot(LAMP, state))
    with pytest.raises(SnapshotError, match="dial cannot be 12"):
        restore(LAMP, {"machine": LAMP.hash, "state": [*state[:8], 12, *state[9:]]})


# -- arithmetic -----------------------------------------------------------------------------


def compute(*assigns: Assign, low: int = -100, high: int = 100) -> int:
    """What `x` holds after the assignments; slot 0 is x, 1 is y = 7, 2 is z = -7."""
    b = Builder()
    b.integer("x", low, high, max(low, 0))
    b.integer("y", 0, 9, 7)
    b.integer("z", -9, 9, -7)
    status = b.integer("status", 0, 2, 0, role="status")
    b.table((7, -1, 70), (5, 2, 0))
    act = b.schema("act", (), form("act"), own=True)
    b.operator(act, (), (), step(do=assigns))
    machine = b.machine(status)
    validate(machine)
    return Runtime(machine).act(machine.start(0), 0).state[0]


R0, R1 = 9, 10


@pytest.mark.parametrize(
    ("assigns", "result"),
    [
        ((Assign(0, ADD, 1, 2, 3),), 3),
        ((Assign(0, SUB, 1, 2, 3),), 17),
        ((Assign(0, MUL, 2, -1, 3),), -21),
        ((Assign(0, DIV, 2, -1, 2),), -4),
        ((Assign(0, DIV, 1, -1, -2),), -4),
        ((Assign(0, MOD, 2, -1, 3),), 2),
        ((Assign(0, MOD, 1, -1, -3),), -2),
        ((Assign(0, MIN, 1, 2, 0),), -7),
        ((Assign(0, MAX, 1, 2, 0),), 7),
        ((pick(0, 1, 0),), 70),
        ((put(R0, 5), pick(0, R0, 0)), -7),
        ((put(0, 9), pick(0, 2, 0)), 9),
        ((put(R0, UNDEFINED), Assign(0, MIN, R0, 1, 0)), 7),
        ((put(R0, UNDEFINED), total(R1, R0, 1), copy(0, R1)), 0),
        ((put(0, 500),), 100),
        ((put(0, -500),), -100),
    ],
)
def test_assignments(assigns: tuple[Assign, ...], result: int) -> None:
    assert compute(*assigns) == result


def test_registers_stop_at_their_ends() -> None:
    assigns = (put(R0, SATURATION), total(R0, R0, R0, 1), copy(0, R0, -SATURATION))
    assert compute(*assigns) == 0
    assigns = (put(R0, -SATURATION), total(R0, R0, R0, -1), copy(0, R0, SATURATION))
    assert compute(*assigns) == 0


@pytest.mark.parametrize("op", range(IS_UNDEFINED))
def test_an_undefined_operand_makes_every_test_false(op: int) -> None:
    b = Builder()
    x = b.integer("x", 0, 9, 0)
    status = b.integer("status", 0, 2, 0, role="status")
    act = b.schema("act", (), form("act"), own=True)
    r0 = b.register(0)
    b.operator(
        act,
        (),
        (),
        step(do=(Assign(r0, CONST, -1, -1, UNDEFINED),)),
        step(Condition(r0, op, -1, 0), do=(put(x, 1),)),
        step(Condition(x, op, r0, 0), do=(put(x, 2),)),
        step(Condition(r0, op, r0, 0), do=(put(x, 3),)),
    )
    machine = b.machine(status)
    assert Runtime(machine).act(machine.start(0), 0).state[x] == 0


# -- scopes, several requirements, blocks ----------------------------------------------------


def test_the_first_failing_requirement_answers() -> None:
    b = Builder()
    x = b.integer("x", 0, 9, 0)
    y = b.integer("y", 0, 9, 0)
    status = b.integer("status", 0, 2, 0, role="status")
    first, second = b.text("First, ", (0, "number", ""), "."), b.text("Second.")
    act = b.schema(
        "act", (parameter("n", type="number", low=0, high=9),), form("act ", 0), own=True
    )
    b.operator(
        act,
        (NONE,),
        (
            ((ge(b.number, 3),), PARAMETER, first, (slot(b.number),)),
            ((Condition(b.number, NE, y, 0), eq(x, 0)), LOGIC, second, (value(0),)),
        ),
        step(do=(copy(y, b.number),)),
    )
    machine = b.machine(status)
    validate(machine)
    runtime = Runtime(machine)
    state = machine.start(0)
    refused = runtime.step(state, "act 2")
    assert (refused.outcome, refused.observation) == (PARAMETER, "First, 2.")
    state = runtime.step(state, "act 5").state
    again = runtime.step(state, "act 5")
    assert (again.outcome, again.observation) == (LOGIC, "Second.")
    assert again.refusal is not None
    assert (again.refusal.requirement, again.refusal.number) == (1, 5)
    assert runtime.applicable_texts(state) == ("act 3..4", "act 6..9")


def test_a_runtime_lives_as_long_as_its_machine() -> None:
    first, second = lamp_world(), lamp_world()
    assert first == second
    assert runtime_of(first) is runtime_of(first)
    assert runtime_of(first) is not runtime_of(second)
    gone = weakref.ref(runtime_of(first).tables.machine), weakref.ref(first)
    del first
    gc.collect()
    assert [reference() for reference in gone] == [None, None]
