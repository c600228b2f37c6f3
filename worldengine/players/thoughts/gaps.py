"""What fills the gaps of wordings: a command, a thing, the places seen.

In: a phrase or a view. Out: words for `musings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from worldengine.players.shown.wording import capital, doing
from worldengine.players.thoughts.recall import place
from worldengine.players.view import View


@lru_cache(maxsize=16_384)
def act(do: str) -> Mapping[str, str]:
    """The gaps of a command that is to `do` something."""
    done = doing(do)
    return {"do": do, "doing": done, "Doing": capital(done)}


def thing_of(view: View, name: str) -> dict[str, str]:
    """The gaps of a thing: with its article, and what its number asks for."""
    noun, many = view.noun(name) or name, view.plural(name)
    return {
        "thing": noun,
        "Thing": capital(noun),
        "is": "are" if many else "is",
        "was": "were" if many else "was",
    }


def places_seen(view: View) -> str:
    """The places seen, in words."""
    found = [place(view, turn) for turn in range(-1, len(view.turns))]
    names = [name for name in dict.fromkeys(found) if name]
    if len(names) > 3:
        return f"{len(names)} places"
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return names[0] if names else "a little"
