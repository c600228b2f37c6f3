"""Scripts with as many plays as starts: which play is meant depends on which start it is, and that
is found out before anything is done that only one of them does."""

from __future__ import annotations

import pytest

from tests.explorer.test_belief import world
from worldengine.compiler import compile as compile_world
from worldengine.explorer.deciding.mind import begin
from worldengine.explorer.ways import own_ways
from worldengine.machine import Machine
from worldengine.machine.schema import RUNNING
from worldengine.runtime import runtime_of

CUPS = """
world cups "Two cups" { goal "Drink from the right cup." turns 12 }
use travel, take
enum colour : red | blue
place hall "hall" { exit north to cellar  exit south to attic }
place cellar "cellar" { exit south to hall }
place attic "attic" { exit north to hall }
thing note "note" in hall {
  portable = false
  right : colour = red
  describe "Only {note.right}."
}
thing red_cup "red cup" in cellar
thing blue_cup "blue cup" in attic
player in hall { drunk : bool = false }
vary note.right among red, blue
action drink(x: thing held) {
  form "drink from {x}"
  require x != note else parameter "A note?"
  require note.right == red and x == red_cup or note.right == blue and x == blue_cup
      else logic "It stays full."
  set player.drunk = true
}
win when player.drunk say "Done."
proof "north", "take red cup", "drink from red cup"
proof "south", "take blue cup", "drink from blue cup"
"""


def commands(machine: Machine, start: int, mood: int) -> list[str]:
    moment = begin(machine, start, mood)
    found: list[str] = []
    while moment.state[machine.status] == RUNNING and len(found) < machine.turns:
        found.append(moment.decision().command)
        moment = moment.then(found[-1])
    assert runtime_of(machine).status(moment.state) == "won", found
    return found


@pytest.mark.parametrize("mood", range(4))
@pytest.mark.parametrize(("start", "colour"), [(0, "red"), (1, "blue")])
def test_what_tells_the_starts_apart_is_read_before_either_is_served(
    start: int, colour: str, mood: int
) -> None:
    """No rule known says that the colour matters; that the plays differ does."""
    found = commands(compile_world(CUPS), start, mood)
    other = "blue" if colour == "red" else "red"
    assert found.index("examine note") < found.index(f"take {colour} cup")
    assert f"take {other} cup" not in found


def test_plays_are_nobodys_own_where_there_are_more_starts_than_plays() -> None:
    machine = compile_world(CUPS.replace('proof "south"', '// proof "south"'))
    assert own_ways(machine) == ()
    assert len(own_ways(compile_world(CUPS))) == 2


def test_the_order_of_plays_is_all_that_is_gone_by() -> None:
    """Nothing is played to find out which play wins which start: a script that has them the
    wrong way round leads astray at first."""
    text = CUPS.replace('proof "north"', 'proof "SOUTH"').replace('proof "south"', 'proof "north"')
    text = text.replace('proof "SOUTH"', 'proof "south"')
    text = (
        text.replace('"take red cup", "drink from red cup"\nproof', "@")
        .replace('"take blue cup", "drink from blue cup"', '"take red cup", "drink from red cup"')
        .replace("@", '"take blue cup", "drink from blue cup"\nproof')
    )
    machine = compile_world(text)
    refused = 0
    moment = begin(machine, 0, 0)
    for _ in range(machine.turns):
        command = moment.decision().command
        refused += runtime_of(machine).step(moment.state, command).refusal is not None
        moment = moment.then(command)
        if moment.state[machine.status] != RUNNING:
            break
    assert refused


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ferry", "forklift", "plumber"])
def test_every_start_of_a_world_is_won_where_no_rule_is_known(name: str) -> None:
    machine = world(name)
    for start in range(len(machine.variants)):
        commands(machine, start, start % 4)
