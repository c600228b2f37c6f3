"""The plan of a run: which rows make which update, and how fast each one learns.

In: rows, a length, a seed. Out: the updates as tuples of row numbers, all of them before the
first is done, so that a run that was stopped goes on exactly where it was. Each pass over the
rows has an order of its own, from the seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from worldengine.tuning.config import Length, Optimizer
from worldengine.tuning.rows import Row

Update = tuple[int, ...]


def plan(rows: Sequence[Row], length: Length, per_update: int, seed: int) -> tuple[Update, ...]:
    """All updates in order. A pass over the rows goes on in the next one without a gap; with
    `trained_tokens` the last update is the one that reaches them."""
    per_update = min(per_update, len(rows))
    wanted = _updates(length, len(rows), per_update)
    found: list[Update] = []
    ahead: list[int] = []
    turn, trained = 0, 0
    while (wanted is None or len(found) < wanted) and (
        length.trained_tokens is None or trained < length.trained_tokens
    ):
        while len(ahead) < per_update:
            order = list(range(len(rows)))
            Random(f"rows|{seed}|{turn}").shuffle(order)
            ahead += order
            turn += 1
        update = tuple(ahead[:per_update])
        del ahead[:per_update]
        found.append(update)
        trained += sum(rows[number].trained for number in update)
    return tuple(found)


def _updates(length: Length, rows: int, per_update: int) -> int | None:
    if length.updates is not None:
        return length.updates
    if length.epochs is not None:
        return max(1, math.ceil(length.epochs * rows / per_update))
    return None


def rate(optimizer: Optimizer, update: int, updates: int) -> float:
    """The learning rate of update number `update`, from 0: up in a straight line, then down
    along half a cosine to `final` times the highest."""
    warm = math.ceil(optimizer.warmup * updates)
    if update < warm:
        return optimizer.rate * (update + 1) / warm
    share = (update - warm) / max(1, updates - 1 - warm)
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
    return optimizer.rate * (optimizer.final + (1 - optimizer.final) * cosine)
