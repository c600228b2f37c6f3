"""The tutor and the explorer: natural mistakes on things that were shown, set right later."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.worlds import TINY, lamp
from worldengine.compiler import compile as compile_world
from worldengine.machine import Machine
from worldengine.players.view import Itinerary
from worldengine.proof import winning_plan
from worldengine.resources import shipped_worlds
from worldengine.rollout.episode import Episode, choice, first_knowledge, learnt
from worldengine.rollout.plan import planned
from worldengine.rollout.seeds import generator
from worldengine.rollout.slips import slips
from worldengine.rollout.storage import Manifest, WorldRecord
from worldengine.rollout.trajectory import PlayerRecord, Trajectory
from worldengine.rollout.tutor import itinerary
from worldengine.rollout.workers import play
from worldengine.runtime import runtime_of

WORLDS = [path.stem for path in shipped_worlds()]
EPISODES = 6


@cache
def machine_of(name: str) -> Machine:
    if name == "lamp":
        return lamp()
    if name == "tiny":
        return compile_world(TINY)
    (path,) = [path for path in shipped_worlds() if path.stem == name]
    return compile_world(path.read_text(encoding="utf-8"))


def played(machine: Machine, episode: int, player: str = "explorer") -> Trajectory:
    guidance = "proof" if player == "explorer" else ""
    manifest = Manifest(
        program="test",
        player=PlayerRecord(name=player, guidance=guidance),
        command_set="known",
        seed=11,
        episodes=100,
        variant=None,
        worlds=(WorldRecord(name=machine.name, machine_hash=machine.hash),),
    )
    return play(machine, planned(machine, manifest, episode))


def legs_of(machine: Machine, variant: int, episode: int) -> Itinerary:
    return itinerary(machine, variant, generator(11, machine.hash, episode))


@pytest.mark.parametrize("name", ["lamp", "tiny", *WORLDS])
def test_most_episodes_are_won_with_two_pairs(name: str) -> None:
    machine = machine_of(name)
    trajectories = [played(machine, episode) for episode in range(EPISODES)]
    guided = [each for each in trajectories if each.player.guidance == "proof"]
    if not guided:
        pytest.skip("no proof wins these starts")
    assert all(each.status == "won" for each in guided)
    assert all(len(each.turns) <= machine.turns for each in trajectories)
    assert sum(each.wanted for each in guided) >= 0.8 * len(guided)


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_mistakes_are_on_things_that_were_shown(name: str) -> None:
    """A step tried too soon names only what had been shown by then."""
    machine = machine_of(name)
    runtime = runtime_of(machine)
    for episode in range(3):
        variant = episode % len(machine.variants)
        legs = legs_of(machine, variant, episode)
        state = machine.start(variant)
        knowledge = first_knowledge(machine, runtime.opening(state))
        later = {}
        for leg in legs:
            if leg.mends >= 0:
                later[leg.mends] = leg.command
        operators = {}
        probe = state
        for leg in legs:
            done = runtime.step(probe, leg.command)
            if done.accepted:
                operators[leg.command] = done.operator
            probe = done.state
        for leg in legs:
            transition = runtime.step(state, leg.command)
            if leg.purpose == "early":
                ground = machine.operators[operators[leg.command]]
                kinds = machine.schemas[ground.schema].parameters
                for parameter, value in zip(kinds, ground.arguments, strict=True):
                    if parameter.type == "object" and machine.objects[value].role != "concept":
                        assert knowledge.name(machine, value) is not None, leg
            assert transition.accepted == (leg.purpose in ("plan", "look"))
            state = transition.state
            knowledge = learnt(machine, knowledge, transition)


def test_episodes_differ() -> None:
    machine = machine_of("tiny")
    seen = {tuple(leg.command for leg in legs_of(machine, 0, e)) for e in range(40)}
    assert len(seen) >= 35
    outcomes = {turn.outcome for e in range(20) for turn in played(machine, e).turns}
    assert outcomes == {"ok", "parameter", "place", "logic"}


def test_thoughts_quote_only_what_was_shown() -> None:
    machine = machine_of("tiny")
    for episode in range(20):
        trajectory = played(machine, episode)
        shown = trajectory.prompt + trajectory.opening
        for turn in trajectory.turns:
            quoted = turn.thought.split("“")[1:]
            for piece in quoted:
                assert piece.split("”")[0].rstrip("…") in shown
            shown += "\n" + turn.observation
            assert turn.thought and "{" not in turn.thought


def test_a_thought_after_a_refusal_speaks_of_it() -> None:
    machine = machine_of("tiny")
    for episode in range(20):
        turns = played(machine, episode).turns
        for before, after in pairwise(turns):
            if before.outcome != "ok":
                assert "“" in after.thought


def test_without_a_proof_the_explorer_says_so_and_goes_on() -> None:
    text = TINY[: TINY.index("proof ")]
    machine = compile_world(text)
    assert winning_plan(machine, 0) is None
    trajectory = played(machine, 0)
    assert trajectory.player.guidance == ""
    assert trajectory.status in ("won", "lost", "truncated")
    assert trajectory.counts.accepted > 5


def test_a_numbered_choice_is_filled() -> None:
    gap = choice("dial 1..9")
    assert gap.numbered and (gap.low, gap.high) == (1, 9) and gap.fill(7) == "dial 7"
    below = choice("set heat to -5..20 degrees")
    assert below.fill(-3) == "set heat to -3 degrees" and below.low == -5
    plain = choice("take jar 2")
    assert not plain.numbered and plain.text == "take jar 2"


def test_slips_are_never_the_command_itself() -> None:
    names = ("brass key", "oak door", "white letter")
    for seed in range(50):
        random = generator(seed, "x", 0)
        wrong = list(slips("unlock oak door with brass key", names, random))
        assert wrong and "unlock oak door with brass key" not in wrong


def test_what_was_typed_in_vain_teaches_nothing(tmp_path: Path) -> None:
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
    from worldengine.players.reply import write

    assert episode.take(write("", "take latch key")).outcome == "place"
    assert episode.take(write("", "take silver key")).outcome == "parameter"
    assert episode.view().choices() == before
    assert not any("latch key" in item.text for item in before)
