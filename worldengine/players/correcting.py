"""A wrong wording beside the right one: what is meant by it, what was wrong with it.

In: two commands, or an itinerary. Out: the command that a player has in mind, or phrases
that name the difference. Told from the two wordings alone.
"""

from __future__ import annotations

from worldengine.players import phrases
from worldengine.players.view import Itinerary, Leg

JOINTS = frozenset({"with", "to", "in", "into", "on", "onto", "from", "about", "at", "for"})
JOINTS |= {"over", "using", "by", "inside", "under", "of"}


def correction(wrong: str, right: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Phrases about what was wrong, with what goes into their gaps."""
    old, new = wrong.lower().split(), right.lower().split()
    if old and new and old[0] != new[0] and old[-1:] == new[-1:]:
        start = len(old) - len(new) + 1
        return phrases.WRONG_WORD, {"bad": " ".join(old[: max(start, 1)]), "good": new[0]}
    if len(old) < len(new) and new[: len(old)] == old:
        return phrases.LEFT_OUT, {}
    differ = [at for at in range(min(len(old), len(new))) if old[at] != new[at]]
    if len(old) != len(new) or not differ:
        return phrases.WRONG_WAY, {}
    bad, good = old[differ[0]], new[differ[0]]
    if len(differ) == 1 and good in JOINTS:
        return phrases.WRONG_JOINT, {"bad": bad, "good": good}
    if len(differ) == 1 and good.isdecimal() and bad.isdecimal():
        return phrases.WRONG_NUMBER, {"bad": bad, "good": good}
    return phrases.WRONG_NAME, {}


def meant(leg: Leg, legs: Itinerary, turn: int) -> str:
    """What a player has in mind: the right command where only a name or a small word is off
    or left out. A wrong verb or number is wrong in the mind too."""
    slip = turn - 1 if leg.purpose == "repeat" else turn
    if 0 <= slip < len(legs) and legs[slip].purpose == "slip":
        for later in legs[turn + 1 :]:
            if later.mends == slip and _same_wish(leg.command, later.command):
                return later.command
    return leg.command


def _same_wish(wrong: str, right: str) -> bool:
    old, new = wrong.split(), right.split()
    number = any(a != b and a.isdecimal() for a, b in zip(old, new, strict=False))
    return len(new) > 1 and old[0] == new[0] and not number
