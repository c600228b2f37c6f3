"""Every key of every screen and panel, in every size, and keys of one's own.

`PLANS` says for each binding of the app how it is pressed and what then must hold. A binding
that is not in it fails the first test, so a key cannot be added without one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.pilot import Pilot

from tests.tui.parlour import SIZES, playing, script, settle, shown, typed
from tui import keymap
from tui.app import PlayApp, known_keys
from tui.command_line import CommandLine
from tui.dialogs import Listing, PathPrompt
from tui.lines import Lines
from tui.panels import CommandsPanel, GoalsPanel, HintsPanel, MapPanel, StatePanel
from tui.panels_author import CoveragePanel, PlaysPanel, ScriptPanel
from tui.play_screen import PANELS, PlayScreen
from tui.tour_screen import Stage, TourScreen
from tui.transcript import Transcript
from tui.watch_screen import Turns, WatchScreen

Check = Callable[[PlayApp], bool]


@dataclass(frozen=True)
class Plan:
    """Keys that lead there, the key itself, and what holds after it."""

    before: tuple[str, ...]
    key: str
    after: Check


def at(app: PlayApp) -> tuple[str, ...]:
    session = app.play.desk.session
    assert session is not None
    return session.commands


def panel(title: str) -> Check:
    return lambda app: title == app.play.panel.TITLE and app.play.panel.has_focus


def says(words: str) -> Check:
    return lambda app: words in shown(app, "#strip")


def reads(selector: str, words: str) -> Check:
    return lambda app: words in shown(app, selector)


def cursor(number: int) -> Check:
    return lambda app: app.play.panel.cursor == number or number < 0


def dialog(kind: type) -> Check:
    return lambda app: isinstance(app.screen, kind)


F = {each.TITLE: f"f{number}" for number, each in enumerate(PANELS, 2)}
STORY = ("shift+tab",)
PLAYED = ("take brass key", "look")
PLANS: dict[tuple[type[DOMNode], str, str], Plan] = {
    (PlayScreen, "f1", "help"): Plan((), "f1", dialog(Listing)),
    **{
        (PlayScreen, F[each.TITLE], f"panel('{each.TITLE}')"): Plan(
            (), F[each.TITLE], panel(each.TITLE)
        )
        for each in PANELS
    },
    (PlayScreen, "escape", "typing"): Plan(
        ("f2",), "escape", lambda app: app.play.command.has_focus
    ),
    (PlayScreen, "ctrl+z", "undo"): Plan((), "ctrl+z", lambda app: at(app) == PLAYED[:1]),
    (PlayScreen, "ctrl+y", "redo"): Plan(("ctrl+z",), "ctrl+y", lambda app: at(app) == PLAYED),
    (PlayScreen, "ctrl+n", "start"): Plan((), "ctrl+n", dialog(Listing)),
    (PlayScreen, "ctrl+t", "keep"): Plan((), "ctrl+t", says("Kept: 2 turns")),
    (PlayScreen, "ctrl+s", "save"): Plan((), "ctrl+s", dialog(PathPrompt)),
    (PlayScreen, "ctrl+o", "open"): Plan((), "ctrl+o", dialog(PathPrompt)),
    (PlayScreen, "ctrl+r", "record"): Plan((), "ctrl+r", dialog(PathPrompt)),
    (PlayApp, "ctrl+q", "quit"): Plan((), "ctrl+q", lambda app: app.return_value == 0),
    (CommandLine, "enter", "submit"): Plan(
        tuple("wait"), "enter", lambda app: at(app) == (*PLAYED, "wait")
    ),
    (CommandLine, "tab", "complete(1)"): Plan(
        tuple("loo"), "tab", lambda app: app.play.command.value == "look"
    ),
    (CommandLine, "shift+tab", "complete(-1)"): Plan(
        tuple("ta"), "shift+tab", lambda app: len(app.play.command.value) > 2
    ),
    (CommandLine, "up", "recall(-1)"): Plan(
        (), "up", lambda app: app.play.command.value == PLAYED[-1]
    ),
    (CommandLine, "down", "recall(1)"): Plan(
        ("up",), "down", lambda app: app.play.command.value == ""
    ),
    (Transcript, "enter", "choose"): Plan(
        (*STORY, "up"), "enter", lambda app: at(app) == PLAYED[:1]
    ),
    (CommandsPanel, "enter", "choose"): Plan(
        ("f2", "down"), "enter", lambda app: at(app) == (*PLAYED, "look")
    ),
    (CommandsPanel, "s", "spoilers"): Plan(("f2",), "s", reads("#panel-Commands", "SPOILER")),
    (StatePanel, "enter", "choose"): Plan(("f3",), "enter", lambda app: at(app) == PLAYED),
    (MapPanel, "enter", "choose"): Plan(
        ("f4", "end"), "enter", lambda app: at(app)[-1] == "go east"
    ),
    (MapPanel, "s", "everything"): Plan(("f4",), "s", reads("#panel-Map", "s hides what")),
    (GoalsPanel, "enter", "choose"): Plan(("f5",), "enter", panel("Goals")),
    (HintsPanel, "space", "more"): Plan(("f6",), "space", reads("#panel-Hints", "  2 ")),
    (HintsPanel, "enter", "choose"): Plan(("f6",), "enter", lambda app: len(at(app)) == 3),
    (CoveragePanel, "enter", "choose"): Plan(("f7",), "enter", reads("#panel-Coverage", "▾")),
    (CoveragePanel, "a", "autoplay"): Plan(("f7",), "a", says("were kept")),
    (CoveragePanel, "r", "measure"): Plan(
        ("f7",), "r", lambda app: app.play.desk.coverage is not None
    ),
    (PlaysPanel, "enter", "choose"): Plan(
        ("ctrl+t", "f8", "r"), "enter", reads("#panel-Plays", "+ You take the brass key.")
    ),
    (PlaysPanel, "r", "run"): Plan(("ctrl+t", "f8"), "r", says("All plays read as blessed")),
    (PlaysPanel, "b", "bless"): Plan(("ctrl+t", "f8", "r"), "b", reads("#panel-Plays", "✓ 1 ")),
    (PlaysPanel, "B", "bless_all"): Plan(
        ("ctrl+t", "f8", "r"), "B", reads("#panel-Plays", "✓ 2 ")
    ),
    (PlaysPanel, "g", "go"): Plan(
        ("ctrl+t", "f8", "home"), "g", lambda app: at(app) == PLAYED[:1]
    ),
    (PlaysPanel, "R", "proofs"): Plan(("f8",), "R", says("winning plays recorded")),
    (PlaysPanel, "delete", "remove"): Plan(
        ("ctrl+t", "f8", "home"), "delete", reads("#panel-Plays", "Nothing is recorded")
    ),
    (ScriptPanel, "enter", "choose"): Plan(("f9", "end"), "enter", says("Set EDITOR")),
    (ScriptPanel, "e", "edit"): Plan(("f9",), "e", says("Set EDITOR")),
    (Lines, "up", "cursor(-1)"): Plan(("f9", "end", "up"), "up", panel("Script")),
    (Lines, "k", "cursor(-1)"): Plan(("f9", "end"), "k", panel("Script")),
    (Lines, "down", "cursor(1)"): Plan(
        ("f2", "home"), "down", lambda app: app.play.panel.cursor > 0
    ),
    (Lines, "j", "cursor(1)"): Plan(("f2", "home"), "j", lambda app: app.play.panel.cursor > 0),
    (Lines, "pageup", "page(-1)"): Plan(("f9", "end"), "pageup", panel("Script")),
    (Lines, "pagedown", "page(1)"): Plan(
        ("f9", "home"), "pagedown", lambda app: app.play.panel.scroll_offset.y > 0
    ),
    (Lines, "home", "end(-1)"): Plan(
        ("f9", "end"), "home", lambda app: app.play.panel.scroll_offset.y == 0
    ),
    (Lines, "end", "end(1)"): Plan(
        ("f9",), "end", lambda app: app.play.panel.scroll_offset.y == app.play.panel.max_scroll_y
    ),
    (Lines, "enter", "choose"): Plan(("ctrl+n", "end"), "enter", says("Start 1")),
    (Listing, "escape", "close"): Plan(("f1",), "escape", dialog(PlayScreen)),
    (Listing, "f1", "close"): Plan(("f1",), "f1", dialog(PlayScreen)),
    (PathPrompt, "escape", "close"): Plan(("ctrl+s",), "escape", dialog(PlayScreen)),
}  # fmt: skip
WATCHED = {"f1", "right", "left", "space", "a", "escape", "n", "p", "r"}
TOURED = {"space", "right", "escape", "q", "enter"}


def bindings(where: type[DOMNode]) -> list[tuple[str, str]]:
    """Every key of a class with its action; several keys of one binding are several."""
    return [
        (key, each.action)
        for each in where.BINDINGS
        if isinstance(each, Binding)
        for key in each.key.split(",")
    ]


def test_no_key_is_without_a_test() -> None:
    places: tuple[type[DOMNode], ...] = (
        PlayApp, PlayScreen, CommandLine, Transcript, Lines, Listing, PathPrompt, *PANELS,
    )  # fmt: skip
    every = {(place, key, action) for place in places for key, action in bindings(place)}
    assert every == set(PLANS)
    assert {key for place in (WatchScreen, Turns) for key, _ in bindings(place)} == WATCHED
    assert {key for place in (TourScreen, Stage) for key, _ in bindings(place)} == TOURED


async def pressed(app: PlayApp, pilot: Pilot[int], plan: Plan) -> None:
    await typed(app, pilot, *PLAYED)
    for key in plan.before:
        await pilot.press(key)
        if len(key) > 1:
            await settle(app, pilot)
    await pilot.press(plan.key)
    if plan.key != "ctrl+q":
        await settle(app, pilot)
    assert plan.after(app), plan.key


@pytest.fixture
def no_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key opens an editor of whoever runs this."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [(80, 24)])
@pytest.mark.parametrize("which", PLANS, ids=lambda which: f"{which[0].__name__}-{which[1]}")
async def test_every_key(
    tmp_path: Path,
    size: tuple[int, int],
    which: tuple[type[DOMNode], str, str],
    no_editor: None,
) -> None:
    async with playing(script(tmp_path), size) as (app, pilot):
        await pressed(app, pilot, PLANS[which])


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("size", [size for size in SIZES if size != (80, 24)])
@pytest.mark.parametrize("which", PLANS, ids=lambda which: f"{which[0].__name__}-{which[1]}")
async def test_every_key_in_other_sizes(
    tmp_path: Path,
    size: tuple[int, int],
    which: tuple[type[DOMNode], str, str],
    no_editor: None,
) -> None:
    async with playing(script(tmp_path), (200, 60)) as (app, pilot):
        await pilot.resize_terminal(*size)
        await pressed(app, pilot, PLANS[which])


# -- keys of one's own ---------------------------------------------------------------------


@pytest.mark.asyncio
async def test_keys_of_ones_own(tmp_path: Path) -> None:
    keys = tmp_path / "keys.toml"
    keys.write_text('undo = "ctrl+g"\n[plays]\nrun = "x, f12"\nfly = "z"\nkeep = 3\n', "utf-8")
    app = PlayApp(script(tmp_path), plays=tmp_path / "p.json", warn=False, keys=keys)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "there is no action 'plays.fly'" in shown(app, "#strip")
        await typed(app, pilot, *PLAYED)
        await pilot.press("ctrl+z")
        assert at(app) == PLAYED
        await pilot.press("ctrl+g")
        await pilot.pause()
        assert at(app) == PLAYED[:1]
        await pilot.press("ctrl+t", "f8", "x")
        await settle(app, pilot)
        assert "All plays read" in shown(app, "#strip")
        await pilot.press("f1")
        await pilot.pause()
        assert "ctrl+g" in shown(app, "#listing") and "[undo/redo]" in shown(app, "#listing")


@pytest.mark.parametrize(
    ("text", "says_"),
    [
        ("undo =", "cannot be used"),
        ("undo = 3", "undo needs a key"),
        ('undo = "a,,b"', "undo needs a key"),
        ('jump = "j"', "no action 'jump'"),
        ("x" * 70_000, "too large"),
        ("undo = " + "[" * 5_000 + "]" * 5_000, "nested"),
        ("a." * 20_000 + "a = 1", "nested"),
        ("undo = " + "1" * 5_000, "number"),
    ],
)
def test_a_file_of_keys_that_is_none_is_told(tmp_path: Path, text: str, says_: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(text, "utf-8")
    found, problems = keymap.read(file, known_keys())
    assert not found and len(problems) == 1 and says_ in problems[0]
    assert keymap.read(tmp_path / "none.toml", known_keys()) == ({}, [])


def test_where_keys_are_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    assert keymap.own_file() == tmp_path / "worldengine" / "keys.toml"
    monkeypatch.setattr("sys.platform", "win32")
    assert keymap.own_file() == tmp_path / "worldengine" / "keys.toml"


def test_the_page_names_every_key_that_may_be_chosen() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "playing.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z_.]+)`", page.split("Names are")[1].split("A name that")[0]))
    assert named == {key for key in known_keys() if not key.startswith("panel.")} | {
        "panel.commands",
        "panel.script",
    }
