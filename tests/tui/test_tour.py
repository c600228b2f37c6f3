"""The tour: every frame is made from what really happened, and can be watched."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import pytest
from textual.pilot import Pilot

from tests.tui.parlour import SIZES
from tui import tour
from tui.pictures import without_web_fonts
from tui.tour_screen import TourApp


@cache
def all_frames() -> tuple[tour.Frame, ...]:
    return tuple(tour.frames(0.5))


def text(frame: tour.Frame) -> str:
    return "\n".join(row.text for row in (*frame.left, *frame.right))


def test_the_tour_shows_all_that_it_promises() -> None:
    frames = all_frames()
    assert any("✓ won" in text(frame) for frame in frames)
    refused = next(frame for frame in frames if frame.caption == tour.REFUSED)
    assert "✗ " in text(refused) and "require" in text(refused)
    red = next(frame for frame in frames if "verdict turns" in frame.caption)
    assert "✗ unwinnable" in text(red) and " needs " in text(red)
    place = re.search(r"thesis_shell\.world:([0-9]+):[0-9]+", text(red))
    assert place is not None and f"{place[1]:>4} │ " in text(red)
    green = next(frame for frame in frames if "comes back" in frame.caption)
    assert "✓ winnable" in text(green)
    assert any("episodes a second" in text(frame) for frame in frames)
    assert any("┆ masked" in text(frame) and "▌ trained" in text(frame) for frame in frames)


def test_captions_fit_a_terminal_of_eighty_columns() -> None:
    captions = {frame.caption for frame in all_frames()}
    assert len(captions) > 5
    assert all(len(caption) <= tour.WIDEST for caption in captions), captions


def test_it_takes_about_ninety_seconds() -> None:
    still = sum(frame.seconds for frame in all_frames() if frame.seconds >= 0.5)
    assert 60 <= still + tour.ROLLOUT_SECONDS <= 110


@pytest.mark.asyncio
@pytest.mark.parametrize("size", SIZES)
async def test_it_can_be_watched_held_and_left(size: tuple[int, int]) -> None:
    def some() -> Iterator[tour.Frame]:
        yield from all_frames()[:3]
        yield from all_frames()[-3:]

    app = TourApp(some, 0.5)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in ("space", "right", "right", "space", "right", "enter"):
            await pilot.press(key)
            await _soon(pilot)
        await pilot.press("escape")
        await pilot.pause()
    assert app.return_value == 0


async def _soon(pilot: Pilot[int]) -> None:
    await pilot.pause(0.05)


def test_the_command_tells_what_there_was() -> None:
    command = [sys.executable, "-m", "worldengine", "tour"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert tour.REFUSED in json.loads(done.stdout)["captions"]
    assert subprocess.run(command, capture_output=True, check=False, input=b"").returncode == 2


def test_pictures_load_nothing() -> None:
    assert "http" not in without_web_fonts('<style>@font-face { src: url("https://x") }</style>')
