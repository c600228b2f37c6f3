"""Options that many commands have, and how their values are read: once, for all parsers."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Command = Callable[[str, str, str, str], argparse.ArgumentParser]
"""Adds a command: its name, its module, what it does, an example."""


def json_option(sub: argparse.ArgumentParser, what: str) -> None:
    """`--json`; `what` says what it prints."""
    sub.add_argument("--json", action="store_true", help=f"print {what}")


def seed_option(sub: argparse.ArgumentParser, what: str) -> None:
    """`--seed`; `what` says what it is for, or what equal seeds give."""
    sub.add_argument("--seed", type=int, default=0, metavar="S", help=f"{what} (0)")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def natural(text: str) -> int:
    """An integer of 1 or more."""
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def row(text: str) -> int:
    """The number of a row."""
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(
            f"there is no row {text}: rows count from 1, so 1 is the first (episodes count from 0)"
        )
    return value
