"""Values of one slot in several lanes side by side, and what an assignment makes of them.

In: a Machine, rows, an assignment. Out: rows. See `abreast` for what a lane and a row are.
Refused with `TooWide`: more rows than are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from worldengine.machine.schema import (
    CONST,
    COPY,
    DIV,
    MOD,
    MUL,
    SATURATION,
    SELECT,
    UNDEFINED,
    Assign,
    Machine,
)
from worldengine.modelcheck.programs.values import TooWide, computed

Row = tuple[int, ...]
Rows = frozenset[Row]
Trace = tuple[tuple[object, ...], ...]
"""What a lane has said since the lanes were last at the same step."""

PRODUCTS = 20_000
"""Rows that one step makes at most; beyond it nothing is concluded."""
REFUSED = 1 << 30
"""Where a lane is that has been refused."""


@dataclass(frozen=True, slots=True)
class Point:
    """Lanes under way. `at` is the step of each lane, `known` the rows of slots that are known
    better than before the turn, `stored` those of them that were stored. Lanes of one of the
    `classes` have surely read the same, but for their `traces`."""

    at: tuple[int, ...]
    known: dict[int, Rows]
    stored: frozenset[int]
    classes: tuple[int, ...]
    traces: tuple[Trace, ...]


def alike(rows: Iterable[Row]) -> bool:
    """Whether all lanes have the same value in every row."""
    return all(row.count(row[0]) == len(row) for row in rows)


def numbered(signs: Sequence[object]) -> tuple[int, ...]:
    """The same signs by the same small number."""
    numbers: dict[object, int] = {}
    return tuple(numbers.setdefault(sign, len(numbers)) for sign in signs)


RowsOf = Callable[[int], Rows]
"""The rows of a slot."""


def stored_by(
    machine: Machine, assign: Assign, lanes: tuple[int, ...], count: int, rows_of: RowsOf
) -> Rows:
    """What the target holds in `count` lanes once some of them have carried out an assignment."""
    target = assign.target
    results = _results(machine, assign, count, rows_of)
    register = machine.register_base <= target < machine.derived_base
    keeps = len(lanes) < count or (not register and any(UNDEFINED in row for row in results))
    before = rows_of(target) if keeps else frozenset({(0,) * count})
    if len(results) * len(before) > PRODUCTS:
        raise TooWide("too many values are stored")
    low, high = _ends(machine, target)
    chosen = frozenset(lanes)
    stored: set[Row] = set()
    for old, new in product(before, results):
        row = []
        for lane in range(count):
            value = new[lane]
            if lane not in chosen or (value == UNDEFINED and not register):
                value = old[lane]
            elif value != UNDEFINED:
                value = max(low, min(high, value))
            row.append(value)
        stored.add(tuple(row))
    return frozenset(stored)


def _ends(machine: Machine, target: int) -> tuple[int, int]:
    if target < len(machine.variables):
        variable = machine.variables[target]
        kind, low, high = variable.kind, variable.low, variable.high
    elif target >= machine.derived_base:
        derived = machine.derived[target - machine.derived_base]
        kind, low, high = derived.kind, derived.low, derived.high
    else:
        return -SATURATION, SATURATION
    return (low, high) if kind in ("bool", "int") else (-SATURATION, SATURATION)


def _results(machine: Machine, assign: Assign, count: int, rows_of: RowsOf) -> set[Row] | Rows:
    if assign.op == CONST:
        return frozenset({(assign.constant,) * count})
    lefts = rows_of(assign.left)
    if assign.op == SELECT:
        return _selected(machine, assign.constant, lefts, rows_of)
    if assign.op in (COPY, MUL, DIV, MOD):
        return {tuple(computed(assign, value, 0) for value in row) for row in lefts}
    rights = rows_of(assign.right)
    if len(lefts) * len(rights) > PRODUCTS:
        raise TooWide("too many values are added up")
    return {
        tuple(computed(assign, *pair) for pair in zip(left, right, strict=True))
        for left, right in product(lefts, rights)
    }


def _selected(machine: Machine, table: int, lefts: Rows, rows_of: RowsOf) -> set[Row]:
    cases = {row.value: row for row in reversed(machine.tables[table])}
    found: set[Row] = set()
    for left in lefts:
        chosen = [cases.get(value) for value in left]
        first = chosen[0]
        if first is not None and first.slot >= 0 and alike([left]):
            found |= rows_of(first.slot)
            continue
        values: list[set[int]] = []
        for lane, case in enumerate(chosen):
            if case is None:
                values.append({UNDEFINED})
            elif case.slot < 0:
                values.append({case.constant})
            else:
                values.append({row[lane] for row in rows_of(case.slot)})
        if prod(map(len, values)) + len(found) > PRODUCTS:
            raise TooWide("too many values are looked up")
        found.update(product(*values))
    return found
