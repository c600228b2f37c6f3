"""What a thought may claim: a number that nobody told is a guess, or is shown to follow."""

from __future__ import annotations

import re
from random import Random

import pytest

from worldengine.compiler import compile as compile_world
from worldengine.players.reply import Reply
from worldengine.players.shown.figures import numbers
from worldengine.players.thoughts.intention import Intention
from worldengine.players.thoughts.musing import Musing
from worldengine.players.view import View
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Set it to 41.", {41}),
        ("Forty-one sacks, the third row", {40, 1, 41, 3}),
        ("two hundred and five steps", {2, 200, 205, 5}),
        ("one hundred forty two", {1, 100, 40, 140, 142, 2, 42}),
        ("a dozen eggs, someone said", {12}),
        ("nothing here", set()),
    ],
)
def test_numbers_are_read_in_figures_and_in_words(text: str, told: set[int]) -> None:
    assert numbers(text) == told


WORLD = """
world kiln "The kiln" {
  intro "A crate stands in the shed, old Ines says."
  goal "Bring the kiln dial to between 45 and 55."
  turns 20
}
use travel, take, read
place yard "yard" { exit north to shed  describe "A bare yard. It is 20 degrees in here." }
place shed "shed" { exit south to yard  describe "Dark." }
thing note "note" in yard { read "Set the tap to 75 less the clay less the room." }
thing slip "paper slip" in yard { read "The clay is at 14 degrees." }
thing card "card" in yard { read "The valve wants thirty-three." }
thing crate "crate" in shed
action tap(n: 5..90) { form "set tap to {n}" say "It runs." }
action valve(n: 1..99) { form "set valve to {n}" say "It hisses." }
action dial(n: 20..80) { form "set kiln dial to {n}" say "It clicks." }
player in yard
win when held(crate)
"""


def seen(*commands: str) -> View:
    machine = compile_world(WORLD)
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="explorer"), command_set="known",
    )  # fmt: skip
    episode = Episode(machine, origin)
    for command in commands:
        episode.take(Reply("", command, command))
    return episode.view()


def said(view: View, intention: Intention, mode: str = "full") -> list[str]:
    return [Musing(Random(seed), mode).about(intention, view) for seed in range(80)]


GUESS = re.compile(r"guess|try my luck", re.IGNORECASE)


@pytest.mark.parametrize("mode", ["full", "brief"])
@pytest.mark.parametrize("why", ["plan", "guess", "early", "slip"])
def test_a_number_that_nobody_told_is_a_guess(why: str, mode: str) -> None:
    wrong = "set valve 33" if why == "slip" else "set valve to 33"
    intention = Intention(wrong, why, "set valve to 33")
    for thought in said(seen(), intention, mode):
        assert GUESS.search(thought) and "33" in thought, thought
    told = said(seen("read card"), intention, mode)
    assert not any(GUESS.search(thought) for thought in told if why != "guess"), told


def test_a_number_follows_from_a_rule_once_all_of_it_was_read() -> None:
    intention = Intention("set tap to 41", "guess", "set tap to 41")
    for thought in said(seen("read note", "read paper slip"), intention):
        assert '"Set the tap to 75 less the clay less the room."' in thought
        assert "75 less 14 less 20 is 41" in thought
    for read in (seen("read note"), seen("read paper slip")):
        assert all(GUESS.search(thought) for thought in said(read, intention))
    other = Intention("set tap to 42", "guess", "set tap to 42")
    for thought in said(seen("read note", "read paper slip"), other):
        assert GUESS.search(thought) and "75 less" not in thought


def test_a_number_within_what_was_asked_for_is_no_guess() -> None:
    for thought in said(seen(), Intention("set kiln dial to 50", "guess", "set kiln dial to 50")):
        assert "50 is between 45 and 55" in thought and not GUESS.search(thought)
    for thought in said(seen(), Intention("set kiln dial to 60", "guess", "set kiln dial to 60")):
        assert GUESS.search(thought)


def test_what_the_intro_tells_is_quoted_and_not_hoped_for() -> None:
    hoping = Intention("go north", "plan", "go north", hopes=(("crate", "shed"),))
    thoughts = said(seen("go north", "go south"), hoping)
    assert not any(re.search(r"[Pp]erhaps|[Mm]aybe|My guess|With luck", each) for each in thoughts)


def test_later_steps_with_what_was_not_seen_are_hopes() -> None:
    intention = Intention("go north", "plan", "go north", later="take crate")
    about = [each for each in said(seen(), intention) if "crate" in each]
    assert len(about) > 5
    for thought in about:
        assert re.search(r"hope|[Pp]erhaps|[Mm]aybe|luck|If all goes well", thought), thought
