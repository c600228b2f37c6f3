"""Room to work in: what one thread needs while it steps, made once and used again.

In: `Tables`. Out: arrays for one slot vector, its stack, the texts of one turn, and the
memory of texts met. Nothing here is part of any state.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.compiling.apart import attach
from worldengine.batch.lanes.frames import LANE_FRAME
from worldengine.batch.lanes.steps import LANES, PART, WORDS, Work
from worldengine.batch.lanes.sweep import sweep
from worldengine.batch.slots.kernel import run
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.facts import call_depth
from worldengine.batch.tables.tables import Tables

TEXTS = 4_096
"""Room for ids of texts met, at first; doubled when half full."""
NEWS = 16_384
"""Integers of news about texts not met before that are kept until they are collected."""


def lane_room(tables: Tables) -> Work:
    """Room for LANES states of any machine of the tables."""
    attach(sweep, tables.head, tables.code.dtype.type)
    words = tables.derived // 64 + 1 + (2 * tables.width) // 64 + 1
    frames = tables.derived * (1 + max(call_depth(machine) for machine in tables.machines)) + 64
    return Work(
        np.zeros((tables.columns, LANES), np.int32),
        np.zeros((1 + frames + tables.masks + 1, WORDS), np.int64),  # the last is never read
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.zeros(frames * LANE_FRAME, np.int64),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros((LANES, 0), np.uint8),
        np.zeros((LANES + 1, PART), np.int64),
        np.zeros((2, WORDS), np.int64),
        np.zeros((1 + frames, LANES), np.int32),
        tables.state_type.itemsize,
        np.zeros(0, np.int64),
    )


class Scratch:
    """See the module. One thread at a time."""

    def __init__(self, tables: Tables) -> None:
        attach(run, tables.head, tables.code.dtype.type)
        self.slots = np.zeros(tables.slots, np.int32)
        self.other_slots = np.zeros(tables.slots, np.int32)
        self.fresh = np.zeros(tables.derived // 64 + 1, np.int64)
        self.other_fresh = np.zeros(tables.derived // 64 + 1, np.int64)
        self.marks = np.zeros(2 * tables.derived, np.int32)
        self.stack = np.zeros(tables.stack + 16, np.int32)
        self.said = np.zeros(tables.saying, np.int32)
        self.met = np.zeros(TEXTS, np.int64)
        self.news = np.zeros(max(NEWS, 4 * tables.saying), np.int32)
        self.news[0] = self.news[1] = 0
        self.dead = np.zeros(tables.operators // 64 + 1, np.int64)
        self._tables = tables
        self._lanes: tuple[Work, Work] | None = None

    def lanes(self, texts: bool = False) -> Work:
        """Room for states side by side, with or without what they say, made when it is first
        asked for. After an exception in a kernel, ask for new room with `drop_lanes`."""
        if self._lanes is None:
            room = lane_room(self._tables)
            states = LANES, self._tables.width * self._tables.state_type.itemsize
            said, saved = np.zeros(LANES, np.int64), np.zeros(states, np.uint8)
            self._lanes = room, room._replace(said=said, saved=saved)
        return self._lanes[texts]

    def drop_lanes(self) -> None:
        self._lanes = None

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
