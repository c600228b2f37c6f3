"""Options of players: what may be set after a player's name, and how it is read.

In: `key=value` texts and the options a player declares. Out: a setting for every option,
defaults included. Refused, with a sentence: options the player does not have, values that
are not of their kind, out of their range, or none of their choices.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from worldengine.players.protocol import Setting


class OptionError(ValueError):
    """An option that cannot be; the message is for people."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. `recorded` ones change what is played and stand in every trajectory; the
    others (how fast, on which device) may differ when a run goes on."""

    name: str
    kind: Literal["text", "integer", "number", "yes"]
    default: Setting
    help: str
    choices: tuple[str, ...] = ()
    also: str = ""
    """With `choices`: how a text may begin that is none of them, as in `rewrite:MODEL`."""

    low: float = -math.inf
    high: float = math.inf
    recorded: bool = True

    @property
    def shown(self) -> str:
        """As in a list of options: what may be given, and what stands without it."""
        default = self.default
        if isinstance(default, bool):
            default = "yes" if default else "no"
        elif isinstance(default, float):
            default = f"{default:g}"
        what = "|".join(filter(None, (*self.choices, self.also))) if self.choices else self.kind
        what = "yes|no" if self.kind == "yes" else what
        return f"{self.name}={what}" + (f" ({default})" if default not in (None, "") else "")

    def document(self) -> dict[str, Any]:
        """The same as values; `default` is null where there is none."""
        return {
            "name": self.name,
            "kind": self.kind,
            "default": self.default,
            "choices": [*self.choices, *filter(None, (self.also,))],
            "about": self.help,
        }


def settings(
    player: str, options: Iterable[Option], given: Mapping[str, str]
) -> dict[str, Setting]:
    """Every option's value, in the order of the options."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise OptionError(_unknown(player, name, tuple(known)))
    return {
        name: _read(player, option, given[name]) if name in given else option.default
        for name, option in known.items()
    }


def _unknown(player: str, name: str, known: tuple[str, ...]) -> str:
    if not known:
        return f"the player {player} has no options, so none called {name!r}"
    near = get_close_matches(name, known, 1)
    meant = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(known)}"
    return f"the player {player} has no option {name!r}{meant}"


def _read(player: str, option: Option, text: str) -> Setting:
    where = f"{option.name}={text} of the player {player}"
    if option.choices and text not in option.choices:
        begin = option.also.partition(":")[0]
        if not begin or not text.startswith(f"{begin}:"):
            known = ", ".join(filter(None, (*option.choices, option.also)))
            raise OptionError(f"{where}: it is one of {known}")
    if option.kind == "yes":
        if text not in ("yes", "no"):
            raise OptionError(f"{where}: it is yes or no")
        return text == "yes"
    if option.kind == "text" or option.choices:
        return text
    if text == "none" and option.default is None:
        return None
    try:
        value = int(text) if option.kind == "integer" else float(text)
    except ValueError:
        raise OptionError(f"{where}: it is {_kind(option)}") from None
    if not option.low <= value <= option.high or math.isnan(value):
        raise OptionError(f"{where}: it lies between {option.low:g} and {option.high:g}")
    return value


def _kind(option: Option) -> str:
    return "a whole number" if option.kind == "integer" else "a number"
