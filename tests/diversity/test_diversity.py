"""Similarity and structure: renaming is seen through, a change of rules is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldengine.compiler import compile
from worldengine.diversity import alike, compare, mechanics_of, structure
from worldengine.diversity.telling import document, heatmap, remarks
from worldengine.machine import Machine
from worldengine.perturb import perturb
from worldengine.resources import shipped_worlds
from worldengine.source import Source

NAMES = ("tide_clock", "mountain_hut", "bakery")


def script(name: str) -> str:
    path = next(path for path in shipped_worlds() if path.stem == name)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def machines() -> list[Machine]:
    return [compile(script(name)) for name in NAMES]


def test_other_words_keep_the_structure(machines: list[Machine]) -> None:
    other = perturb(Source("tide.world", script("tide_clock")), ["rename", "verbs"], 1).machine
    assert other.hash != machines[0].hash
    assert structure(other) == structure(machines[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turns 30", "turns 31"),
        ("if n == 7", "if n == 8"),
        ("set player.rang = true", "set player.rang = false"),
        ("in tin", "in quay"),
        ("turn >= 28", "turn > 28"),
        ("carries = 3", "carries = 4"),
    ],
)
def test_any_change_of_rules_changes_the_structure(
    old: str, new: str, machines: list[Machine]
) -> None:
    text = script("tide_clock")
    assert old in text
    assert structure(compile(text.replace(old, new, 1))) != structure(machines[0])


def test_numbers_that_can_be_known_beforehand(machines: list[Machine]) -> None:
    found = compare([*machines, machines[0]], [*NAMES, "twin"])
    assert found.equal == ((0, 3),)
    assert found.near == ((0, 3),)
    other, value = found.nearest(0)
    assert other == 3 and abs(value - 1) < 1e-5
    assert abs(found.words[1, 2] - found.words[2, 1]) < 1e-6
    assert (0, 3) in found.clusters and len(found.clusters) == 3
    assert all(abs(value - 1) < 1e-5 for value in alike(machines[0], machines[0]))


def test_mechanics_are_read_off_the_machine(machines: list[Machine]) -> None:
    assert {"doors", "locks", "containers", "variants", "number commands", "clock", "losing"} <= (
        set(mechanics_of(machines[0]))
    )
    bare = compile(
        'world w "W" { goal "Take it." turns 9 } use take place a "a" '
        'thing x "x" in a player in a win when held(x) proof "take x"'
    )
    assert not {"doors", "losing", "clock", "variants", "map"} & set(mechanics_of(bare))


def test_the_report_names_what_is_the_same(machines: list[Machine]) -> None:
    told = document(compare([*machines, machines[0]], [*NAMES, "twin"]), [*machines, machines[0]])
    assert told["equal_structures"] == [["tide_clock", "twin"]]
    assert "equal up to renaming: tide_clock, twin" in remarks(told)


def test_the_picture_is_drawn_and_the_same_twice(machines: list[Machine], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = compare(machines, NAMES)
    heatmap(found, tmp_path / "a.svg")
    heatmap(found, tmp_path / "b.svg")
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes() and b"<svg" in first


def test_none_or_too_many_are_refused() -> None:
    with pytest.raises(ValueError, match="0 worlds"):
        compare([], [])
