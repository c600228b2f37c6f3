"""Pictures of the app, compared with those that were looked at and kept.

A picture is the SVG that Textual draws: every character with its colour. They are pinned to
one version of Textual; under another they are not compared. `UPDATE_SCREENS=1 pytest
tests/tui/test_screens.py` keeps what is drawn now; look at the difference before committing.
"""

from __future__ import annotations

import difflib
import html
import importlib.metadata
import os
import re
from pathlib import Path
from typing import Final

import pytest

from tests.tui.parlour import still
from tui.app import PlayApp

SCREENS: Final = Path(__file__).with_name("screens")
DRAWN_WITH: Final = "8.2.8"


def compare(app: PlayApp, name: str) -> None:
    """Fail if the app does not look as in the picture of this name."""
    if importlib.metadata.version("textual") != DRAWN_WITH:
        pytest.skip(f"pictures were drawn with textual {DRAWN_WITH}")
    still(app)
    drawn = _stable(app.export_screenshot(title="worldengine"))
    file = SCREENS / f"{name}.svg"
    if os.environ.get("UPDATE_SCREENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn, "utf-8")
        return
    kept = file.read_text("utf-8") if file.exists() else ""
    if kept != drawn:
        (file.with_suffix(".new.svg")).write_text(drawn, "utf-8")
        lines = difflib.unified_diff(_lines(kept), _lines(drawn), "kept", "drawn", n=1, lineterm="")
        shown = "\n".join(lines) or "the same characters, other colours"
        pytest.fail(f"{name} looks different; see {file.stem}.new.svg\n{shown}", pytrace=False)


def _stable(svg: str) -> str:
    """Without the number that Textual makes up for every drawing, and without web fonts."""
    svg = re.sub(r"terminal-[0-9]+", "terminal", svg)
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def _lines(svg: str) -> list[str]:
    """The characters of a picture, line by line."""
    found: dict[float, list[str]] = {}
    for y, text in re.findall(r'<text[^>]* y="([0-9.]+)"[^>]*>(.*?)</text>', svg):
        found.setdefault(float(y), []).append(html.unescape(text).replace("\xa0", " "))
    return ["".join(found[y]).rstrip() for y in sorted(found)]
