"""Pictures of the main screens and the film of the tour, for the README.

    python -m worldengine.tui.pictures docs/pictures
    python -m worldengine.tui.pictures docs/pictures --film

In: a folder. Out: SVG files; with `--film` also `tour.gif`, for which cairosvg has to be
installed. The worlds are those that ship, the pictures those of the real app.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from worldengine.resources import shipped_world

from .app import PlayApp
from .tour import Frame, frames
from .tour_screen import TourApp, TourScreen

BAKING = ("x card", "take recipe card", "read recipe card", "take dough", "set oven to 200")
SCENES: tuple[tuple[str, str, tuple[int, int], tuple[str, ...], tuple[str, ...]], ...] = (
    ("play", "bakery", (120, 36), BAKING, tuple("set ")),
    ("map", "lighthouse", (120, 36), ("east", "south"), ("f4", "s")),
    ("state", "bakery", (180, 45), BAKING[:3], ("f3",)),
    ("coverage", "bakery", (120, 36), BAKING, ("f7", "a", "home", "down", "down", "enter")),
    ("plays", "museum", (120, 36), ("look",), ("f8", "R", "r", "B")),
    ("small", "thesis_shell", (60, 20), ("cat NOTES",), ()),
)
"""Name, world, size, commands played, keys pressed after them."""
FILM = (120, 34)
FILM_WIDTH = 960
STREAM, STREAMED = 12, 40.0
"""Frames of the film while episodes stream by, and for how many seconds they are run."""
FONT = "DejaVu Sans Mono"


async def scene(
    world: str, size: tuple[int, int], commands: Sequence[str], keys: Sequence[str], plays: Path
) -> str:
    """One picture of the app, as SVG."""
    path = shipped_world(world)
    assert path is not None, world
    app = PlayApp(path, plays=plays)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        for command in commands:
            app.play.play(command)
        await pilot.pause()
        for key in keys:
            await pilot.press("space" if key == " " else key)
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
        app.play.command.cursor_blink = False
        return without_web_fonts(app.export_screenshot(title="worldengine"))


def without_web_fonts(svg: str) -> str:
    """A picture that loads nothing from anywhere."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


async def film(seconds: float) -> Iterator[tuple[str, float]]:
    """The frames of the tour as SVG, each with how long it stands."""
    found: list[tuple[str, float]] = []
    app = TourApp(None)
    async with app.run_test(size=FILM) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, TourScreen)
        for frame in _thinned(frames(seconds)):
            screen.show(frame)
            await pilot.pause()
            found.append((app.export_screenshot(title="worldengine"), frame.seconds))
    return iter(found)


def _thinned(all_frames: Iterator[Frame]) -> Iterator[Frame]:
    """Frames that fly by are shown now and then only: a film has to be small. The last of
    them, with the sums, stands longer."""
    flying: list[Frame] = []
    for frame in all_frames:
        if frame.seconds < 0.5:
            flying.append(frame)
            continue
        step = max(1, len(flying) // STREAM)
        yield from flying[:-1:step]
        yield from (replace(last, seconds=3.0) for last in flying[-1:])
        flying = []
        yield frame


def write_film(file: Path, pictures: Iterator[tuple[str, float]]) -> None:
    """A GIF; ImportError where cairosvg or Pillow is missing."""
    import io

    import cairosvg
    from PIL import Image

    images, lengths = [], []
    for svg, seconds in pictures:
        png = cairosvg.svg2png(
            bytestring=without_web_fonts(svg).replace("Fira Code", FONT).encode(),
            output_width=FILM_WIDTH,
        )
        images.append(Image.open(io.BytesIO(png)).convert("P", palette=Image.Palette.ADAPTIVE))
        lengths.append(int(max(0.3, seconds) * 1000))
    images[0].save(
        file, save_all=True, append_images=images[1:], duration=lengths, loop=0, optimize=True
    )


def missing_for_the_film() -> list[str]:
    """What would have to be installed first, under the names pip knows."""
    needed = (("cairosvg", "cairosvg"), ("PIL", "pillow"))
    return [package for module, package in needed if find_spec(module) is None]


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the pictures; status 3 if the film cannot be made."""
    parser = argparse.ArgumentParser(
        prog="python -m worldengine.tui.pictures", description="Pictures for the README."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--film", action="store_true", help="the tour as a GIF (needs cairosvg)")
    arguments = parser.parse_args(argv)
    if arguments.film and (missing := missing_for_the_film()):
        names = " ".join(missing)
        print(f"the film needs more; install it with: pip install {names}", file=sys.stderr)
        return 3
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as plays:
        for name, world, size, commands, keys in SCENES:
            print(f"the picture {name}.svg", file=sys.stderr)
            picture = scene(world, size, commands, keys, Path(plays) / f"{name}.json")
            svg = asyncio.run(picture)
            (arguments.folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    if arguments.film:
        print("the film of the tour; this takes longer than the pictures", file=sys.stderr)
        write_film(arguments.folder / "tour.gif", asyncio.run(film(STREAMED)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
