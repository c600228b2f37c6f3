"""Players by name: what `--player` takes.

In: a player as text (`worldengine.players.spec`). Out: a fresh player. Refused, with a
sentence: names nobody knows, arguments that are missing or too many, options that a player
does not have. A player's module is loaded when it is asked for, and its libraries when it is
made. A module of a player has `OPTIONS` and `make(argument, settings)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from worldengine.players.options import Option, OptionError, settings
from worldengine.players.protocol import Player
from worldengine.players.spec import WRAPPERS, Spec, SpecError, parse

DEFAULT = "explorer"


class UnknownPlayer(ValueError):
    """No such player, or one that cannot be made so; the message is for people."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`argument` is what stands after the colon, "" where nothing does."""

    module: str
    argument: str
    help: str


KINDS: dict[str, Kind] = {
    "explorer": Kind("explorer", "", "acts on what it has observed, errs, recovers; the default"),
    "random": Kind("random", "", "any command of its command set"),
    "expert": Kind("expert", "", "follows a plan that wins, step by step"),
    "human": Kind("human", "", "somebody at this terminal"),
    "hf": Kind("models.hf", "PATH", "a transformers model in a folder"),
    "openai": Kind("models.openai", "MODEL@URL", "a model behind an OpenAI-compatible server"),
    "python": Kind("python", "MODULE:NAME", "a player of your own"),
    "dm": Kind("models.dm", "MODEL@URL", "a model as Dungeon Master in the Machine's place"),
    "best_of": Kind("again", "N:PLAYER", "plays up to N times and keeps the best"),
    "reflexion": Kind("again", "N:PLAYER", "plays up to N times, with a lesson from each failure"),
}


def names() -> tuple[str, ...]:
    return tuple(KINDS)


def make(text: str) -> Player:
    """A fresh player, as in `random`, `hf:models/small,temperature=0.7`."""
    try:
        return _made(parse(text))
    except (SpecError, OptionError) as error:
        raise UnknownPlayer(str(error)) from None


def options(name: str) -> tuple[Option, ...]:
    """What may be set of the players of this name."""
    return tuple(getattr(_module(name), "OPTIONS", ()))


def described() -> Iterable[str]:
    """Every player with its options, a line each."""
    for name, kind in KINDS.items():
        written = f"{name}:{kind.argument}" if kind.argument else name
        yield f"{written:<22} {kind.help}"
        for option in options(name):
            yield f"{'':<4}{option.shown:<46} {option.help}"


def documents() -> Iterable[dict[str, Any]]:
    """The same as values."""
    for name, kind in KINDS.items():
        yield {
            "player": f"{name}:{kind.argument}" if kind.argument else name,
            "about": kind.help,
            "options": [option.document() for option in options(name)],
        }


def _made(spec: Spec) -> Player:
    if spec.name not in KINDS:
        raise UnknownPlayer(_no_such(spec.name))
    kind = KINDS[spec.name]
    module = _module(spec.name)
    if spec.inner is not None:
        wrapped: Player = module.make(spec.name, spec.times, _made(spec.inner))
        return wrapped
    if kind.argument and not spec.argument:
        raise UnknownPlayer(f"the player {spec.name} is written {spec.name}:{kind.argument}")
    if spec.argument and not kind.argument:
        raise UnknownPlayer(
            f"the player {spec.name} takes nothing after a colon, not {spec.argument!r}; "
            "options follow a comma"
        )
    player: Player = module.make(
        spec.argument, settings(spec.name, options(spec.name), spec.options)
    )
    return player


def _module(name: str) -> Any:
    return import_module(f"worldengine.players.{KINDS[name].module}")


def _no_such(name: str) -> str:
    there = ", ".join(KINDS)
    near = get_close_matches(name, [*KINDS, *WRAPPERS], 1)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return f"there is no player {name!r}; {meant}there are: {there}"


def recorded(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Those settings that change what is played."""
    kept = {option.name for option in options(name) if option.recorded}
    return {key: value for key, value in given.items() if key in kept}
