"""Dominance and folding on worlds with hands that can be full, against the interpreter."""

from __future__ import annotations

from random import Random

import pytest

from tests.modelcheck.brute import brute
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.cone import cone_of
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.resources import shipped_world

STATES = 2_000
"""States up to which the interpreter is the judge."""


def script(seed: int) -> str:
    """A small world with things that may or may not matter: some win, some lose, one opens a
    box, some only fill the hands."""
    draw = Random(seed)
    rooms = draw.randint(2, 3)
    things = draw.randint(3, 4 if rooms == 2 else 3)
    carries = draw.randint(1, 2)
    lines = [
        'world small "Small" {',
        '  goal "Do it."',
        "  turns 40",
        "}",
        "use travel, take, open",
    ]
    for room in range(rooms):
        exits = []
        if room:
            exits.append(f"  exit west to r{room - 1}")
        if room + 1 < rooms:
            guard = draw.choice(("", " when box.open", f" when not held(t{things - 1})"))
            exits.append(f"  exit east to r{room + 1}{guard}")
        body = "\n".join(exits)
        lines.append(f'place r{room} "room {room}" {{\n{body}\n  describe "Bare." }}')
    lines.append(f"player in r0 {{ carries = {carries}  done : bool = false  hurt : 0..2 = 0 }}")
    box, shut = draw.randrange(rooms), draw.choice(("true", "false"))
    lines.append(f'container box "box" in r{box} {{ open = {shut} }}')
    places = [f"r{room}" for room in range(rooms)] + ["box", "player"]
    for thing in range(things):
        lines.append(
            f'thing t{thing} "stone {thing}" in {draw.choice(places)} {{ describe "Grey." }}'
        )
    needed = [f"held(t{thing})" for thing in range(things) if draw.random() < 0.5] or ["here(t0)"]
    lines.append('action strike { form "strike"')
    lines += [f'  require {each} else logic "No."' for each in needed[:carries]]
    lines.append('  set player.done = true say "Done." }')
    if draw.random() < 0.5:
        lines.append(f"rule cuts {{ when held(t{draw.randrange(things)}) set player.hurt += 1 }}")
    where = draw.choice(
        ("", f" and player.in == r{rooms - 1}", " and not held(t1)", " and t0.in == box")
    )
    lines.append(f'win when player.done{where} say "Won."')
    trap = draw.choice(("t0", "t1"))
    lines.append(f'lose when player.hurt == 2 or {trap}.in == box and player.done say "Lost."')
    return "\n".join(lines)


def shortest(machine: Machine, fold: bool, dominance: bool) -> tuple[int | None, int]:
    """The length of a shortest win and the states that were seen."""
    less = reduced(machine, fold, dominance)
    found = explore(
        Problem(less), less.start(0), cone_of(less), 10**6, 1 << 28, clock(600), first_win=False
    )
    assert found.complete
    return (None if found.plan is None else len(found.plan)), found.states


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(6))
def test_small_worlds_with_full_hands(batch: int) -> None:
    fewer, judged = 0, 0
    for seed in range(batch * 8, batch * 8 + 8):
        machine = compile(script(seed))
        judge = brute(machine, machine.start(0), STATES)
        if judge is None:
            continue
        judged += 1
        whole, states = shortest(machine, False, False)
        assert whole == judge.shortest, seed
        for fold, dominance in ((True, False), (False, True), (True, True)):
            less, left = shortest(machine, fold, dominance)
            assert (less, left <= states) == (judge.shortest, True), (seed, fold, dominance)
        fewer += left < states
    assert judged >= 2
    assert fewer > 0


@pytest.mark.slow
@pytest.mark.parametrize("world", ["tide_clock", "unix_intern", "thesis_shell"])
def test_shipped_worlds_keep_their_shortest_wins(world: str) -> None:
    path = shipped_world(world)
    assert path is not None
    machine = compile(path.read_text(encoding="utf-8"))
    lengths = set()
    for fold, dominance in ((False, False), (True, True)):
        less = reduced(machine, fold, dominance)
        found = explore(Problem(less), less.start(0), cone_of(less), 3_000_000, 1 << 29, clock(60))
        assert found.plan is not None, (world, fold)
        lengths.add(len(found.plan))
    assert len(lengths) == 1, (world, lengths)
