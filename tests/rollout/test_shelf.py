"""Many worlds take little memory: they are kept packed, and what was played is let go of."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.worlds import lamp
from worldengine.machine import Machine
from worldengine.players import catalogue
from worldengine.rollout import charts
from worldengine.rollout.runner import rollout
from worldengine.rollout.shelf import Shelf
from worldengine.rollout.storage import Manifest, Run
from worldengine.rollout.trajectory import PlayerRecord
from worldengine.rollout.workers import TIDIED, Passing, _play_tasks

MANY = 60


def some(count: int) -> Iterator[Machine]:
    """Worlds that differ in their titles."""
    for number in range(count):
        yield replace(lamp(), title=f"Lamp {number}")


def test_packed_worlds_are_the_same_worlds() -> None:
    machines = list(some(6))
    shelf = Shelf([*machines, *some(3)], most=2)
    assert list(shelf) == machines and len(shelf) == 6
    for machine in machines:
        label, packed = shelf.labels[machine.hash], shelf.packed(machine.hash)
        assert label == (machine.name, machine.hash, machine.shape, len(machine.variants))
        assert packed.unpacked() == machine == shelf[machine.hash]
        assert vars(packed.unpacked())["shape"] == machine.shape
    assert shelf[machines[0].hash] is machines[0]
    assert shelf[machines[5].hash] is shelf[machines[5].hash]


def test_a_run_of_packed_worlds_is_the_same_run(tmp_path: Path) -> None:
    machines = list(some(5))
    rollout(machines, episodes=2, out=tmp_path / "whole")
    rollout(Shelf(machines, most=1), episodes=2, out=tmp_path / "packed")
    whole, packed = Run(tmp_path / "whole"), Run(tmp_path / "packed")
    assert [each.read_bytes() for each in whole.shards()] == [
        each.read_bytes() for each in packed.shards()
    ]
    assert whole.manifest == packed.manifest
    for machine in machines:
        assert packed.machine(machine.hash) == machine


@pytest.fixture
def seldom() -> Iterator[None]:
    """Garbage is looked for as seldom as in a worker."""
    before = gc.get_threshold()
    gc.collect()
    gc.set_threshold(100_000, 20, 20)
    yield
    gc.set_threshold(*before)


def test_worlds_that_were_played_are_let_go_of(
    seldom: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, player = Shelf(some(MANY), most=0), catalogue.make("explorer")
    manifest = Manifest(
        program="", player=PlayerRecord(name="explorer", settings=dict(player.settings),
        guidance=player.guidance), command_set="known", seed=0, episodes=1, variant=None,
        worlds=(),
    )  # fmt: skip
    alive: list[weakref.ref[Machine]] = []

    def handed(machine_hash: str) -> Machine:
        machine = shelf.packed(machine_hash).unpacked()
        alive.append(weakref.ref(machine))
        return machine

    tasks = [(machine_hash, 0) for machine_hash in shelf.labels]
    assert len(list(_play_tasks(player, handed, manifest, tasks, 0, Passing()))) == MANY
    left = sum(each() is not None for each in alive)
    assert left <= 2 * charts.MOST_WORLDS + TIDIED, f"{left} of {MANY} worlds are kept"
