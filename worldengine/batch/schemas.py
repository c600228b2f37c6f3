"""Masks by action: players choose what to do before they choose with what.

In: a mask by operator. Out: a mask by schema, columns as in `Machine.schemas`, 0 where a world
has fewer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.tables import Tables


def schemas_of(tables: Tables) -> NDArray[np.int64]:
    """(machines, operators): the schema of each operator; one past the last of all where a
    machine has fewer operators."""
    most = most_schemas(tables)
    found = np.full((len(tables.machines), tables.operators), most, np.int64)
    for index, machine in enumerate(tables.machines):
        found[index, : len(machine.operators)] = [item.schema for item in machine.operators]
    return found


def most_schemas(tables: Tables) -> int:
    """Columns of a mask by schema."""
    return max(len(machine.schemas) for machine in tables.machines)


def schema_mask(tables: Tables, worlds: Integers, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, operators) to (n, schemas): 1 where any operator of the schema has 1."""
    most = most_schemas(tables)
    found = np.zeros((len(mask), most), np.uint8)
    owners = schemas_of(tables)
    for world in np.unique(worlds).tolist():
        rows = np.flatnonzero(worlds == world)
        columns = np.argsort(owners[world], kind="stable")
        sorted_owners = owners[world][columns]
        starts = np.flatnonzero(np.diff(sorted_owners, prepend=-1))
        any_of = np.maximum.reduceat(mask[rows][:, columns], starts, axis=1)
        own = sorted_owners[starts] < most
        found[np.ix_(rows, sorted_owners[starts][own])] = any_of[:, own]
    return found
