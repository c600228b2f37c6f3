"""Whatever a world or a person writes is shown as written, and restyles nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.tui.parlour import parlour, playing, script, settle, shown, typed
from tests.tui.test_session import WIN
from tui import chart, wrapping
from tui.canvas import Canvas, fit
from tui.rows import Row, row
from tui.session import Session

HOSTILE = (
    "[/]", "[b", "[0]", "[red]x[/red]", "[/foo]' as \"[/bar]\"", "[link=http://x]y[/link]",
    "$primary",
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\r\n\t\x00", "👩‍👩‍👧", "食品庫" * 50,
    "e\u0301" * 200,
    "مرحبا بالعالم", "\u202eabc", "\ud800", "x" * 10_000, "a b " * 2_500, "\u200b" * 40, "ｗｉｄｅ",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_rows_break_into_lines_that_fit_and_lose_nothing(text: str, width: int) -> None:
    made = row(text, (text, "good"), indent=3)
    lines = wrapping.wrap(made, width)
    for line in lines:
        # Only a single wide character may be wider than a line of one cell.
        assert cell_len("".join(part for part, _ in line)) <= max(width, 2)
    shown_text = "".join(part for line in lines for part, _ in line)
    assert shown_text.replace(" ", "") == made.text.replace(" ", "")
    assert not any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in made.text)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_pictures_stay_straight(text: str) -> None:
    assert cell_len(fit(text, 12)) == 12
    canvas = Canvas(20, 1)
    canvas.put(0, 0, fit(text, 20))
    (line,) = canvas.rows(0, 0, 20, 1)
    assert cell_len(line.text) <= 20
    assert len(wrapping.wrap(Row(line.spans, fixed=True), 5)) == 1


@pytest.mark.parametrize("size", [(1, 1), (5, 2), (18, 9), (46, 20), (200, 60)])
def test_the_map_fits_any_size(size: tuple[int, int]) -> None:
    session = Session(parlour())
    for command in ("look", "e", "d"):
        for everything in (True, False):
            assert chart.rows(session, *size, everything)
        session.type(command)


@pytest.mark.asyncio
async def test_anything_may_be_typed_into_the_app(tmp_path: Path) -> None:
    path = script(tmp_path)
    path.write_text(path.read_text("utf-8").replace("turns 12", "turns 90"), "utf-8")
    async with playing(path, (80, 24)) as (app, pilot):
        for text in HOSTILE:
            app.play.play(text)
            await pilot.pause()
        await typed(app, pilot, "[/]", "[b")
        await settle(app, pilot)
        story = shown(app, "#transcript")
        for literal in ('[/foo]\' as "[/bar]"', "[link=http://x]y[/link]", "\\x1b[31mred"):
            assert literal in story
        assert "\x1b" not in story
        for key in ("f2", "f3", "f5", "f8"):
            await pilot.press(key)
            await settle(app, pilot)
        for size in ((4, 3), (31, 11), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()


@pytest.mark.asyncio
async def test_long_lines_and_brackets_from_the_world(tmp_path: Path) -> None:
    path = script(tmp_path)
    long = "[/] " + "無" * 3000 + " [b " + "x" * 7000
    path.write_text(path.read_text("utf-8").replace("It burns with", long), "utf-8")
    async with playing(path, (60, 20)) as (app, pilot):
        await typed(app, pilot, *WIN[:4], "take letter", "read letter", "south", "open stove",
                    "put letter in stove")  # fmt: skip
        await settle(app, pilot)
        story = shown(app, "#transcript")
        assert long[:3000] in story and "[link=http://x]no[/link]" in story
