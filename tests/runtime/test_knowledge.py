"""What a player may know: it follows from what was shown, and from nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.build_machine import lamp_world
from worldengine.machine.schema import NONE, Variant
from worldengine.runtime import Runtime, begin, known, prompt

LAMP = lamp_world()


def test_the_prompt_names_nothing_unseen() -> None:
    text = prompt(LAMP)
    for item in LAMP.objects:
        assert item.role == "player" or item.name not in text
    assert "- unlock DOOR with KEY" in text
    assert "- dial N   [N: 1..9]" in text
    assert text.index("unlock") < text.index("take THING")
    assert text.endswith("Action: one command")
    assert "Thought" not in prompt(LAMP, reply="action")
    with pytest.raises(IndexError):
        prompt(LAMP, 1)
    with pytest.raises(ValueError, match="react"):
        prompt(LAMP, reply="xml")


def test_known_grows_with_what_is_read() -> None:
    first = begin(LAMP)
    assert known(LAMP, first) == ("dial 1..9", "look")
    after = first.seen("You are in the hall. You see a lamp, a RED KEY and jar 2.")
    assert known(LAMP, after) == (
        "light lamp",
        "dial 1..9",
        "take lamp",
        "take red key",
        "take jar 2",
        "drop lamp",
        "drop red key",
        "drop jar 2",
        "look",
    )
    assert after.seen("The lamp glows.") is after


def test_names_are_whole_words_and_the_longest_counts() -> None:
    knowledge = begin(LAMP)
    assert knowledge.seen("Lamplight. It's gemstone-free; unblue.") is knowledge
    assert knowledge.name(LAMP, 7) is None
    assert knowledge.seen("a red key!").name(LAMP, 7) == "red key"
    assert knowledge.seen("a red key!").name(LAMP, 8) is None
    assert knowledge.seen("some key").name(LAMP, 8) == "key"
    assert knowledge.seen("\u201can emerald\u201d").name(LAMP, 9) == "emerald"


def test_names_with_signs_and_without_spaces() -> None:
    names = {6: "\u94a5\u5319", 7: "backup.sh", 8: "/home/mia", 9: "[0] \U0001f511"}
    objects = tuple(
        replace(item, name=names.get(index, item.name), aka=())
        for index, item in enumerate(LAMP.objects)
    )
    machine = replace(LAMP, objects=objects)
    text = "\u4f60\u770b\u89c1\u94a5\u5319\u3002 See backup.sh, /home/mia, and [0] \U0001f511."
    shown = begin(machine).seen(text)
    assert [shown.name(machine, index) for index in names] == list(names.values())


def test_hidden_values_and_unseen_things_change_nothing_a_player_is_told() -> None:
    """Another start and another hidden thing: prompt, known set and refusals stay equal."""
    hidden = replace(LAMP.objects[9], name="ruby", aka=("stone",))
    objects = (*LAMP.objects[:9], hidden, *LAMP.objects[10:])
    variant = Variant((), ((4, NONE), (8, 9)))
    other = replace(LAMP, objects=objects, variants=(variant,))
    assert prompt(other) == prompt(LAMP)
    assert known(other, begin(other)) == known(LAMP, begin(LAMP))
    runtimes = Runtime(LAMP), Runtime(other)
    commands = ("take emerald", "take ruby", "unlock gem with ruby", "light emerald", "emerald",
                "take the stone and look", "drop gem", "go emerald", "take ruby.")  # fmt: skip
    for command in commands:
        first, second = (
            runtime.step(machine.start(0), command)
            for runtime, machine in zip(runtimes, (LAMP, other), strict=True)
        )
        assert first.observation == second.observation
