"""Walks that a group of starts can take together.

In: states, one a start, moves. Out: walks to places not far off, the nearest first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from worldengine.explorer.imagining.replaying import Ints, Replayer, States, Way
from worldengine.machine.schema import ACCEPTED

STROLLS = 16
"""Places that are walked to for something that tells starts apart."""


def strolls(replayer: Replayer, steps: Ints, rows: States) -> Iterator[tuple[Way, States]]:
    """Walks from here on which all starts read the same, by the moves that are `steps`, with the
    states they lead to."""
    place = replayer.place
    met = {int(rows[0, place])}
    waiting: list[tuple[Way, States]] = [((), rows)]
    count, size = len(steps), len(rows)
    while waiting and count and len(met) < STROLLS:
        walk, here = waiting.pop(0)
        after, signs, outcomes = replayer.read_each(
            np.repeat(here, count, axis=0), np.tile(steps, size),
            np.zeros(count * size, np.int32),
        )  # fmt: skip
        signs, outcomes = signs.reshape(size, count), outcomes.reshape(size, count)
        after = after.reshape(size, count, -1)
        same = (signs == signs[:1]).all(axis=0) & (outcomes[0] == ACCEPTED)
        for at in np.flatnonzero(same & (after[0, :, replayer.status] == 0)).tolist():
            there = int(after[0, at, place])
            if there in met:
                continue
            met.add(there)
            walked = (*walk, (int(steps[at]), 0)), np.ascontiguousarray(after[:, at])
            yield walked
            waiting.append(walked)
