"""What nothing that was read tells: it is fetched first, or marked, and then never trained."""

from __future__ import annotations

import pytest

from tests.explorer.test_belief import world
from tests.explorer.test_saying import play
from worldengine.compiler import compile as compile_world
from worldengine.explorer.companion import Dial
from worldengine.players.shown.figures import untold
from worldengine.players.shown.wording import echoes
from worldengine.players.thoughts.claims import reasoned
from worldengine.rollout.trajectory import TurnRecord
from worldengine.tuning.masks import kind_of, mask

VAULT = """
world vault "The vault" { goal "Take the crown." turns 40 }
use travel, take, open, read
place hall "hall" { exit east to cellar  exit west to attic }
place cellar "cellar" { exit west to hall }
place attic "attic" { exit east to hall }
container trunk "old trunk" in attic { portable = false }
thing page "torn page" in trunk { read "It is 842." }
container safe "iron safe" in cellar { portable = false  locked = true }
thing crown "crown" in safe
player in hall
action dial(n: 100..999) {
  form "set [the] safe to {n}"
  require here(safe) else place "There is no safe here."
  if n == 842 { set safe.locked = false  set safe.open = true  say "It opens." }
  else { say "Nothing moves." }
}
win when held(crown) say "Done."
"""
KNOWING = 'proof "east", "set safe to 842", "take crown"\n'
TELLING = (
    'proof "west", "open old trunk", "take torn page", "read torn page", "east", "east",'
    ' "set safe to 842", "take crown"\n'
)


@pytest.mark.parametrize("proof", [KNOWING, TELLING])
def test_a_number_is_read_before_it_is_said(proof: str) -> None:
    """Where the known way itself says it unread, and hopes for no page, it is a marked guess."""
    machine = compile_world(VAULT + proof)
    for seed in range(6):
        told = False
        for view, intention, _, read in play(machine, seed, Dial(), 1):
            if intention.command == "set safe to 842":
                guess = bool(untold(view, intention.command))
                assert guess == (proof == KNOWING)
                assert intention.mark == ("guess" if guess else "")
                told = read.startswith("It opens")
        assert told


@pytest.mark.parametrize(("name", "some"), [("tide_clock", False), ("titration", True)])
def test_what_nothing_tells_is_marked(name: str, some: bool) -> None:
    marked = 0
    for seed in range(4):
        for view, intention, _, _ in play(world(name), seed, Dial(), 1):
            if intention.mistake:
                continue
            guess = not reasoned(view, intention.command)
            assert intention.mark == ("guess" if guess else "")
            marked += guess
    assert bool(marked) == some


@pytest.mark.parametrize("text", ["none", "refused", "refused,deliberate"])
def test_a_guess_is_never_trained(text: str) -> None:
    turn = TurnRecord(
        index=0, thought="", reply="Action: set safe to 842", command="set safe to 842",
        action="dial", outcome="ok", observation="It opens.", progress=0.0, score=0.0,
        status="running", refusal=None, train=True,
    )  # fmt: skip
    guess = turn.model_copy(update={"mistake": "guess"})
    assert mask(text).trains(turn) and not mask(text).trains(guess)
    assert kind_of(guess) == "guess"


@pytest.mark.parametrize(
    ("sentence", "command", "echo"),
    [
        ("You take mooring pin 2.", "take mooring pin 2", True),
        ("You alone: 614 tenths of a kilo.", "step on scales", False),
        ("The lid gives.", "open trunk", False),
    ],
)
def test_an_echo_tells_nothing(sentence: str, command: str, echo: bool) -> None:
    assert echoes(sentence, command) is echo
