"""What the main screens look like, in several sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.parlour import SIZES, playing, script, settle, typed
from tests.tui.pictures import compare
from tests.tui.test_session import WIN
from tui.workshop import Loaded, signature
from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span

pytestmark = pytest.mark.asyncio
PLAY = ("x stove", "take key", "1", "ring bell 3 times")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_story(tmp_path: Path, size: tuple[int, int]) -> None:
    async with playing(script(tmp_path), size) as (app, pilot):
        await typed(app, pilot, *PLAY)
        await pilot.press(*"un")
        await settle(app, pilot)
        compare(app, f"story-{size[0]}x{size[1]}")


@pytest.mark.parametrize(
    ("keys", "size", "name"),
    [
        (("f3",), (120, 40), "state-120x40"),
        (("f4", "s"), (80, 24), "map-80x24"),
        (("f5",), (60, 20), "goals-60x20"),
        (("f6", "space"), (120, 40), "hints-120x40"),
        (("f7", "home", "down", "enter"), (120, 40), "coverage-120x40"),
        (("f8", "R", "r"), (120, 40), "plays-120x40"),
        (("f9", "end"), (120, 40), "script-120x40"),
        (("f1",), (80, 24), "help-80x24"),
        (("ctrl+n",), (80, 24), "starts-80x24"),
    ],
)
async def test_panels_and_dialogs(
    tmp_path: Path, keys: tuple[str, ...], size: tuple[int, int], name: str
) -> None:
    async with playing(script(tmp_path), size) as (app, pilot):
        await typed(app, pilot, *PLAY)
        for key in keys:
            await pilot.press(key)
            await settle(app, pilot)
        compare(app, name)


async def test_the_end_on_paper(tmp_path: Path) -> None:
    async with playing(script(tmp_path), (80, 24)) as (app, pilot):
        app.theme = "paper"
        await typed(app, pilot, *WIN)
        await settle(app, pilot)
        compare(app, "won-paper-80x24")


async def test_a_script_that_does_not_compile(tmp_path: Path) -> None:
    """The complaint is made up here: the compiler's own words may change."""
    path = script(tmp_path)
    async with playing(path, (100, 30)) as (app, pilot):
        await typed(app, pilot, "look")
        source = Source(path.name, path.read_text("utf-8"))
        at = source.text.index("asked = true")
        complaint = Diagnostic(
            "name-unknown", "error", "there is no fact `[b]askd`", Span(source, at, at + 5),
            "did you mean `asked`?",
        )  # fmt: skip
        app.play._loaded(Loaded(signature(path), source, (complaint,), None))
        await pilot.press("f9")
        await settle(app, pilot)
        compare(app, "broken-100x30")
