"""Slips: wrong wordings are wrong in the ways people are wrong, and are set right by name."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from worldengine.explorer.slips.erring import MISTAKES, drawn
from worldengine.explorer.slips.forms import MAKERS, slips
from worldengine.players.thoughts import correcting
from worldengine.players.thoughts.correcting import correction
from worldengine.players.thoughts.spinning import Pool
from worldengine.rollout.seeds import generator


def test_wrong_numbers_are_near_misses() -> None:
    """A neighbour, swapped digits, or a number that was seen: no digits put at the end."""
    names = ("rune stone 1", "rune stone 4", "oak chest")
    wrong = {
        each
        for seed in range(40)
        for each in slips("number", "take rune stone 1", names, generator(seed, "x", 0))
        if each.startswith("take rune stone ")
    }
    assert wrong == {f"take rune stone {number}" for number in (2, 4, 5)}
    modes = {
        each.split()[1]
        for seed in range(40)
        for each in slips("number", "chmod 755 backup.sh", (), generator(seed, "x", 0))
        if re.fullmatch(r"chmod \d+ backup.sh", each)
    }
    assert modes == {"754", "756", "575", "7555", "7550"}


@pytest.mark.parametrize("kind", [each for each in MAKERS if each != "number"])
def test_slips_are_never_the_command_itself(kind: str) -> None:
    names = ("brass key", "oak door", "white letter")
    for seed in range(50):
        random = generator(seed, "x", 0)
        wrong = list(slips(kind, "unlock oak door with brass key", names, random))
        assert wrong and "unlock oak door with brass key" not in wrong


@pytest.mark.parametrize(
    ("kind", "command", "wrong"),
    [
        ("name", "take brass key", "take iron key"),
        ("name", "light ship lamp", "light ship lantern"),
        ("name", "open oak door", "open door"),
        ("preposition", "talk to ines", "talk ines"),
        ("preposition", "go north", "go to north"),
        ("part", "unlock oak door with brass key", "unlock oak door"),
        ("part", "take lamp", "take"),
        ("verb", "take lamp", "grab lamp"),
    ],
)
def test_slips_are_of_the_kind_that_is_asked_for(kind: str, command: str, wrong: str) -> None:
    names = ("brass key", "iron lock", "oak door", "ship lamp")
    made = [each for seed in range(20) for each in slips(kind, command, names, Random(seed))]
    assert wrong in made


def test_every_kind_is_drawn_about_as_often_as_stated() -> None:
    random = Random(1)
    first = Counter(drawn(random)[0] for _ in range(4000))
    for kind, weight in MISTAKES:
        assert abs(first[kind] / 4000 - weight) < 0.03


@pytest.mark.parametrize(
    ("wrong", "right", "pool"),
    [
        ("chmod 754 a.sh", "chmod 755 a.sh", correcting.WRONG_NUMBER),
        ("talk for ines", "talk to ines", correcting.WRONG_JOINT),
        ("grab lamp", "take lamp", correcting.WRONG_WORD),
        ("pry open tin", "open tin", correcting.WRONG_WORD),
        ("take", "take lamp", correcting.LEFT_OUT),
        ("take oak key", "take brass key", correcting.WRONG_NAME),
        ("grab lamp", "go north", None),
        ("take lamp", "take lamp", None),
    ],
)
def test_a_correction_names_what_was_wrong(wrong: str, right: str, pool: Pool | None) -> None:
    assert correction(wrong, right)[0] is pool
