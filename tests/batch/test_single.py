"""One player alone: the reference's turns and lists, whatever its memory holds."""

from __future__ import annotations

import random

import pytest

from tests.batch.random_machines import random_machine
from tests.batch.test_shipped import WORLDS
from tests.batch.test_shipped import machine as shipped
from tests.worlds import WIN, lamp
from worldengine.batch import BatchEnv, Single
from worldengine.machine.schema import Machine, State
from worldengine.runtime import runtime_of

GARBAGE = (
    *("", "xyzzy", "take", "dial 99", "take the moon", "go", "look and wait", "x" * 1_001),
    *("examine the the", "put it in it", "\u00e9\u0416 \U0001f511", "give all to all"),
)


def typed(machine: Machine, state: State, chance: random.Random) -> str:
    """Something a player may type: garbage, what is refused, what is accepted, written anyhow."""
    matcher, actions = runtime_of(machine).matcher, runtime_of(machine).applicable(state)
    kind = chance.randrange(8)
    if kind == 0:
        return chance.choice(GARBAGE)
    operator, number = chance.randrange(len(machine.operators)), chance.randrange(10)
    if kind > 3 and actions:
        operator, intervals = chance.choice(actions)
        number = chance.choice(intervals)[chance.randrange(2)] if intervals else 0
    command = matcher.canonical(operator, number)
    if kind == 1:
        return command.upper() + "  . "
    return command[: chance.randrange(len(command) + 1)] if kind == 2 else command


def walk(machine: Machine, turns: int, seed: int) -> list[list[str]]:
    """Episodes of so many turns in all, each beginning at the first variant."""
    runtime, chance, episodes = runtime_of(machine), random.Random(seed), list[list[str]]()
    while turns > 0:
        state, commands = machine.start(0), list[str]()
        for _ in range(min(turns, machine.turns, 25)):
            commands.append(typed(machine, state, chance))
            step = runtime.step(state, commands[-1])
            state = step.state
            if step.status != "running":
                break
        turns -= len(commands)
        episodes.append(commands)
    return episodes


def held_against_the_reference(machine: Machine, game: Single, commands: list[str]) -> None:
    runtime, state = runtime_of(machine), machine.start(0)
    assert game.reset(variant=0) == runtime.opening(state)
    for command in commands:
        expected, played = runtime.step(state, command), game.step(command)
        state = expected.state
        assert (played.text, played.outcome) == (expected.observation, expected.outcome), command
        assert played.progress == expected.progress and game.state == state, command
        assert (played.won, played.lost) == (expected.status == "won", expected.status == "lost")
        assert played.truncated == (expected.status == "running" and game.turn >= machine.turns)
        assert game.applicable() == runtime.applicable_texts(state), command


def compared(machine: Machine, turns: int, seed: int) -> None:
    """Random plays twice over, with every size of memory: none, one that is always full, all."""
    episodes = walk(machine, turns, seed)
    for memory in (0, 3, 65_536):
        game = Single(machine, memory)
        for commands in episodes + episodes:
            held_against_the_reference(machine, game, commands)
        kept = sum(len(place.turns) for place in game._places.values())
        assert kept <= memory and len(game._places) <= 2 * memory + 2
        short = [each for commands in episodes for each in commands if len(each) < 200]
        longer = sum(map(len, episodes)) - len(short)
        assert memory < 100 or game.worked_out <= len(short) + 2 * longer


@pytest.mark.parametrize("name", WORLDS)
def test_shipped_worlds(name: str) -> None:
    compared(shipped(name), 40, 5)


@pytest.mark.parametrize("seed", range(12))
def test_random_machines(seed: int) -> None:
    compared(random_machine(seed), 30, seed)


def test_a_memory_changes_nothing_but_what_is_worked_out() -> None:
    machine, chance = lamp(), random.Random(4)
    kept, anew = Single(machine), Single(machine, memory=0)
    for episode in range(40):
        assert kept.reset(episode) == anew.reset(episode) and kept.variant == anew.variant
        while not kept.over:
            command = typed(machine, kept.state, chance)
            assert kept.step(command) == anew.step(command), command
            assert kept.applicable() == anew.applicable() and kept.state == anew.state
        assert anew.over and kept.turn == anew.turn
    assert kept.worked_out < anew.worked_out


@pytest.mark.parametrize("name", ["bakery", "convent_bell", "tide_clock"])
def test_lists_are_right_wherever_the_last_was_asked_for(name: str) -> None:
    """Only what hangs on changes is asked again: here from any state to any other."""
    machine = shipped(name)
    game, runtime, chance = Single(machine), runtime_of(machine), random.Random(7)
    for variant, commands in enumerate(walk(machine, 60, 5)):
        game.reset(variant=variant % len(machine.variants))
        for command in commands:
            if not game.over:
                game.step(command)
    places = list(game._places.values())
    chance.shuffle(places)
    for place in places[:80]:
        game._place = place
        assert game.applicable() == runtime.applicable_texts(game.state)


def test_a_memory_that_is_full_begins_anew() -> None:
    machine = lamp()
    game = Single(machine, memory=4)
    for _ in range(3):
        game.reset(variant=0)
        for command in WIN:
            assert game.step(command).outcome == 0
            assert sum(len(place.turns) for place in game._places.values()) <= 4
        assert game.over
    long = "look " + " " * 300
    game.reset(variant=0)
    before = game.worked_out
    assert game.step(long) == game.step(long)
    assert game.worked_out == before + 2


def test_starts_are_those_of_the_batch() -> None:
    machine = lamp()
    game = Single(machine)
    for seed in range(20):
        env = BatchEnv([machine], autoreset="disabled")
        ids = env.reset(seed=seed)
        assert game.reset(seed) == env.texts(ids)[0] and game.variant == env.variants[0]


def test_what_is_refused() -> None:
    game = Single(lamp())
    with pytest.raises(ValueError, match="over"):
        game.step("look")
    with pytest.raises(ValueError, match=r"has variants 0\.\."):
        game.reset(variant=99)
    game.reset(variant=0)
    for command in WIN:
        game.step(command)
    with pytest.raises(ValueError, match="over"):
        game.step("look")
    assert game.applicable() == ()
