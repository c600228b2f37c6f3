"""A line put together from parts is the line that the record gives, byte for byte."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.build_machine import lamp_world
from tests.rollout.test_rollout import episode
from tests.worlds import WIN, lamp
from worldengine.machine import Machine
from worldengine.players.reply import Mistake, Reply, Usage, failed, read, used, write
from worldengine.rollout.episode import Episode
from worldengine.rollout.summary import told_of, told_of_episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory

ODD = [
    '"',
    "\\",
    "\n",
    "\x00",
    "\x1f",
    "\x7f",
    "\u2028",
    "é",
    "日本",
    "🧺",
    "\ud800",
    "</s>",
    "turns",
    "[]",
]


def odd_text(chance: Random) -> str:
    return "".join(
        chance.choices([*ODD, "a", " ", "Action:", '"turns":[]'], k=chance.randrange(12))
    )


def some_reply(chance: Random, machine: Machine) -> Reply:
    kind = chance.randrange(6)
    if kind == 0:
        return read(odd_text(chance))
    if kind == 1:
        return failed(odd_text(chance).replace("\ud800", ""), Usage(retries=3))
    if kind == 2:
        return used(write("I think.", "look"), Usage(10, 3, 5, 1, 0.25))
    if kind == 3:
        return read("x" * 20_000)
    command = chance.choice([*WIN, "look", "inventory", "take emerald", "dial 3", "go north"])
    marks: tuple[Mistake, ...] = ("", "", "slip", "early", "away", "repeat")
    return write(odd_text(chance).replace("\ud800", ""), command, chance.choice(marks))


@pytest.mark.parametrize("seed", range(60))
def test_the_two_ways_to_a_line_agree(seed: int) -> None:
    chance = Random(seed)
    machine = replace(chance.choice([lamp(), lamp_world()]), turns=chance.randrange(1, 12))
    machine = replace(machine, timeout=odd_text(chance).replace("\ud800", ""))
    origin = Provenance(
        machine_hash=machine.hash, variant=chance.randrange(len(machine.variants)), seed=-3,
        episode=seed, player=PlayerRecord(name='"turns":[]', settings={"a": 0.1, "b": None}),
        command_set=chance.choice(["known", "scoped", "applicable"]),
    )  # fmt: skip
    play = Episode(machine, origin)
    while not play.over:
        play.play(some_reply(chance, machine))
        assert play.view().choices is not None
    line = play.line()
    assert line == play.trajectory().line()
    assert Trajectory.model_validate_json(line.encode()) == play.trajectory()
    assert told_of(play.trajectory()) == told_of_episode(play)


def test_command_sets_are_those_of_the_moment() -> None:
    play = episode()
    for command in WIN[:2]:
        play.play(write("", command))
    fresh = episode()
    for command in WIN[:2]:
        fresh.play(write("", command))
        fresh.view().choices()
    assert play.view().choices() == fresh.view().choices()
