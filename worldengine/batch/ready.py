"""What playing in batch needs at once, compiled before the first turn (see `compiling.together`).

In: the type of the tables' code and that of their states. Out: jobs; the dear ones stand at both
ends, where two processes begin. Arrays here are empty: only their types count. The seconds are
those of one core of 2024 and are told to those who wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldengine.batch.compiling.jit import NOTICE
from worldengine.batch.compiling.kinds import kind_of
from worldengine.batch.compiling.together import Job, make_ready
from worldengine.batch.lanes.ordering import in_order
from worldengine.batch.lanes.sweep import sweep
from worldengine.batch.lanes.turns import step_lanes
from worldengine.batch.slots.alone import alone
from worldengine.batch.slots.kernel import run
from worldengine.batch.slots.starts import drawn, opening_rows, start_rows
from worldengine.batch.slots.turns import step_rows
from worldengine.batch.tables.tables import Tables

BATCH, ONE = "batch", "one"
"""What is to be ready: `BatchEnv`, or `Single`."""


def batch_ready(tables: Tables, what: str) -> None:
    """Make ready what plays these tables."""
    types = tables.code.dtype.name, tables.state_type.name
    make_ready(NOTICE, "worldengine.batch.ready", what, *types)


def jobs(what: str, code: str, state: str) -> list[Job]:
    """For tables whose code and states are of these types."""
    kind, narrow, wide = np.dtype(code).type, np.zeros(0, np.int32), np.zeros(0, np.int64)
    words, tiny, bools = np.zeros(0, kind), np.zeros(0, np.int8), np.zeros(0, np.bool_)
    rows, states = np.zeros((0, 0), np.int64), np.zeros((0, 0), np.dtype(state))
    if what == ONE:
        return [
            job(alone, 1.6, words, wide, narrow, states, 0, 0, 0, narrow),
            job(drawn, 0.1, 0, 0, 0),
            Job(run.entry, run.types(kind), 2.0),  # type: ignore[attr-defined]
        ]
    tables, _, work, raw, *_ = sweep.samples(kind)  # type: ignore[attr-defined]
    room = narrow, wide, narrow, narrow, narrow, wide, narrow
    progress, bytes_ = np.zeros(0, np.float64), np.zeros(0, np.uint8)
    return [
        job(
            step_lanes, 4.7, tables, work, narrow, rows, raw, narrow, narrow, tiny, narrow,
            progress, tiny, wide, wide, bytes_, raw, 0, 0,
        ),
        job(in_order, 0.3, narrow, narrow, wide, wide, narrow, rows, narrow),
        job(start_rows, 0.3, rows, narrow, narrow, bools, narrow, wide, wide, narrow, states),
        job(
            opening_rows, 0.5, rows, words, narrow, wide, *room, narrow, states, bools, tiny,
            wide, 0, 0,
        ),
        job(
            step_rows, 1.3, rows, words, narrow, wide, *room, narrow, narrow, states, narrow,
            narrow, tiny, narrow, wide, progress, 0, 0,
        ),
        Job(run.entry, run.types(kind), 2.0),  # type: ignore[attr-defined]
        Job(sweep.entry, sweep.types(kind), 4.5),  # type: ignore[attr-defined]
    ]  # fmt: skip


def job(entry: Any, seconds: float, *samples: Any) -> Job:
    """A job by an argument of each type."""
    return Job(entry, tuple(map(kind_of, samples)), seconds)
