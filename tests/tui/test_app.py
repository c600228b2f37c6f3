"""Every key and panel, driven as a person would drive them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.tui.parlour import SIZES, playing, script, settle, shown, typed
from tests.tui.test_session import WIN
from tui.dialogs import Listing, PathPrompt
from tui.lines import Lines
from tui.play_screen import PANELS

pytestmark = pytest.mark.asyncio
KEYS = {panel.TITLE: f"f{number}" for number, panel in enumerate(PANELS, 2)}


@pytest.mark.parametrize("size", SIZES)
async def test_a_winning_play(tmp_path: Path, size: tuple[int, int]) -> None:
    async with playing(script(tmp_path), size) as (app, pilot):
        await typed(app, pilot, *WIN)
        assert app.play.desk.session is not None
        assert app.play.desk.session.at.status == "won"
        story = shown(app, "#transcript")
        assert "✓ won after 8 turns" in story and "It burns with a green flame." in story
        assert "found the [key]" in story
        assert "✓ won" in shown(app, "#bar")
        await typed(app, pilot, "look")
        assert "has been won" in shown(app, "#strip")


@pytest.mark.parametrize("size", SIZES)
async def test_every_panel_opens_draws_and_leads_back(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with playing(script(tmp_path), size) as (app, pilot):
        await typed(app, pilot, "take brass key", "ring bell 3 times")
        for panel in PANELS:
            await pilot.press(KEYS[panel.TITLE])
            await settle(app, pilot)
            assert app.play.panel.TITLE == panel.TITLE and app.play.panel.has_focus
            assert app.play.panel.rows and app.play.panel.display
            assert f"[{KEYS[panel.TITLE].upper()} {panel.TITLE}]" in shown(app, "#tabs")
            await pilot.press("f1")
            await pilot.pause()
            assert isinstance(app.screen, Listing) and panel.TITLE in shown(app, "#listing")
            await pilot.press("escape")
            await pilot.press("escape" if panel is PANELS[0] else KEYS[panel.TITLE])
            await pilot.pause()
            assert app.play.command.has_focus


async def test_undo_and_redo_keys_and_what_the_footer_offers(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        screen = app.play
        assert not screen.check_action("undo", ()) and not screen.check_action("redo", ())
        await typed(app, pilot, "look", "wait")
        assert screen.check_action("undo", ()) and not screen.check_action("redo", ())
        await pilot.press("ctrl+z")
        await pilot.pause()
        assert screen.desk.session is not None and screen.desk.session.at.depth == 1
        assert "› wait" not in shown(app, "#transcript")
        await pilot.press("ctrl+y")
        await pilot.pause()
        assert "› wait" in shown(app, "#transcript")


async def test_choosing_a_turn_of_the_story_goes_back_to_it(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await typed(app, pilot, "look", "wait", "inventory")
        app.play.query_one("#transcript").focus()
        await pilot.press("up", "up", "enter")
        await pilot.pause()
        assert app.play.desk.session is not None
        assert app.play.desk.session.commands == ("look",)


async def test_completion_history_and_questions(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        command = app.play.command
        await pilot.press(*"ta", "tab")
        await pilot.pause()
        first = command.value
        assert first.startswith("take ") and f"[{first}]" in shown(app, "#suggestions")
        await pilot.press("tab", "shift+tab")
        assert command.value == first
        command.value = ""
        await typed(app, pilot, "take key")
        assert "Which do you mean?" in shown(app, "#strip")
        assert "1 take brass key" in shown(app, "#strip")
        await typed(app, pilot, "1")
        assert "› 1  = take brass key" in shown(app, "#transcript")
        await pilot.press(*"dra", "up", "up")
        assert command.value == "take key"
        await pilot.press("down", "down")
        assert command.value == "dra"


async def test_a_command_with_a_number_is_filled_in(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.press("f2")
        await pilot.pause()
        panel = app.play.panel
        at = next(i for i, row in enumerate(panel.rows) if "ring bell" in row.text)
        panel.place_cursor(at)
        await pilot.press("enter")
        await pilot.pause()
        assert app.play.command.value == "ring bell " and app.play.command.has_focus
        await pilot.press("2", "space", *"times", "enter")
        await pilot.pause()
        assert "It rings 2 times." in shown(app, "#transcript")


async def test_commands_known_and_accepted(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.press("f2", "s")
        await pilot.pause()
        assert "SPOILER" in shown(app, "#panel-Commands")
        await pilot.press("s")
        await pilot.pause()
        assert "from what has been shown" in shown(app, "#panel-Commands")


async def test_state_shows_what_changed(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await typed(app, pilot, "take brass key")
        await pilot.press("f3")
        await pilot.pause()
        text = shown(app, "#panel-State")
        assert re.search(r"● brass_key.in +parlour → player", text)


async def test_the_map_follows_the_player_and_takes_exits(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.press("f4")
        await pilot.pause()
        assert "@ parlour" in shown(app, "#panel-Map") and "dry well" not in shown(
            app, "#panel-Map"
        )
        panel = app.play.panel
        panel.place_cursor(next(i for i, row in enumerate(panel.rows) if "east" in row.text))
        await pilot.press("enter")
        await pilot.pause()
        assert "@ garden" in shown(app, "#panel-Map") and "dry well" in shown(app, "#panel-Map")
        await pilot.press("ctrl+z", "s")
        await pilot.pause()
        assert "dry well" in shown(app, "#panel-Map")


async def test_a_refusal_shows_its_requirement_and_leads_to_the_line(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await typed(app, pilot, "ring bell 3 times")
        assert "✗ logic" in shown(app, "#strip")
        assert 'require n != 3 else logic "Three is for the dog."' in shown(app, "#strip")
        await pilot.press("f5")
        await pilot.pause()
        assert "found the [key]" in shown(app, "#panel-Goals")
        await pilot.press("end", "enter")
        await settle(app, pilot)
        assert app.play.panel.TITLE == "Script"
        row = app.play.panel.rows[app.play.panel.cursor]
        assert "require n != 3" in row.text


async def test_hints_uncover_step_by_step_and_play(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.press("f6")
        await settle(app, pilot)
        text = shown(app, "#panel-Hints")
        assert "8 turns to winning; proven" in text and "1 take brass key" in text
        assert "unlock" not in text
        await pilot.press("space")
        await pilot.pause()
        assert "2 open iron stove" in shown(app, "#panel-Hints")
        await pilot.press("home", "enter")
        await settle(app, pilot)
        assert app.play.desk.session is not None
        assert app.play.desk.session.commands == ("take brass key",)
        assert "7 turns to winning" in shown(app, "#panel-Hints")


async def test_a_move_that_cannot_be_won_any_more_is_warned_of(tmp_path: Path) -> None:
    path = script(tmp_path)
    path.write_text(path.read_text("utf-8").replace("turns 12", "turns 9"), "utf-8")
    async with playing(path, warn=True) as (app, pilot):
        await typed(app, pilot, "wait")
        await settle(app, pilot)
        assert "no longer possible" not in shown(app, "#strip")
        await typed(app, pilot, "wait")
        await settle(app, pilot)
        assert "no longer possible" in shown(app, "#strip") and "dead end" in shown(app, "#bar")
        assert "takes 8 turns, and 7 are left" in shown(app, "#strip")
        await pilot.press("ctrl+z")
        await settle(app, pilot)
        assert "dead end" not in shown(app, "#bar")


async def test_coverage_and_play_on_its_own(tmp_path: Path) -> None:
    path = script(tmp_path)
    async with playing(path) as (app, pilot):
        await pilot.press("f7")
        await settle(app, pilot)
        assert "0 of 1" in shown(app, "#panel-Coverage")
        await pilot.press("home", "enter")
        assert "▾ actions" in shown(app, "#panel-Coverage")
        await pilot.press("a")
        await settle(app, pilot)
        assert "were kept" in shown(app, "#strip")
        assert "1 of 1" in shown(app, "#panel-Coverage")
    assert json.loads(path.with_suffix(".plays.json").read_text())["turns"]


async def test_the_skein_runs_blesses_differs_and_goes(tmp_path: Path) -> None:
    path = script(tmp_path)
    async with playing(path) as (app, pilot):
        await typed(app, pilot, "take brass key", "ring bell 2 times")
        await pilot.press("ctrl+t", "f8", "R", "r")
        await settle(app, pilot)
        assert " new" in shown(app, "#panel-Plays")
        await pilot.press("B")
        await settle(app, pilot)
        assert "✓ ring bell 2 times" in shown(app, "#panel-Plays").replace("├╴", "").replace(
            "│ ", ""
        )
        path.write_text(path.read_text("utf-8").replace("It rings", "Ding"), "utf-8")
        app.play.reload()
        await settle(app, pilot)
        await pilot.press("r")
        await settle(app, pilot)
        panel = app.play.panel
        at = next(i for i, row in enumerate(panel.rows) if row.text.startswith("≠"))
        panel.place_cursor(at)
        await pilot.press("enter")
        await pilot.pause()
        assert "- It rings 2 times." in shown(app, "#panel-Plays")
        assert "+ Ding 2 times." in shown(app, "#panel-Plays")
        await pilot.press("g")
        await settle(app, pilot)
        assert app.play.desk.session is not None
        assert app.play.desk.session.commands == ("take brass key", "ring bell 2 times")
        await pilot.press("b")
        await settle(app, pilot)
        assert "≠ 0 differ" in shown(app, "#panel-Plays")
        await pilot.press("home", "delete")
        await pilot.pause()
        assert "ring bell" not in shown(app, "#panel-Plays")


async def test_saving_the_script_replays_and_a_broken_one_keeps_playing(tmp_path: Path) -> None:
    path = script(tmp_path)
    async with playing(path) as (app, pilot):
        await typed(app, pilot, "take brass key", "ring bell 2 times")
        good = path.read_text("utf-8")
        path.write_text(good.replace("set asked = true", "set askd = true"), "utf-8")
        await pilot.pause(0.6)
        await settle(app, pilot)
        assert "does not compile" in shown(app, "#strip") and "✗ script" in shown(app, "#bar")
        await pilot.press("f9")
        await pilot.pause()
        assert "error" in shown(app, "#panel-Script") and "askd" in shown(app, "#panel-Script")
        await pilot.press("escape")
        await typed(app, pilot, "look")
        assert app.play.desk.session is not None and app.play.desk.session.at.depth == 3
        path.write_text(good.replace("It rings", "Ding"), "utf-8")
        await pilot.pause(0.6)
        await settle(app, pilot)
        assert "Turn 2, 'ring bell 2 times', answers in other words." in shown(app, "#strip")
        assert "Ding 2 times." in shown(app, "#transcript")
        assert app.play.desk.session.at.depth == 3 and "✗ script" not in shown(app, "#bar")


async def test_a_script_that_never_compiled_shows_why_and_then_plays(tmp_path: Path) -> None:
    path = script(tmp_path)
    good = path.read_text("utf-8")
    path.write_text("world broken {", "utf-8")
    async with playing(path) as (app, pilot):
        assert app.play.panel.TITLE == "Script" and "error" in shown(app, "#panel-Script")
        for key in KEYS.values():
            await pilot.press(key)
            await settle(app, pilot)
        await pilot.press("escape")
        await typed(app, pilot, "look")
        path.write_text(good, "utf-8")
        await pilot.pause(0.6)
        await settle(app, pilot)
        await typed(app, pilot, "look")
        assert "› look" in shown(app, "#transcript")


async def test_starts_save_open_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.press("ctrl+n")
        await pilot.pause()
        assert isinstance(app.screen, Listing) and "playing now" in shown(app, "#listing")
        await pilot.press("end", "enter")
        await pilot.pause()
        assert app.play.desk.variant == 1
        await typed(app, pilot, "east")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert isinstance(app.screen, PathPrompt)
        await pilot.press("enter")
        await pilot.pause()
        assert (tmp_path / "parlour.save.json").exists()
        await pilot.press("ctrl+r")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert (tmp_path / "plays" / "parlour.fail").read_text() == "# variant 1\neast\n"
        await pilot.press("ctrl+z", "ctrl+o")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert app.play.desk.session is not None
        assert app.play.desk.session.commands == ("east",)
        assert "Restored 1 turn." in shown(app, "#strip")


async def test_files_that_cannot_be_used_are_told_not_raised(tmp_path: Path) -> None:
    path = script(tmp_path)
    path.with_suffix(".plays.json").write_text("nonsense")
    async with playing(path) as (app, pilot):
        await typed(app, pilot, "look")
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert "is no skein" in shown(app, "#strip")
        for key in ("f7", "f8", "R", "r", "B", "b", "g", "delete", "a"):
            await pilot.press(key)
            await settle(app, pilot)
        await pilot.press("ctrl+o")
        await pilot.pause()
        await pilot.press(*"nothing", "enter")
        await pilot.pause()
        assert "cannot be read" in shown(app, "#strip")


async def test_editing_without_an_editor_or_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.press("f9", "e")
        await pilot.pause()
        assert "Set EDITOR" in shown(app, "#strip")
        monkeypatch.setenv("EDITOR", "true")
        await pilot.press("end", "enter")
        await pilot.pause()
        assert "cannot be handed over" in shown(app, "#strip")


async def test_an_edit_makes_recorded_plays_and_coverage_be_run_again(tmp_path: Path) -> None:
    path = script(tmp_path)
    async with playing(path) as (app, pilot):
        await pilot.press("f8", "R", "r")
        await settle(app, pilot)
        assert "+ 13 new" in shown(app, "#panel-Plays")
        path.write_text(path.read_text("utf-8").replace("It rings", "Ding"), "utf-8")
        app.play.reload()
        await settle(app, pilot)
        assert "13 turns were not run" in shown(app, "#panel-Plays")


async def test_the_palette_and_themes(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        names = [command.title for command in app.get_system_commands(app.screen)]
        assert "Panel: Map" in names and "Start" in names and "Undo" not in names
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press("escape")
        for theme in ("paper", "nord", "lantern"):
            app.theme = theme
            await pilot.pause()


async def test_a_click_on_a_tab_and_on_a_command(tmp_path: Path) -> None:
    async with playing(script(tmp_path)) as (app, pilot):
        await pilot.click("#tabs", offset=(18, 0))
        await pilot.pause()
        assert app.play.panel.TITLE == "State"
        await pilot.click("#tabs", offset=(4, 0))
        await pilot.pause()
        panel = app.play.panel
        at = next(i for i, row in enumerate(panel.rows) if row.value == "look")
        panel.place_cursor(at)
        await pilot.pause()
        line = panel._starts[at] - int(panel.scroll_offset.y)
        await pilot.click("#panel-Commands", offset=(5, line + 1))
        await pilot.pause()
        assert "› look" in shown(app, "#transcript")


async def test_without_a_file_one_chooses_a_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path)
    monkeypatch.chdir(tmp_path)
    async with playing(None) as (app, pilot):
        assert "In this folder" in shown(app, "#listing")
        assert "The [bold]Parlour[/] ☕" in shown(app, "#listing")
        await pilot.press("home", "enter")
        await settle(app, pilot)
        assert app.play.desk.session is not None


async def test_resizing_to_anything(tmp_path: Path) -> None:
    async with playing(script(tmp_path), (120, 40)) as (app, pilot):
        await typed(app, pilot, *WIN[:4])
        for key in (*KEYS.values(), "escape", "f1"):
            await pilot.press(key)
            for size in (
                (1, 1),
                (3, 2),
                (20, 5),
                (60, 20),
                (79, 21),
                (96, 24),
                (250, 80),
                (10, 60),
            ):
                await pilot.resize_terminal(*size)
                await pilot.pause()
            await settle(app, pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.press("escape")
        await pilot.pause()
        lines = app.play.query_one("#transcript", Lines)
        assert lines.rows and app.play.command.region.height >= 1
