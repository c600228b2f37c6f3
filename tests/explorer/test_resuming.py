"""Known ways where no rule is known: what is left out of them, and how they are taken up again."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explorer.test_belief import HIDING, hiding, world
from worldengine.compiler import compile as compile_world
from worldengine.explorer.deciding.mind import begin
from worldengine.explorer.imagining.replaying import Way
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.planning.resuming import goals_of, resumed, without
from worldengine.machine import Machine
from worldengine.machine.schema import RUNNING
from worldengine.runtime import runtime_of


def said(machine: Machine, way: Way) -> list[str]:
    matcher = runtime_of(machine).matcher
    return [matcher.canonical(*action) for action in way]


def refusals(machine: Machine, daring: int, mood: int = 0) -> tuple[list[str], list[str]]:
    """What was refused in a play, and all that was said."""
    moment = begin(machine, 0, mood, "none", daring=daring)
    refused: list[str] = []
    commands: list[str] = []
    while moment.state[machine.status] == RUNNING and len(commands) < machine.turns:
        command = moment.decision().command
        turn = runtime_of(machine).step(moment.state, command)
        refused += [command] if turn.refusal is not None else []
        commands.append(command)
        moment = moment.then(command)
    assert runtime_of(machine).status(moment.state) == "won"
    return refused, commands


def unasked() -> Machine:
    """The world in which only a rule, and not the goal, asks for the stamp."""
    return compile_world(
        HIDING.replace("letter.in == tray and player.stamped", "letter.in == tray")
    )


def test_who_dares_nothing_does_every_step_of_a_known_way() -> None:
    refused, commands = refusals(unasked(), 0)
    assert not refused and "stamp letter" in commands


def test_what_was_left_out_is_done_after_the_refusal_and_then_the_rest() -> None:
    refused, commands = refusals(unasked(), 3)
    assert refused == ["put letter on tray"]
    at = commands.index("put letter on tray")
    assert commands[at + 1 :] == ["stamp letter", "put letter on tray"]


WEIGHING = """
world salt "The salt house" { goal "Give Marta the sack." turns 40 }
use travel, take, switch, give
kind bag is thing { weighed : bool = false }
place yard "yard" { exit east to store }
place store "store" { exit west to yard }
bag sack "sack" in yard
device scale "scale" in store
person marta "Marta" proper in yard { pleased : bool = false }
player in yard
action weigh(s: bag held) {
  form "weigh {s}"
  require here(scale) else place "There is no scale here."
  require scale.on else logic "The scale is switched off."
  set s.weighed = true
  say "Forty pounds."
}
before give(x: bag, p: marta) { require x.weighed else logic "\\"Weigh it first,\\" says Marta." }
after give(x: bag, p: marta) { set marta.pleased = true }
win when marta.pleased say "Done."
proof "take sack", "east", "switch on scale", "weigh sack", "west", "give sack to Marta"
"""


def test_what_was_refused_is_done_before_walking_away() -> None:
    """Nobody knows yet what the weighing is for; it was meant to be done, though."""
    machine = compile_world(WEIGHING)
    met = 0
    for mood in range(12):
        refused, commands = refusals(machine, 3, mood)
        if "weigh sack" in refused:
            at = commands.index("weigh sack")
            assert commands[at + 1 : at + 3] == ["switch on scale", "weigh sack"], commands
            met += 1
    assert met


@pytest.mark.parametrize("mood", range(4))
def test_a_step_whose_want_is_felt_at_once_is_not_left_out(mood: int) -> None:
    """Without the belt the money is stolen: no rule is needed to see that."""
    machine = world("lagos_market")
    plan = begin(machine, 0, mood).decision().plan
    assert "wear money belt" in said(machine, plan)


def test_what_is_left_is_resumed_without_what_would_change_nothing() -> None:
    machine = hiding()
    insight = insight_of(machine)
    free = [0] * len(insight.rules.flags)
    start = (*machine.start(0), *free)
    (way,) = insight.ways
    goals = goals_of(insight.replayer, start, way, insight.moves)
    assert without(goals, way[:2]) == goals[2:]
    known = (*machine.start(0), *[1] * len(free))
    later = insight.replayer.states_of(known, way[:2])[-1]
    everything = np.arange(len(insight.actions[0]), dtype=np.int32)
    row = np.array(later, insight.replayer.kind)
    assert resumed(insight, row, goals, everything) == way[2:]
    first = np.array(known, insight.replayer.kind)
    mended = resumed(insight, first, goals[3:], everything)
    assert said(machine, mended)[-1] == "put letter on tray"
    assert insight.replayer.wins(known, mended)
