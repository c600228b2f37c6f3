"""States in two sides: short, cut where it pays, and the same states however they are kept."""

from __future__ import annotations

import numpy as np
import pytest

from tests.build_machine import Builder, eq, form, put, step
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.compiled.kernel import follow, scratch
from worldengine.modelcheck.exploration import growing, packing, recall, sides
from worldengine.modelcheck.exploration.explore import Explored, explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.cone import cone_of
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.resources import shipped_world

ROOM = 1 << 30


def world(name: str) -> Machine:
    path = shipped_world(name)
    assert path is not None
    return compile(path.read_text(encoding="utf-8"))


def seen(machine: Machine, states: int = 10**8, edges: bool = True) -> Explored:
    problem = Problem(machine)
    return explore(
        problem, machine.start(), cone_of(machine), states, ROOM, clock(600), not edges, edges
    )


def summed(found: Explored) -> tuple[object, ...]:
    """What does not depend on how states are kept."""
    far, counts = np.unique(found.distances(), return_counts=True)
    return (
        found.states,
        found.transitions,
        found.plan,
        tuple(far.tolist()),
        tuple(counts.tolist()),
        tuple(sorted(found.state(node) for node in range(found.states))),
    )


@pytest.mark.parametrize("bits", [3, 7, 11])
def test_the_same_states_in_sides_of_short_words(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words of fewer bits make more of them; little room makes both sides grow, and cuts early."""
    machine = reduced(world("tide_clock"))
    plain = seen(machine)
    assert plain.packing.size == 2
    for module in (packing, sides):
        monkeypatch.setattr(module, "WORD", bits)
    for name, value in (("FIRST_ROOM", 700), ("FIRST_SIDES", 700), ("CUTS", (300, 3_000))):
        monkeypatch.setattr(growing, name, value)
    kept = seen(machine)
    assert kept.packing.size > 2
    assert summed(kept) == summed(plain)


def test_a_cut_is_moved_and_ways_lead_where_they_say() -> None:
    machine = world("convent_bell")
    found = seen(machine, 30_000, edges=False)
    problem, space = found.problem, scratch(found.problem.tables)
    assert problem.reach is not None
    first = packing.packing_of(machine, cone_of(machine).variables, problem.reach.values)
    assert (found.packing.cut, found.packing.size) != (first.cut, first.size)
    assert found.bytes_per_state <= 24, "in a world of 176 variables"
    out = np.zeros(len(machine.variables), np.int32)
    for node in range(1, found.states, 4_999):
        state = np.array(machine.start(), np.int32)
        for operator, number in found.way(node):
            assert follow(problem.tables, state, operator, number, out, space)
            state = out.copy()
        kept = found.packing.variables
        assert tuple(state[kept]) == tuple(np.array(found.state(node))[kept])


@pytest.mark.parametrize("name", ["ferry", "night_nurse"])
def test_what_rules_do_is_remembered_right(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same nodes in the same order, whatever has taken the place of what."""
    machine = world(name)
    monkeypatch.setattr(recall, "DEAR", 10**9)
    plain = seen(machine, 8_000)
    monkeypatch.setattr(recall, "DEAR", 1)
    monkeypatch.setattr(recall, "ROOM", 1 << 8)
    kept = seen(machine, 8_000)
    count = plain.states
    assert count >= 8_000 and kept.states == count and kept.transitions == plain.transitions
    assert np.array_equal(kept.graph.edges, plain.graph.edges)
    assert all(kept.state(node) == plain.state(node) for node in range(0, count, 97))
    assert recall._rules_of(machine)[0] > 0


def lamp_and_bell() -> Machine:
    """The bell rings in the turn in which the lamp is lit, and can be hushed while it is."""
    b = Builder()
    done = b.text("Done.")
    lit, rung = b.boolean("lit"), b.boolean("rung")
    status = b.integer("status", 0, 2, 0, role="status")
    for name, deed in (("light", put(lit, 1)), ("hush", put(rung, 0)), ("dim", put(lit, 0))):
        schema = b.schema(name, (), form(name), own=True)
        b.operator(schema, (), (), step(do=(deed,), say=done))
    b.operator(b.schema("wait", (), form("wait"), own=False), (), ())
    b.rule("ring", step(eq(lit, 1), eq(b.prior(lit), 0), do=(put(rung, 1),)))
    b.rule("win", step(eq(status, 0), eq(rung, 1), eq(lit, 0), do=(put(status, 1),)), kind="win")
    return b.machine(status)


def test_what_was_before_is_remembered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a memory that does not ask what was would be caught."""
    machine = lamp_and_bell()
    plain = seen(machine)
    monkeypatch.setattr(recall, "DEAR", 1)
    assert summed(seen(machine)) == summed(plain)
    steps, priors = recall._rules_of(machine)
    assert priors == (0,)
    monkeypatch.setattr(recall, "_rules_of", lambda machine: (steps, ()))
    assert summed(seen(machine)) != summed(plain)
