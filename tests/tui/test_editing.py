"""Editors save in many ways; none of them may break a play."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.parlour import playing, script, settle, shown, typed
from tui.desk import Desk
from tui.workshop import Workshop, load, signature

LOOKS = 0.6
"""Seconds in which the app has looked at the file twice."""


def test_a_file_is_read_when_it_has_come_to_rest(tmp_path: Path) -> None:
    path = script(tmp_path)
    shop = Workshop(path)
    assert shop.take(load(path)) and not shop.stale() and not shop.stale()
    text = path.read_text("utf-8")
    path.write_text(text[:100], "utf-8")
    assert not shop.stale()
    path.write_text(text + "\n", "utf-8")
    assert not shop.stale()
    assert shop.stale()
    path.unlink()
    assert not shop.stale() and not shop.stale()


def test_a_play_that_went_on_is_played_again_once_more(tmp_path: Path) -> None:
    path = script(tmp_path)
    desk = Desk(path)
    desk.take(load(path))
    assert desk.session is not None
    desk.session.play("look")
    path.write_text(path.read_text("utf-8").replace("It rings", "Ding"), "utf-8")
    loaded = load(path)
    replayed = desk.replayed(loaded)
    assert replayed is not None and replayed.of(desk.session)
    desk.session.play("ring bell 2 times")
    assert not replayed.of(desk.session)
    fresh = desk.replayed(loaded)
    assert fresh is not None and fresh.of(desk.session)
    assert "answers in other words" in desk.take(loaded, fresh)
    assert desk.session.commands == ("look", "ring bell 2 times")


@pytest.mark.asyncio
async def test_half_written_moved_away_and_put_in_its_place(tmp_path: Path) -> None:
    path = script(tmp_path)
    good = path.read_text("utf-8")
    async with playing(path) as (app, pilot):
        await typed(app, pilot, "take brass key", "ring bell 2 times")
        # Half of it, and the rest a moment later: one save, and no complaint on the way.
        path.write_text(good[: len(good) // 2], "utf-8")
        await pilot.pause(0.05)
        path.write_text(good.replace("It rings", "Ding"), "utf-8")
        await pilot.pause(LOOKS)
        await settle(app, pilot)
        assert "answers in other words" in shown(app, "#strip")
        # Half of it and no more: the last good version plays on, and says so.
        path.write_text(good[: len(good) // 2], "utf-8")
        await pilot.pause(LOOKS)
        await settle(app, pilot)
        assert "the last good version keeps playing" in shown(app, "#strip")
        await typed(app, pilot, "look")
        assert "Ding 2 times." in shown(app, "#transcript")
        # As vim does: moved away, a new one put in its place.
        path.rename(path.with_suffix(".world~"))
        await pilot.pause(0.3)
        fresh = path.with_suffix(".new")
        fresh.write_text(good.replace("It rings", "Dong"), "utf-8")
        fresh.replace(path)
        await pilot.pause(LOOKS)
        await settle(app, pilot)
        assert "Dong 2 times." in shown(app, "#transcript")
        assert app.play.desk.session is not None and app.play.desk.session.at.depth == 3
        # Gone for good, or a folder: nothing happens.
        path.unlink()
        await pilot.pause(LOOKS)
        await typed(app, pilot, "wait")
        path.mkdir()
        await pilot.pause(LOOKS)
        await settle(app, pilot)
        await typed(app, pilot, "wait")
        assert app.play.desk.session.at.depth == 5


def test_what_tells_one_state_of_a_file_from_another(tmp_path: Path) -> None:
    file = tmp_path / "a"
    assert signature(file) is None
    file.write_text("x")
    first = signature(file)
    os.utime(file, ns=(1, 1))
    assert first != signature(file)
