"""States in two sides: short, cut where it pays, and the same states however they are kept."""

from __future__ import annotations

import numpy as np
import pytest

from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.compiled.kernel import follow, scratch
from worldengine.modelcheck.exploration import growing, packing, sides
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
