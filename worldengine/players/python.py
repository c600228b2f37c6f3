"""A player of one's own: `python:MODULE:NAME`.

In: the name of a class or function in a module that Python can import. Out: what calling it
gives: a `Player` (it has `reset` and `act`) or a `Solo` (it has `begin` and `act`), which is
then seated once a slot. What it raises while it plays is told with the line of its code. Only a
command line or a caller names such a player: no file that is read ever leads to an import.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from worldengine.players.options import Option, OptionError
from worldengine.players.protocol import Each, Player, PlayerError, Settings

_DEFAULTS: dict[str, Any] = {"guidance": "", "settings": {}, "width": 1}
OPTIONS = (Option("setting", "text", "", "handed to NAME as its one argument, if it is not empty"),)


def make(argument: str, settings: Settings) -> Player:
    """What `python:MODULE:NAME` names. OptionError where there is no such thing, or it is no
    player."""
    module_name, colon, name = argument.partition(":")
    if not colon or not module_name or not name:
        raise OptionError(f"a player of your own is python:MODULE:NAME, not python:{argument}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise
        raise OptionError(f"there is no module {module_name!r} to import a player from") from None
    except Exception as error:  # its code may raise anything
        raise OptionError(f"the module {module_name} cannot be imported: {_told(error)}") from error
    maker = getattr(module, name, None)
    if not callable(maker):
        raise OptionError(f"the module {module_name} has no {name} that could be called")
    given = settings.get("setting")

    def made() -> Any:
        try:
            player = maker(given) if given else maker()
        except Exception as error:
            how = f"with {given!r}" if given else "without an argument"
            raise OptionError(
                f"{argument} gives no player when it is called {how}: {_told(error)}"
            ) from error
        if not callable(getattr(player, "act", None)):
            raise OptionError(
                f"{argument} gives {type(player).__name__}, which has no `act`: no player"
            )
        for attribute, default in _DEFAULTS.items():
            if not hasattr(player, attribute):
                setattr(player, attribute, default)
        if not hasattr(player, "name"):
            player.name = argument
        for name in ("reset", "begin", "act"):
            if callable(method := getattr(player, name, None)):
                setattr(player, name, _telling(method, argument))
        return player

    sample = made()
    if callable(getattr(sample, "reset", None)):
        player: Player = sample
        return player
    if not callable(getattr(sample, "begin", None)):
        whose = f"{argument} gives a {type(sample).__name__}"
        raise OptionError(f"{whose} with neither `reset` nor `begin`: no player")
    return Each(made)


def _telling(method: Callable[..., Any], argument: str) -> Callable[..., Any]:
    """A player's method, whose own mistakes are told in one sentence and are its cause."""

    @wraps(method)
    def telling(*given: Any) -> Any:
        try:
            return method(*given)
        except PlayerError:
            raise
        except Exception as error:  # its code may raise anything
            where = extract_tb(error.__traceback__)[-1]
            raise PlayerError(
                f"{argument} failed in {where.name} ({Path(where.filename).name}, line "
                f"{where.lineno}): {_told(error)}; what was played is kept: mend it and go on "
                "with --resume"
            ) from error

    return telling


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
