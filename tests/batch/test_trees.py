"""Questions that states answer, and endings, beside the same worked out row by row."""

from __future__ import annotations

import numpy as np

from worldengine.batch import Engine, tables_of
from worldengine.batch.endings import Endings
from worldengine.batch.slots.trees import decide_rows
from worldengine.batch.tables.layout import H_TURNS
from worldengine.bench import trial_shape
from worldengine.machine.schema import LOST, RUNNING, WON


def test_trees_are_gone_down_as_far_as_they_reach() -> None:
    engine = Engine(tables_of([trial_shape(variables=6, operators=4)]))
    chance, count, nodes = np.random.default_rng(0), 300, 40
    states = chance.integers(0, 2, (count, engine.tables.width)).astype(engine.tables.state_type)
    trees = np.full((nodes, 3), -1, np.int32)
    for node in range(nodes):  # branches lead on to nodes behind, or to none yet
        trees[node, 0] = chance.integers(-1, 6)
        later = chance.integers(node + 1, nodes + 8, 2)
        trees[node, 1:] = np.where((later < nodes) & (trees[node, 0] >= 0), later, -1)
    begun = chance.integers(0, nodes, count).astype(np.int32)
    came, sides, rows = begun.copy(), np.full(count, 9, np.int8), np.arange(0, count, 2)
    tables, room = engine.tables, engine.room()
    decide_rows(
        tables.head, tables.code, tables.wide, tables.bits, room.slots, room.fresh, room.marks,
        room.stack, room.said, np.zeros(count, np.int32), states, rows, trees, came, sides,
    )  # fmt: skip
    missing = 0
    for row in range(count):
        node, side = int(begun[row]), 9
        while row % 2 == 0 and trees[node, 0] >= 0:
            answer = int(states[row, trees[node, 0]] != 0)
            if trees[node, 1 + answer] < 0:
                side, missing = answer, missing + 1
                break
            node = int(trees[node, 1 + answer])
        assert (came[row], sides[row]) == (node, side)
    assert missing > 10


def test_endings_are_those_of_every_slot_looked_at() -> None:
    tables = tables_of([trial_shape(operators=2), trial_shape(1, operators=2)])
    tables.head[0, H_TURNS], tables.head[1, H_TURNS] = 5, 9
    worlds = np.array([0, 1] * 20, np.int32)
    limits = np.where(worlds == 0, 5, 9)
    endings, chance = Endings(tables, worlds), np.random.default_rng(3)
    turns, over, ended = np.zeros(40, np.int32), np.zeros(40, bool), 0
    for _ in range(200):
        turns[over], over[:] = 0, False
        turns += 1
        statuses = np.where(chance.random(40) < 0.01, chance.choice([WON, LOST], 40), RUNNING)
        statuses = statuses.astype(np.int8)
        told = endings.tell(statuses, turns, over)
        truncated = (statuses == RUNNING) & (turns >= limits)
        expected = (statuses != RUNNING) | truncated
        assert (told is not None) == expected.any() and (over == expected).all()
        if told is not None:
            ended += 1
            assert (told.won == (statuses == WON)).all() and (told.lost == (statuses == LOST)).all()
            assert (told.truncated == truncated).all() and (told.scores == told.won).all()
    assert 20 < ended < 200
