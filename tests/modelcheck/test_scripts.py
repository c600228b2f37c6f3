"""Reductions on random scripts: the shortest win is the interpreter's, whatever is left out."""

from __future__ import annotations

import pytest

from tests.modelcheck.brute import brute
from tests.modelcheck.scripts import script
from tests.modelcheck.test_reductions import shortest
from worldengine.compiler import CompileError, compile
from worldengine.modelcheck.reductions.reduced import reduced

STATES = 1_200
"""States up to which the interpreter is the judge."""


def compare(seeds: range) -> tuple[int, int, int]:
    """How many worlds were judged, how many of them can be won, in how many less was left."""
    judged = won = less = 0
    for seed in seeds:
        try:
            machine = compile(script(seed))
        except CompileError:
            continue
        judge = brute(machine, machine.start(0), STATES)
        if judge is None:
            continue
        judged += 1
        won += judge.shortest is not None
        less += reduced(machine) != reduced(machine, False, False)
        for fold, dominance in ((False, False), (True, False), (False, True), (True, True)):
            found, _ = shortest(machine, fold, dominance)
            assert found == judge.shortest, (seed, fold, dominance)
    return judged, won, less


def test_shortest_wins_of_random_scripts() -> None:
    judged, won, less = compare(range(10))
    assert judged > 2 and less > 0
    assert won > 0


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(4))
def test_shortest_wins_of_many_random_scripts(batch: int) -> None:
    judged, won, less = compare(range(1_000 + batch * 40, 1_040 + batch * 40))
    assert judged > 10 and won > 3 and less > 10


@pytest.mark.parametrize(
    "win",
    ["count(v: thing where held(v)) == 0", "case.lid", "box.inside.good"],
)
def test_a_command_that_wins_through_what_is_computed_is_kept(win: str) -> None:
    """What a win reads through a sum, a derived value or a reference is nobody's distraction."""
    text = f"""
    world small "Small" {{ goal "Do it." turns 9 }}
    use take
    kind stone is thing {{ good : bool = false }}
    place hall "hall"
    stone dull "dull stone" in player
    stone bright "bright stone" in hall {{ good = true }}
    thing box "box" in hall {{ portable = false inside : stone = dull }}
    thing case "case" in hall {{ portable = false lid : bool = false }}
    player in hall
    action swap {{ form "swap" set box.inside = bright set case.lid = true }}
    win when {win} say "Won."
    """
    machine = compile(text)
    judge = brute(machine, machine.start(0), STATES)
    assert judge is not None and judge.shortest == 1
    assert shortest(machine, True, True)[0] == 1
