"""Watching recorded trajectories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.parlour import SIZES, parlour, playing, settle, shown
from tui import watching
from tui.watch_screen import WatchScreen
from worldengine.rollout.runner import rollout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    rollout([parlour()], player="random", episodes=4, seed=1, out=folder)
    return folder


def test_every_turn_is_shown_with_its_mask(run: Path) -> None:
    trajectories, problems = watching.load(run)
    assert len(trajectories) == 4 and not problems and watching.is_run(run)
    for each in trajectories:
        text = "\n".join(row.text for row in watching.rows(each, len(each.turns)))
        assert text.count("┆ masked") == sum(not turn.train for turn in each.turns)
        assert text.count("▌ trained") == sum(turn.train for turn in each.turns)
        for turn in each.turns:
            assert f"› {turn.command}" in text
        assert f"after {len(each.turns)} turns" in text


def test_a_torn_run_is_shown_as_far_as_it_goes(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    folder.mkdir()
    (folder / "manifest.json").write_bytes((run / "manifest.json").read_bytes())
    shard = "trajectories-00000.jsonl"
    (folder / shard).write_bytes((run / shard).read_bytes()[:-100])
    trajectories, problems = watching.load(folder)
    assert len(trajectories) == 3 and len(problems) == 1 and "torn" in problems[0]


@pytest.mark.asyncio
@pytest.mark.parametrize("size", SIZES)
async def test_browsing_a_run(run: Path, size: tuple[int, int]) -> None:
    async with playing(run, size) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, WatchScreen)
        assert "4 trajectories" in shown(app, "#index")
        assert not screen.check_action("go_on", ())
        await pilot.press("down", "enter")
        await settle(app, pilot)
        assert "turn 1" in shown(app, "#turns") and "turn 2" not in shown(app, "#turns")
        await pilot.press("right")
        assert "turn 2" in shown(app, "#turns")
        await pilot.press("left", "left")
        assert "turn 1" not in shown(app, "#turns")
        await pilot.press("f1")
        await pilot.pause()
        await pilot.press("escape", "space")
        await pilot.pause(1.0)
        assert "turn 1" in shown(app, "#turns")
        await pilot.press("space", "a")
        await pilot.pause()
        assert screen.opened is not None and screen.turns == len(screen.opened.turns)
        refused = [turn.index + 1 for turn in screen.opened.turns if turn.outcome != "ok"]
        await pilot.press("p")
        assert screen.turns in refused or screen.turns == len(screen.opened.turns)
        while screen.turns > 0 and screen.check_action("turn", (-1,)):
            await pilot.press("left")
        for turn in refused:
            await pilot.press("n")
            assert screen.turns == turn
        await pilot.press("n")
        assert not refused or screen.turns == refused[-1]
        assert not screen.check_action("read", ())
        await pilot.press("escape")
        await pilot.pause()
        assert screen.opened is None
        await pilot.press("r")
        await settle(app, pilot)
        assert "4 trajectories" in shown(app, "#index")


@pytest.mark.asyncio
async def test_a_folder_with_a_broken_manifest_says_so(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    async with playing(tmp_path) as (app, _):
        assert "not valid" in shown(app, "#index")
