"""Rows put in order by counting: those of one machine and operator stand together."""

from __future__ import annotations

import numpy as np

from worldengine.batch.compiling.jit import compiled, i64, spliced, u
from worldengine.batch.lanes.steps import LANES, Work
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import H_OPERATOR_COUNT
from worldengine.batch.tables.tables import Tables

GROUP = 3
"""Of a group of rows: where it begins, its machine, its operator (-1 for one that is not there).
Behind the last stands where it ends."""


@compiled
def in_order(machines: Integers, operators: Integers, firsts: Integers, counts: Integers,
             kinds: Integers, groups: Integers, order: Integers) -> int:  # fmt: skip
    """Rows by machine and operator, otherwise as they were. `firsts` (machines + 1,) is where a
    machine's operators begin when all are counted; operators that do not exist stand first.
    `counts` is (operators + machines,), `groups` (operators + machines + 1, GROUP); `kinds` (n,)
    becomes where each row is counted. Gives back how many groups there are."""
    for at in range(len(counts)):
        counts[at] = 0
    for row in range(len(machines)):
        machine = i64(machines[u(row)])
        first = firsts[u(machine)]
        count = firsts[u(machine + 1)] - first
        operator = i64(operators[u(row)])
        kind = first + machine + (operator + 1 if 0 <= operator < count else 0)
        kinds[u(row)] = kind
        counts[u(kind)] += 1
    total, found, kind = i64(0), i64(0), i64(0)
    for machine in range(len(firsts) - 1):
        for operator in range(-1, firsts[machine + 1] - firsts[machine]):
            count = counts[kind]
            if count > 0:
                groups[found, 0], groups[found, 1], groups[found, 2] = total, machine, operator
                found += 1
            counts[kind] = total
            total += count
            kind += 1
    groups[found, 0], groups[found, 1], groups[found, 2] = total, -1, -1
    for row in range(len(machines)):
        kind = i64(kinds[u(row)])
        place = counts[u(kind)]
        order[u(place)] = row
        counts[u(kind)] = place + 1
    return found


@spliced
def fill_lanes(w: Work, order: Integers, groups: Integers, group: int, at: int,
               end: int) -> tuple[int, int, int, int]:  # fmt: skip
    """Put rows of `order` from `at` on into the lanes, group by group as long as the machine is
    the same; no group is divided that fits. Gives back the group and the row to go on with, and
    how many lanes and parts there are."""
    machine, count, parts = groups[u(group), 1], i64(0), i64(0)
    while at < end and groups[u(group), 1] == machine:
        stop = min(groups[u(group + 1), 0], end)
        here = min(stop - at, LANES - count)
        if here < stop - at and count > 0:
            break
        for lane in range(here):
            w.rows[u(count + lane)] = order[u(at + lane)]
        w.parts[u(parts), 0], w.parts[u(parts), 1] = count, groups[u(group), 2]
        count, at, parts = count + here, at + here, parts + 1
        if at == groups[u(group + 1), 0]:
            group += 1
    w.parts[u(parts), 0] = count
    return group, at, count, parts


class Ordering:
    """Room for putting rows in order, made once for some tables. One thread at a time."""

    def __init__(self, tables: Tables) -> None:
        own = tables.head[:, H_OPERATOR_COUNT]
        self._firsts = np.concatenate([np.zeros(1, np.int64), np.cumsum(own)])
        self._counts = np.zeros(int(self._firsts[-1]) + len(own), np.int64)
        self._kinds = np.zeros(0, np.int32)
        self.groups = np.zeros((len(self._counts) + 1, GROUP), np.int64)

    def sort(self, machines: Integers, operators: Integers) -> tuple[Integers, int]:
        """Rows in order, and how many groups they are; which, is in `groups` until the next
        time."""
        count = len(machines)
        if len(self._kinds) < count:
            self._kinds = np.zeros(count, np.int32)
        order = np.empty(count, np.int32)
        found = in_order(
            machines, operators, self._firsts, self._counts, self._kinds, self.groups, order
        )
        return order, found
