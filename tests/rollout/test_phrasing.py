"""Commands as prose and as choices; what was typed in vain."""

from __future__ import annotations

import pytest

from tests.worlds import TINY
from worldengine.compiler import compile as compile_world
from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.resources import shipped_worlds
from worldengine.rollout.episode import Episode
from worldengine.rollout.phrasing import phrase
from worldengine.rollout.plan import planned
from worldengine.rollout.showing import choice
from worldengine.rollout.storage import Manifest
from worldengine.rollout.trajectory import PlayerRecord


def machine_of(name: str) -> Machine:
    if name == "tiny":
        return compile_world(TINY)
    (path,) = [path for path in shipped_worlds() if path.stem == name]
    return compile_world(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("take letter", "take the letter"),
        ("east", "go east"),
        ("e", "go east"),
        ("put white letter in post box", "put the white letter in the post box"),
        ("look", "look around"),
        ("take the umbrella", "take the umbrella"),
    ],
)
def test_commands_as_prose(command: str, said: str) -> None:
    assert phrase(machine_of("tiny"), command).do == said


def test_an_exit_of_any_name_is_a_way_to_go() -> None:
    machine = machine_of("ferry")
    assert phrase(machine, "aboard").do == "go aboard"
    assert phrase(machine, "seat fru berg").do == "seat Fru Berg"
    assert phrase(machine, "go aboard").travel


def test_a_numbered_choice_is_filled() -> None:
    gap = choice("dial 1..9")
    assert gap.numbered and (gap.low, gap.high) == (1, 9) and gap.fill(7) == "dial 7"
    below = choice("set heat to -5..20 degrees")
    assert below.fill(-3) == "set heat to -3 degrees" and below.low == -5
    plain = choice("take jar 2")
    assert not plain.numbered and plain.text == "take jar 2"


def test_what_was_typed_in_vain_teaches_nothing() -> None:
    """Typing a guess must not put it into the known set: that would say whether it exists."""
    machine = machine_of("tiny")
    manifest = Manifest(
        program="test",
        player=PlayerRecord(name="human"),
        command_set="known",
        seed=0,
        episodes=1,
        variant=0,
        worlds=(),
    )
    episode = Episode(machine, planned(machine, manifest, 0))
    before = episode.view().choices()
    assert episode.take(write("", "take latch key")).outcome == "place"
    assert episode.take(write("", "take silver key")).outcome == "parameter"
    assert episode.view().choices() == before
    assert not any("latch key" in item.text for item in before)
