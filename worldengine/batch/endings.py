"""Which episodes end in a step, and what their players read first in the next.

In: how slots stand after a step. Out: who has won, lost or come to the last turn. In a step in
which nothing ends, one look at the slots says so, and what is given back takes no room.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.engine import Engine
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import H_TURNS, H_VARIANT_COUNT
from worldengine.batch.tables.tables import Tables
from worldengine.machine.schema import LOST, RUNNING, WON

Marks = NDArray[np.bool_]


class Ended(NamedTuple):
    """What a step ended; those that nobody needs to write to may be one value seen everywhere."""

    won: Marks  # (n,)
    lost: Marks  # (n,)
    truncated: Marks  # (n,)
    scores: NDArray[np.float64]  # (n,) 1 where won


class Endings:
    """Tells the endings of slots that play these machines."""

    def __init__(self, tables: Tables, worlds: Integers) -> None:
        self._limits = tables.head[:, H_TURNS].astype(np.int32)[worlds]
        self._sure = 0  # so many steps, at least, none comes to its last turn
        none = np.broadcast_to(np.bool_(False), worlds.shape)
        self._nothing = Ended(none, none, none, np.broadcast_to(np.float64(0), worlds.shape))

    def tell(self, statuses: NDArray[np.int8], turns: Integers, over: Marks) -> Ended | None:
        """Who ends now, noted in `over` too, or None. `turns` count this one."""
        if self._sure <= 0 and len(turns):
            # No slot that begins anew has less left than the one that has least now.
            self._sure = int((self._limits - turns).min()) + 1
        self._sure -= 1
        if self._sure > 0 and not statuses.any():
            return None
        won, lost = statuses == WON, statuses == LOST
        np.greater_equal(turns, self._limits, out=over)
        truncated = over & (statuses == RUNNING)
        np.not_equal(statuses, RUNNING, out=over)
        np.logical_or(over, truncated, out=over)
        return Ended(won, lost, truncated, won.astype(np.float64)) if over.any() else None

    def nothing(self) -> Ended:
        """What a step gives in which nothing ends."""
        return self._nothing


AT_ONCE: Final = 65_536
"""Slots whose openings are looked up at a time: what that needs beside the slots stays small."""


class Openings:
    """Ids of what is read first, asked of the engine once for every variant that is met."""

    def __init__(self, tables: Tables, engine: Engine) -> None:
        counts = tables.head[:, H_VARIANT_COUNT]
        self._firsts = np.cumsum(counts) - counts
        self._known = np.zeros(int(counts.sum()), np.int64)
        self._engine = engine

    def of(
        self, worlds: Integers, variants: Integers, states: Integers, wanted: Marks
    ) -> NDArray[np.int64]:
        """(n,) the ids in the slots that are `wanted` and stand at their start; else 0."""
        texts = np.zeros(len(worlds), np.int64)
        for low in range(0, len(worlds), AT_ONCE):
            rows = low + np.flatnonzero(wanted[low : low + AT_ONCE])
            place = self._firsts[worlds[rows]] + variants[rows]
            new = self._known[place] == 0
            if new.any():
                self._meet(place[new], rows[new], worlds, states)
            texts[rows] = self._known[place]
        return texts

    def _meet(
        self, places: NDArray[np.int64], rows: NDArray[np.int64], worlds: Integers, states: Integers
    ) -> None:
        """Ask for the openings at places of `known` that nothing stands at yet."""
        met, first = np.unique(places, return_index=True)
        asked = rows[first]
        every = np.ones(len(asked), np.bool_)
        self._known[met] = self._engine.openings(worlds[asked], states[asked], every)
