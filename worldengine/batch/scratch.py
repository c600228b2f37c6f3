"""Room to work in: what one thread needs while it steps, made once and used again.

In: `Tables`. Out: arrays for one slot vector, its stack, the texts of one turn, and the
memory of texts met. Nothing here is part of any state.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.arrays import Integers
from worldengine.batch.tables import Tables

TEXTS = 4_096
"""Room for ids of texts met, at first; doubled when half full."""
NEWS = 16_384
"""Integers of news about texts not met before that are kept until they are collected."""


class Scratch:
    """See the module. One thread at a time."""

    def __init__(self, tables: Tables) -> None:
        self.slots = np.zeros(tables.slots, np.int32)
        self.other_slots = np.zeros(tables.slots, np.int32)
        self.fresh = np.zeros(tables.derived // 64 + 1, np.int64)
        self.other_fresh = np.zeros(tables.derived // 64 + 1, np.int64)
        self.marks = np.zeros(2 * tables.derived, np.int32)
        self.stack = np.zeros(tables.stack + 16, np.int32)
        self.said = np.zeros(tables.saying, np.int32)
        self.met = np.zeros(TEXTS, np.int64)
        self.news = np.zeros(NEWS, np.int32)
        self.news[0] = self.news[1] = 0
        self.dead = np.zeros(tables.operators // 64 + 1, np.int64)

    def grow_said(self) -> None:
        """Twice the room for the texts of one turn (and for news of them)."""
        self.said = np.zeros(2 * len(self.said), np.int32)
        if 4 * len(self.said) > len(self.news):
            self.news = np.concatenate([self.news, np.zeros(4 * len(self.said), np.int32)])

    def grow_met(self) -> None:
        """Twice the room for ids of texts met; they are sought from their low bits up."""
        met: Integers = self.met[self.met != 0]
        self.met = np.zeros(2 * len(self.met), np.int64)
        mask = len(self.met) - 1
        for value in met.tolist():
            place = value & mask
            while self.met[place]:
                place = (place + 1) & mask
            self.met[place] = value
