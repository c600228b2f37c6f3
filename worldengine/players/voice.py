"""The choice of words: phrases of a stock, their gaps filled.

In: a pool of phrases, the command they are about, what goes into other gaps. Out: a sentence or
two. Which phrase is left to chance, but one that was used rests for a while.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from worldengine.players.view import Phrase
from worldengine.players.wording import capital, doing

RESTS = 24
"""Wordings after which one may be used again."""
_GAP = re.compile(r"\{([A-Za-z]+)\}")


class Voice:
    """The words of one episode."""

    def __init__(self, random: Random) -> None:
        self._bits = random.getrandbits
        self._used: deque[str] = deque()
        self._resting: dict[str, int] = {}

    def say(self, pool: Sequence[str], phrase: Phrase, **gaps: str) -> str:
        """A phrase of the pool that does not rest, if there is one."""
        resting, used = self._resting, self._used
        text = self.one_of([text for text in pool if text not in resting] or pool)
        used.append(text)
        resting[text] = resting.get(text, 0) + 1
        if len(used) > RESTS:
            rested = used.popleft()
            if resting[rested] == 1:
                del resting[rested]
            else:
                resting[rested] -= 1
        return _worded(text, phrase.do, tuple(gaps.items()))

    def one_of(self, pool: Sequence[str]) -> str:
        """As `Random.choice`, with the same draws."""
        count = len(pool)
        bits = count.bit_length()
        at = self._bits(bits)
        while at >= count:
            at = self._bits(bits)
        return pool[at]


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[str, ...]:
    """A wording cut at its gaps: words, the name of a gap, words …"""
    return tuple(_GAP.split(text))


@lru_cache(maxsize=16_384)
def _worded(text: str, do: str, gaps: tuple[tuple[str, str], ...]) -> str:
    """A wording with its gaps filled; a name with a capital asks for one."""
    pieces = list(_pieces(text))
    filled = dict(gaps)
    for at in range(1, len(pieces), 2):
        gap = pieces[at]
        if gap in ("do", "doing", "Doing"):
            act = do if gap == "do" else doing(do)
            pieces[at] = capital(act) if gap == "Doing" else act
        else:
            pieces[at] = filled[gap] if gap in filled else capital(filled[gap.lower()])
    return capital("".join(pieces))
