"""A wrong wording beside the right one: what was wrong with it.

In: two commands. Out: wordings that name the difference, and what goes into their gaps. Told
from the two commands alone.
"""

from __future__ import annotations

from worldengine.players.thoughts import musings
from worldengine.players.thoughts.spinning import Pool

WRONG_WORD, LEFT_OUT = Pool(*musings.WRONG_WORD), Pool(*musings.LEFT_OUT)
WRONG_JOINT, WRONG_NAME = Pool(*musings.WRONG_JOINT), Pool(*musings.WRONG_NAME)
WRONG_NUMBER = Pool(*musings.WRONG_NUMBER)
JOINTS = frozenset({"with", "to", "in", "into", "on", "onto", "from", "about", "at", "for"})
JOINTS |= {"over", "using", "by", "inside", "under", "of"}


def correction(wrong: str, right: str) -> tuple[Pool | None, dict[str, str]]:
    """See the module; None where the two have nothing to do with one another."""
    old, new = wrong.lower().split(), right.lower().split()
    if not old or not new or old == new:
        return None, {}
    if old[0] != new[0]:
        start = len(old) - len(new) + 1
        if old[-1] != new[-1] or start < 1:
            return None, {}
        return WRONG_WORD, {"bad": " ".join(old[:start]), "good": new[0]}
    if new[: len(old)] == old:
        return LEFT_OUT, {}
    differ = [at for at in range(min(len(old), len(new))) if old[at] != new[at]]
    if len(old) != len(new):
        return None, {}
    bad, good = old[differ[0]], new[differ[0]]
    if len(differ) == 1 and good in JOINTS:
        return WRONG_JOINT, {"bad": bad, "good": good}
    if len(differ) == 1 and good.isdecimal() and bad.isdecimal():
        return WRONG_NUMBER, {"bad": bad, "good": good}
    return WRONG_NAME, {}
