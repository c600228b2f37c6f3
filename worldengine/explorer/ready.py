"""What a player that plays in its mind needs at once, compiled before it plays (see
`worldengine.batch.compiling.together`).

In: the types of the tables' code and of their states. Out: jobs: what plays in batch, and
`play_rows`, and what asks one state for its mask.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch import Engine
from worldengine.batch.compiling.jit import NOTICE
from worldengine.batch.compiling.together import Job, make_ready
from worldengine.batch.ready import BATCH, job
from worldengine.batch.ready import jobs as jobs_of_batch
from worldengine.batch.slots.masks import mask_rows
from worldengine.batch.slots.starts import start_rows
from worldengine.batch.tables.tables import Tables, tables_of
from worldengine.explorer.imagining.playing import play_rows
from worldengine.machine import Machine


def ready_for(machine: Machine) -> Tables:
    """Tables of one Machine, with all made ready that plays it."""
    tables = tables_of([machine])
    types = tables.code.dtype.name, tables.state_type.name
    make_ready(NOTICE, "worldengine.explorer.ready", *types)
    return tables


def engine_for(machine: Machine) -> Engine:
    """An engine of one Machine, ready to play it."""
    return Engine(ready_for(machine))


def jobs(code: str, state: str) -> list[Job]:
    """For tables whose code and states are of these types."""
    words, states = np.zeros(0, np.dtype(code)), np.zeros((0, 0), np.dtype(state))
    narrow, wide, heads = np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
    steps, tiny = np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int8)
    passed = np.zeros((0, 0, 0), np.dtype(state))
    own = [each for each in jobs_of_batch(BATCH, code, state) if each.entry is not start_rows]
    also = job(
        play_rows, 1.6, heads, words, narrow, wide, narrow, wide, narrow, narrow, narrow, wide,
        narrow, narrow, narrow, states, steps, steps, tiny, narrow, heads, np.zeros(0), 0, tiny,
        passed, 0,
    )  # fmt: skip
    masks = job(
        mask_rows, 1.0, heads, words, narrow, wide, narrow, wide, narrow, narrow, narrow, wide,
        narrow, states, True, np.zeros((0, 0), np.uint8), 0, 0,
    )  # fmt: skip
    return [own[0], also, masks, *own[1:]]
