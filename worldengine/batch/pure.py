"""A turn of many rows as a pure function."""

from __future__ import annotations

from worldengine.batch.engine import Engine
from worldengine.batch.rows import Step
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.tables import Tables


def step_states(
    tables: Tables,
    machines: Integers,
    states: Integers,
    operators: Integers,
    numbers: Integers,
    engine: Engine | None = None,
) -> tuple[Integers, Step]:
    """One turn of every row as a pure function: the states after it, and the `Step`. `states`
    (n, width) is left as it was. Keep an `Engine` and hand it in where this is called often."""
    after = states.copy()
    worker = Engine(tables) if engine is None else engine
    return after, worker.step(machines, after, operators, numbers, texts=False)
