"""What `--player` takes, as text.

    NAME[:ARGUMENT][,option=value…]
    best_of:N:PLAYER   reflexion:N:PLAYER

In: the text. Out: a `Spec`, not yet looked up. Options stand at the end and belong to the
innermost player. An argument may hold colons and, as long as what follows is no `option=`,
commas: paths and addresses do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

WRAPPERS = ("best_of", "reflexion")
_OPTION = re.compile(r"[a-z_]+=[^,]*")
_DEEPEST = 4


class SpecError(ValueError):
    """A text that names no player; the message is for people."""


@dataclass(frozen=True, slots=True)
class Spec:
    """`inner` and `times` are of a wrapper; `argument` and `options` of any other player."""

    name: str
    argument: str = ""
    options: dict[str, str] = field(default_factory=dict)
    times: int = 1
    inner: Spec | None = None


def parse(text: str) -> Spec:
    """See the module. SpecError for what cannot be read."""
    parts = text.strip().split(",")
    options: dict[str, str] = {}
    while len(parts) > 1 and _OPTION.fullmatch(parts[-1].strip()):
        name, _, value = parts.pop().strip().partition("=")
        if name in options:
            raise SpecError(f"the option {name!r} is given twice in {text!r}")
        options[name] = value
    return _player(",".join(parts), dict(reversed(options.items())), text, 0)


def _player(said: str, options: dict[str, str], whole: str, depth: int) -> Spec:
    name, colon, argument = said.partition(":")
    if not name:
        raise SpecError(f"{whole!r} names no player")
    if name not in WRAPPERS:
        return Spec(name, argument, options)
    times, colon, inner = argument.partition(":")
    if not times.isdecimal() or not colon or not inner or not 1 <= int(times) <= 1000:
        raise SpecError(f"{name} is written {name}:N:PLAYER, as in {name}:4:random, not {said!r}")
    if depth >= _DEEPEST:
        raise SpecError(f"{whole!r} wraps a player more than {_DEEPEST} times")
    return Spec(name, times=int(times), inner=_player(inner, options, whole, depth + 1))
