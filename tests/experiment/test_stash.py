"""The small family: every start of every world is won, none can be told from another."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldengine
from worldengine.experiment.stash import LAYOUTS, layout_of, script, write
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of


@pytest.mark.parametrize("number", [0, 1, 7])
def test_every_start_is_won_by_a_proof_that_goes_by_what_it_saw(number: int) -> None:
    machine = worldengine.compile(script(3, number))
    runtime = runtime_of(machine)
    assert len(machine.variants) == 81
    for variant in range(81):
        plan = winning_plan(machine, variant)
        assert plan is not None and len(plan) <= machine.turns
        state = machine.start(variant)
        seen = runtime.opening(state)
        for command in plan:
            verb, _, rest = command.partition(" ")
            if verb == "take":
                assert rest in seen
            if verb == "unlock":
                assert rest.split(" with ")[0] in seen
            turn = runtime.step(state, command)
            state = turn.state
            if verb == "go":
                seen = turn.observation
            elif verb == "unlock":
                seen += turn.observation
        assert turn.status == "won"


def test_layouts_are_other_shapes_and_every_start_of_them_is_won() -> None:
    shapes = set()
    for number in range(len(LAYOUTS)):
        machine = worldengine.compile(script(4, number, True, layout_of(4, number)))
        shapes.add(machine.shape)
        assert 27 <= len(machine.variants) <= 256
        assert len({runtime_of(machine).opening(machine.start(v)) for v in range(8)}) == 1
        if number % 9 == 0:
            for variant in range(len(machine.variants)):
                plan = winning_plan(machine, variant)
                assert plan is not None and len(plan) <= machine.turns - 6
    assert len(shapes) == len(LAYOUTS) == 64
    assert {layout_of(4, number) for number in range(64)} == set(LAYOUTS)


def test_openings_do_not_tell_starts_apart() -> None:
    machine = worldengine.compile(script(0, 0))
    runtime = runtime_of(machine)
    assert len({runtime.opening(machine.start(v)) for v in range(81)}) == 1


def test_equal_seeds_give_equal_files(tmp_path: Path) -> None:
    one, other = write(tmp_path / "a", 3, 5), write(tmp_path / "b", 3, 5)
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    assert script(5, 0) != script(6, 0) and script(5, 0) != script(5, 1)
