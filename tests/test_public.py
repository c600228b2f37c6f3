"""The public names, in the words of the README."""

from __future__ import annotations

from pathlib import Path

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
