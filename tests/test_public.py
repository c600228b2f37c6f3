"""The public names, in the words of the README."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldengine
from tests.worlds import TINY


def test_from_text_to_a_verified_run(tmp_path: Path) -> None:
    machine = worldengine.compile(TINY)
    assert isinstance(machine, worldengine.Machine)
    assert worldengine.check(machine).won == len(machine.variants) == 2
    state = machine.start(variant=0)
    turn = machine.step(state, "TAKE the white letter")
    assert turn.accepted and "take white letter" in machine.applicable(state)
    summary = worldengine.rollout([machine], player="explorer", episodes=3, out=tmp_path / "run")
    assert summary.won == 3


def test_a_script_with_mistakes_says_which() -> None:
    with pytest.raises(worldengine.CompileError, match="letterr"):
        worldengine.compile(TINY.replace("vary letter.in", "vary letterr.in"))


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        worldengine.nothing  # noqa: B018
    assert set(worldengine.__all__) <= set(dir(worldengine))


def test_maps_hold_every_place_once() -> None:
    from worldengine.atlas import as_svg, as_text, atlas
    from worldengine.resources import shipped_worlds

    for path in shipped_worlds():
        chart = atlas(worldengine.compile(path.read_text(encoding="utf-8")))
        assert len(set(chart.cells.values())) == len(chart.cells) == len(chart.names)
        assert as_svg(chart).count("<svg") == 1
        text = as_text(chart)
        assert text.splitlines()[0] == chart.title
        assert all(len(line) < 130 for line in text.split("\n\n")[1].splitlines())


def test_a_world_is_loaded_by_its_name_or_path(tmp_path: Path) -> None:
    assert worldengine.load("tide_clock").name == "tide_clock"
    script = tmp_path / "tiny.world"
    script.write_text(TINY, encoding="utf-8")
    assert worldengine.load(script).hash == worldengine.compile(TINY).hash
    with pytest.raises(ValueError, match="did you mean tide_clock"):
        worldengine.load("tide_clokc")
    with pytest.raises(TypeError, match="by its path or name, not by int"):
        worldengine.load(3)  # type: ignore[arg-type]
    script.write_bytes(b"world \xff")
    with pytest.raises(worldengine.CompileError, match="not UTF-8"):
        worldengine.load(str(script))


ASKED: dict[str, Callable[[Any], object]] = {
    "compile": lambda given: worldengine.compile(given),
    "check": lambda given: worldengine.check(given),
    "rollout": lambda given: worldengine.rollout(given, out="nowhere"),
    "rollout of a list": lambda given: worldengine.rollout([given], out="nowhere"),
    "BatchEnv": lambda given: worldengine.BatchEnv(given),
    "BatchEnv of a list": lambda given: worldengine.BatchEnv([given]),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_name_in_the_place_of_a_machine_is_told(name: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"worldengine\.load\('tide_clock'\)"):
        ASKED[name]("tide_clock")
    with pytest.raises(TypeError, match=f"^{name.split()[0]} takes"):
        ASKED[name](3)


@pytest.mark.parametrize("name", ["rollout", "BatchEnv"])
def test_one_machine_in_the_place_of_a_list_is_told(name: str) -> None:
    with pytest.raises(TypeError, match=r"not one: write \[machine\]"):
        ASKED[name](worldengine.compile(TINY))


def test_a_range_becomes_one_of_its_numbers() -> None:
    chance = random.Random(1)
    drawn = {worldengine.concrete("set clock to -1..3", chance) for _ in range(99)}
    assert drawn == {f"set clock to {number}" for number in range(-1, 4)}
    assert worldengine.concrete("take the lamp.", chance) == "take the lamp."
    machine = worldengine.load("tide_clock")
    state = machine.start()
    for command in machine.applicable(state):
        assert machine.step(state, worldengine.concrete(command, chance)).accepted


@pytest.mark.parametrize("variant", [5, -1, "first", 0.5])
def test_a_start_that_there_is_not_is_told(variant: Any) -> None:
    machine = worldengine.load("tide_clock")
    for kind in (IndexError, ValueError):
        with pytest.raises(kind, match=r"tide_clock has variants 0\.\.1, not"):
            machine.start(variant)


def test_help_tells_what_a_rollout_takes() -> None:
    assert "episodes=10" in (worldengine.rollout.__doc__ or "")
