"""A voice: wordings drawn from pools, none twice in a row while there is another.

In: pools, what fills their gaps, chance. Out: words. One voice speaks through one episode.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from random import Random

from worldengine.players.thoughts.spinning import Pool

AGAIN = 16
"""Wordings that are not used again, if there is another, until so many others were."""
TRIES = 6
NOTHING: Mapping[str, str] = {}


class Voice:
    """See the module."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._bits, self._share = random.getrandbits, random.random
        self._used: deque[str] = deque(maxlen=AGAIN + 1)

    def _spun(self, pool: Pool, gaps: Mapping[str, str] = NOTHING) -> str:
        """One of a pool's wordings, not used lately, with its gaps filled."""
        text = self._clause(pool, gaps)
        return text[:1].upper() + text[1:]

    def _clause(self, pool: Pool, gaps: Mapping[str, str]) -> str:
        """The same, its first letter as it is."""
        fits, count, width = pool.fitting(gaps)
        bits, used = self._bits, self._used
        for _ in range(TRIES):
            at = bits(width)  # as `Random.choice`, with the same draws
            while at >= count:
                at = bits(width)
            said = fits[at].spun(bits)
            if said.text not in used:
                break
        used.append(said.text)
        return said.filled(gaps)

    def _chance(self, share: float) -> bool:
        return self._share() < share
