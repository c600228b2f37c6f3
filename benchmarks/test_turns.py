"""One environment, one turn at a time, through text: what a single player meets.

    make bench

Random play over several shipped worlds, with unknown commands among the known ones. The
second figure also asks for the applicable commands before every turn. Beside them stands
TextWorldExpress, where its Python package is installed (`pip install textworld-express`, it
needs Java): its `coin` game under the same loop.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from worldengine.compiler import compile_source
from worldengine.machine.schema import Machine
from worldengine.resources import shipped_worlds
from worldengine.runtime import runtime_of
from worldengine.source import Source

Benchmark = Any
TURNS = 400
NAMES = ("night_nurse", "query_budget", "lighthouse", "breakfast", "thesis_shell")


@pytest.fixture(scope="module")
def machines() -> list[Machine]:
    found = []
    for path in shipped_worlds():
        if path.stem in NAMES:
            machine = compile_source(Source(path.name, path.read_text("utf-8"))).machine
            assert machine is not None
            found.append(machine)
    return found


def _script(machine: Machine, rng: random.Random) -> list[str]:
    """Commands of random play: applicable ones, and every fifth one that nobody knows."""
    runtime = runtime_of(machine)
    state = machine.start()
    commands: list[str] = []
    while len(commands) < TURNS // len(NAMES):
        texts = [text for text in runtime.applicable_texts(state) if ".." not in text]
        command = rng.choice(texts) if rng.random() < 0.8 else "juggle the unicorn"
        commands.append(command)
        turn = runtime.step(state, command)
        state = turn.state if turn.status == "running" else machine.start()
    return commands


def _play(scripts: list[tuple[Machine, list[str]]], listed: bool) -> int:
    turns = 0
    for machine, commands in scripts:
        runtime = runtime_of(machine)
        state = machine.start()
        for command in commands:
            if listed:
                runtime.applicable_texts(state)
            turn = runtime.step(state, command)
            state = turn.state if turn.status == "running" else machine.start()
            turns += 1
    return turns


@pytest.mark.benchmark(group="text turns")
@pytest.mark.parametrize("listed", [False, True], ids=["turns", "turns and applicable commands"])
def test_text_turns(benchmark: Benchmark, machines: list[Machine], listed: bool) -> None:
    scripts = [(item, _script(item, random.Random(7))) for item in machines]
    turns = benchmark(_play, scripts, listed)
    benchmark.extra_info["turns_per_second"] = round(turns / benchmark.stats.stats.median)


@pytest.mark.benchmark(group="text turns")
def test_peer_textworld_express(benchmark: Benchmark) -> None:
    peer = pytest.importorskip(
        "textworld_express", reason="the peer is not installed: pip install textworld-express"
    )
    env = peer.TextWorldExpressEnv(envStepLimit=50)
    env.load(gameName="coin", gameParams="numLocations=5")
    rng = random.Random(7)

    def play() -> int:
        _, infos = env.reset(seed=1, gameFold="train", generateGoldPath=False)
        for _ in range(TURNS):
            actions = sorted(infos["validActions"])
            _, _, done, infos = env.step(rng.choice(actions))
            if done:
                _, infos = env.reset(seed=1, gameFold="train", generateGoldPath=False)
        return TURNS

    turns = benchmark(play)
    benchmark.extra_info["turns_per_second"] = round(turns / benchmark.stats.stats.median)
