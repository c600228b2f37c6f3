"""The world that these tests play in, and a way to play it in the app."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tui.app import PlayApp
from worldengine.compiler import compile_source
from worldengine.compiler.notes import Notes
from worldengine.machine import Machine
from worldengine.source import Source

SCRIPT = Path(__file__).with_name("parlour.world")
SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))


@cache
def compiled() -> tuple[Machine, Notes]:
    found = compile_source(Source("parlour.world", SCRIPT.read_text("utf-8")))
    assert found.machine is not None and found.notes is not None
    return found.machine, found.notes


def parlour() -> Machine:
    return compiled()[0]


def script(folder: Path) -> Path:
    """A copy that may be edited."""
    return Path(shutil.copy(SCRIPT, folder / "parlour.world"))


@asynccontextmanager
async def playing(
    path: Path | None,
    size: tuple[int, int] = (120, 40),
    variant: int = 0,
    warn: bool = False,
) -> AsyncIterator[tuple[PlayApp, Pilot[int]]]:
    """The app with the script compiled. The cursor does not blink."""
    app = PlayApp(path, variant, None if path is None else path.with_suffix(".plays.json"), warn)
    async with app.run_test(size=size) as pilot:
        await settle(app, pilot)
        still(app)
        yield app, pilot


async def settle(app: PlayApp, pilot: Pilot[int]) -> None:
    """Until everything that was begun has ended and is drawn."""
    await pilot.pause()
    for _ in range(4):
        await app.workers.wait_for_complete()
        await pilot.pause()


async def typed(app: PlayApp, pilot: Pilot[int], *lines: str) -> None:
    """Lines typed and entered, as a person would."""
    for line in lines:
        app.play.command.value = line
        await pilot.press("enter")
        await pilot.pause()


def still(app: PlayApp) -> None:
    for field in app.screen.query(Input):
        field.cursor_blink = False


def shown(app: PlayApp, selector: str) -> str:
    """The rows of a widget as text."""
    from tui.lines import Lines

    return "\n".join(row.text for row in app.screen.query_one(selector, Lines).rows)
