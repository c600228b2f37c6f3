"""What environments are given from outside: taken, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

from worldengine.loading import load
from worldengine.machine.given import machine_given
from worldengine.machine.schema import Machine

RENDERED = ("ansi",)
World: TypeAlias = Machine | str | PathLike[str]
"""A world, however it is named."""


def machine_of(world: World) -> Machine:
    """The Machine that `world` names; ValueError with its diagnostics if it does not compile."""
    if isinstance(world, str | PathLike):
        return load(world)
    if isinstance(world, list | tuple):
        raise TypeError("one environment plays one world: `gymnasium.make_vec` takes a list")
    return machine_given(world, "worldengine/Text-v0")


def check_render(mode: str | None) -> None:
    """ValueError for a way to render that there is not."""
    if mode not in (None, *RENDERED):
        raise ValueError(f"render_mode is None or {RENDERED[0]!r} (a text), not {mode!r}")


def options_of(options: dict[str, Any] | None, *known: str) -> dict[str, Any]:
    """Options of a reset. ValueError for one that there is not."""
    given = options or {}
    for name in given:
        if name not in known:
            raise ValueError(f"options of a reset are {', '.join(known)}; there is no {name!r}")
    return given


def typed(action: object) -> str:
    """An action. TypeError unless it is a text."""
    if not isinstance(action, str):
        raise TypeError(f"an action is the text of a command, not {type(action).__name__}")
    return str(action)


def machines_of(worlds: World | Sequence[World]) -> list[Machine]:
    """The Machines of a world or of a list of them."""
    if isinstance(worlds, Machine | str | PathLike):
        return [machine_of(worlds)]
    return [machine_of(each) for each in worlds]
