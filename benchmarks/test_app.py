"""How fast the terminal app answers: a world of 500 objects, a play of 5,000 turns.

What is measured is the whole way from a key to the last character drawn, at 200×60, in one
process without a real terminal: the processor time of the thread that draws. `ms_slowest_key`
in the extra info is what should be under 50, for every key of `KEYS`; the time of a round is
that of all keys together, three times.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from textual import events
from textual.keys import _character_to_key

from tui.app import PlayApp
from tui.session import Session

PLACES, THINGS, TURNS = 40, 460, 5_000
KEYS = (
    *"look", "enter", *"go e", "tab", "enter", *"danc", "enter", "ctrl+z", "ctrl+y", "up", "down",
    "escape", "f1", "escape", "f2", "down", "pagedown", "end", "home", "s", "escape",
    "f3", "pagedown", "escape", "f4", "s", "s", "escape", "f5", "escape", "f6", "escape",
    "f7", "escape", "ctrl+t", "f8", "end", "escape", "f9", "end", "escape", "ctrl+s", "escape",
    "ctrl+n", "ctrl+y",
)  # fmt: skip
QUIET = 0.08
"""Seconds without anything drawn after which a key has been answered."""


def script() -> str:
    """Places in a row, with things lying about in them."""
    lines = ['world big "Big" { goal "Go on." turns 9000 }', "use travel"]
    for at in range(PLACES):
        east = f" exit east to hall_{at + 1}" if at + 1 < PLACES else ""
        west = f" exit west to hall_{at - 1}" if at else ""
        lines.append(f'place hall_{at} "hall {at}" {{{east}{west} }}')
    lines += [f'thing thing_{n} "gadget {n}" in hall_{n % PLACES}' for n in range(THINGS)]
    lines += ["player in hall_0", f"win when player.in == hall_{PLACES - 1}"]
    return "\n".join(lines)


def long_play(session: Session) -> None:
    for turn in range(TURNS):
        session.play("go west" if turn % 2 else "go east")


async def keys(path: Path, rounds: int) -> list[list[float]]:
    """Seconds of the drawing thread from each key until everything is drawn, each round from
    the end of the long play."""
    app = PlayApp(path, plays=path.with_suffix(".json"), warn=False)
    async with app.run_test(size=(200, 60)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        session = app.play.desk.session
        assert session is not None
        long_play(session)
        far, found = session.at, list[list[float]]()
        for _ in range(rounds):
            session.jump(far)
            app.play.draw()
            await pilot.pause()
            found.append([await answered(app, key) for key in KEYS])
        return found


async def answered(app: PlayApp, key: str) -> float:
    """Press a key as a terminal would; Pilot itself would be part of what is measured."""
    await app.workers.wait_for_complete()
    await asyncio.sleep(QUIET)
    single = len(key) == 1
    event = events.Key(_character_to_key(key) if single else key, key if single else None)
    event.set_sender(app)
    before = time.thread_time()
    app.post_message(event)
    last = time.perf_counter()
    spent = used = time.thread_time()
    while time.perf_counter() - last < QUIET:
        await asyncio.sleep(QUIET / 5)
        spent = time.thread_time()
        if spent - used > 0.001:
            last = time.perf_counter()
        used = spent
    return spent - before


def test_keys_in_a_large_world_after_a_long_play(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "big.world"
    path.write_text(script(), "utf-8")
    rounds: list[list[float]] = []
    benchmark.pedantic(lambda: rounds.extend(asyncio.run(keys(path, 3))), rounds=1)
    times = [median(each) for each in zip(*rounds, strict=True)]
    benchmark.extra_info["ms_per_key"] = round(1000 * median(times), 1)
    benchmark.extra_info["ms_slowest_key"] = round(1000 * max(times), 1)
    benchmark.extra_info["slowest_key"] = KEYS[times.index(max(times))]


@pytest.mark.parametrize("turns", [1, 1_000])
def test_undo_and_redo(benchmark: Any, tmp_path: Path, turns: int) -> None:
    from worldengine import compile

    session = Session(compile(script()))
    long_play(session)

    def there_and_back() -> None:
        session.undo(turns)
        session.redo(turns)

    benchmark(there_and_back)
