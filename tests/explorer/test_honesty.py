"""The default player knows nothing that it has not read: hidden values and hidden requirements of
shipped and generated worlds are changed, and every thought, every command and every mistake before
the first observation of the change stays what it was."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.explorer.test_belief import changed, world
from worldengine.compiler import compile as compile_world
from worldengine.compiler import compile_source
from worldengine.explorer.companion import Dial, Follower
from worldengine.explorer.knowing.insight import insight_of
from worldengine.machine import Machine
from worldengine.players.explorer import Explorer
from worldengine.players.protocol import Start
from worldengine.resources import shipped_world
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance
from worldengine.source import Source

GOLDEN = Path(__file__).parents[1] / "generator" / "golden"
SHIPPED = ("tide_clock", "school_library")
GENERATED = ("household_chain", "mixed_middle", "adventure", "science", "grid")
TURNS = 10
SLOW = ("mixed_middle", "adventure", "science")
NAMES = [
    pytest.param(each, marks=pytest.mark.slow) if each in SLOW else each
    for each in (*SHIPPED, *GENERATED)
]
RULE = re.compile(r"require (.+?)(\s+else (?:logic|place) )")
Turn = tuple[str, str, str, str]


def text_of(name: str) -> str:
    path = shipped_world(name) if name in SHIPPED else GOLDEN / f"{name}.world"
    assert path is not None
    return path.read_text(encoding="utf-8")


def machine_of(name: str) -> Machine:
    return world(name) if name in SHIPPED else compile_world(text_of(name))


def played(machine: Machine, seed: int) -> list[Turn]:
    """What was read, then thought and done, and whether as a mistake, turn by turn."""
    record = PlayerRecord(name="explorer", guidance="belief")
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash, variant=0, seed=seed, episode=0, player=record,
            command_set="known",
        ),
    )  # fmt: skip
    player = Explorer({"thoughts": "full"})
    chance = Random(seed)
    guide = Follower(machine, 0, Dial(), chance)
    player.begin(Start(episode.view(), chance, guide))
    found: list[Turn] = []
    while not episode.over and len(found) < TURNS:
        view = episode.view()
        reply = player.act(view)
        found.append((view.last, reply.thought, reply.command, reply.mistake))
        episode.play(reply)
    return found


def same_until_read(one: list[Turn], other: list[Turn]) -> bool:
    """Whether the first thing that differs is something that was read."""
    for first, second in zip(one, other, strict=False):
        if first[0] != second[0]:
            return True
        if first != second:
            return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_value_changes_nothing_before_it_is_read(name: str) -> None:
    machine = machine_of(name)
    by_start = {variable for each in machine.variants for variable, _ in each.assignments}
    hidden = [
        variable
        for variable, values in enumerate(insight_of(machine).samples)
        if len(values) > 1 and variable not in by_start
    ]
    assert hidden
    base = [played(machine, seed) for seed in range(2)]
    for variable in hidden[:: max(len(hidden) // 4, 1)]:
        before = machine.variables[variable].initial
        value = [each for each in insight_of(machine).samples[variable] if each != before][-1]
        other = changed(machine, variable, value)
        for seed in range(2):
            told = machine.variables[variable].name, seed
            assert same_until_read(base[seed], played(other, seed)), told


@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_requirement_changes_nothing_before_it_refuses(name: str) -> None:
    text, machine = text_of(name), machine_of(name)
    rules = list(RULE.finditer(text))
    base = [played(machine, seed) for seed in range(2)]
    tried = 0
    for rule in rules[:: max(len(rules) // 4, 1)]:
        loose = f"{text[: rule.start()]}require ({rule[1]}) or turn >= 0{rule[2]}"
        other = compile_source(Source("changed", loose + text[rule.end() :])).machine
        if other is None or len(other.operators) != len(machine.operators):
            continue  # what can be said at all is no secret
        tried += 1
        for seed in range(2):
            assert same_until_read(base[seed], played(other, seed)), (rule[0], seed)
    assert tried or not rules
