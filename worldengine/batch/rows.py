"""What one turn of many rows gives: the arrays that both ways of stepping fill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import LEFT_DOMAIN
from worldengine.batch.tables.tables import Tables
from worldengine.machine.errors import MachineError


@dataclass(frozen=True)
class Step:
    """One turn of every row."""

    outcomes: NDArray[np.int8]  # (n,) accepted, parameter, place, logic, or FINISHED
    failed: NDArray[np.int32]  # (n,) the requirement that failed, SCOPE_FAILED - k, or -1
    texts: NDArray[np.int64]  # (n,) ids of texts; (0,) if they were not asked for
    progress: NDArray[np.float64]  # (n,)
    statuses: NDArray[np.int8]  # (n,) running, won or lost, after the turn


def blank_step(count: int, texts: bool) -> Step:
    """Arrays for a turn of `count` rows, with or without texts."""
    return Step(
        np.zeros(count, np.int8),
        np.full(count, -1, np.int32),
        np.zeros(count if texts else 0, np.int64),
        np.zeros(count, np.float64),
        np.zeros(count, np.int8),
    )


def fits(tables: Tables, outcomes: NDArray[np.int8], machines: Integers) -> None:
    """MachineError if a value of any row did not fit its type."""
    if LEFT_DOMAIN in outcomes.tobytes():
        row = int(np.argmax(outcomes == LEFT_DOMAIN))
        name = tables.machines[int(machines[row])].name
        raise MachineError(f"{name} stores a value outside its domains")


def check_rows(tables: Tables, states: Integers, *columns: Integers) -> None:
    """ValueError unless arrays are of the lengths and types that an engine takes."""
    count = len(states)
    if states.ndim != 2 or states.shape[1] != tables.width:
        raise ValueError(f"states must be (n, {tables.width}), not {states.shape}")
    if states.dtype != tables.state_type:
        raise ValueError(f"states must be {tables.state_type}, not {states.dtype}")
    for column in columns:
        if column.shape != (count,) or column.dtype != np.int32:
            raise ValueError(
                f"machines, operators and numbers must be int32 of shape ({count},),"
                f" not {column.dtype} of shape {column.shape}"
            )
