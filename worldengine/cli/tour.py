"""`worldengine tour`: ninety seconds that show what this is, on the terminal."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from worldengine.cli.printing import document
from worldengine.inputs import InputError

QUICK = 1.0
"""Seconds of episodes where nobody watches."""


def run(arguments: argparse.Namespace) -> int:
    """With `--json` everything is done and nothing shown: one document says what there was."""
    if arguments.json:
        frames = list(import_module("worldengine.tui.tour").frames(QUICK))
        captions = list(dict.fromkeys(frame.caption for frame in frames))
        document({"frames": len(frames), "captions": captions})
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("the tour needs a terminal to be shown on (or --json)")
    status: int = import_module("worldengine.tui.tour_screen").run()
    return status
