"""Keys of states with objects that can stand for one another put into order, compiled.

In: sets of objects (see `symmetry`) laid out in a packing, keys. Out: the same keys, the objects
of each set sorted by what stands in the key for them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.exploration.frontier import Array
from worldengine.modelcheck.exploration.packing import Packing, code_at
from worldengine.modelcheck.reductions.symmetry import Alike


class Order(NamedTuple):
    """Sets of objects; the places of one object's variables in the packing stand in a row."""

    sets: Array  # [sets, 3] int64: first place, objects, variables of each
    places: Array  # [...] int64: which of the variables kept


def order_of(packing: Packing, alike: tuple[Alike, ...]) -> Order:
    """What is kept of each set. All objects of a set have to be laid out alike."""
    index = {int(variable): place for place, variable in enumerate(packing.variables)}
    sets: list[tuple[int, int, int]] = []
    places: list[int] = []
    for each in alike:
        columns = [
            [index.get(v, -1) for v in column] for column in zip(*each.variables, strict=True)
        ]
        columns = [column for column in columns if max(column) >= 0]
        if columns and all(len({_layout(packing, p) for p in column}) == 1 for column in columns):
            sets.append((len(places), len(each.objects), len(columns)))
            places += [column[member] for member in range(len(each.objects)) for column in columns]
    return Order(np.array(sets, np.int64).reshape(-1, 3), np.array([*places, 0], np.int64))


def _layout(p: Packing, place: int) -> tuple[object, ...]:
    """How values are written at a place: the same layout, the same values."""
    if place < 0:
        return ()
    most = int(p.masks[place])
    if p.classed[place] < 0:
        return most, int(p.lows[place])
    after = [int(at) for at in p.classed if at > p.classed[place]]
    codes = p.codes[p.classed[place] : min(after, default=len(p.codes) - 1)]
    behind = [int(at) for at, c in zip(p.valued, p.classed, strict=True) if c > p.classed[place]]
    values = p.values[p.valued[place] : min(behind, default=len(p.values) - 1)]
    return most, int(p.lows[place]), tuple(codes.tolist()), tuple(values.tolist())


@compiled
def _before(p: Packing, order: Order, key: Any, one: Any, other: Any, width: Any) -> bool:
    """Whether one object is to stand before another."""
    for column in range(width):
        a, b = order.places[one + column], order.places[other + column]
        left, right = code_at(p, a, key), code_at(p, b, key)
        if left != right:
            return bool(left < right)
    return False


@compiled
def _exchange(p: Packing, order: Order, key: Any, one: Any, other: Any, width: Any) -> None:
    for column in range(width):
        a, b = order.places[one + column], order.places[other + column]
        left, right = code_at(p, a, key), code_at(p, b, key)
        key[p.words[a]] = np.uint32(
            (np.int64(key[p.words[a]]) & ~(p.masks[a] << p.shifts[a])) | (right << p.shifts[a])
        )
        key[p.words[b]] = np.uint32(
            (np.int64(key[p.words[b]]) & ~(p.masks[b] << p.shifts[b])) | (left << p.shifts[b])
        )


@compiled
def settle(p: Packing, order: Order, key: Any) -> None:
    """Sort the objects of every set, the smallest first."""
    for group in range(len(order.sets)):
        first, members, width = order.sets[group]
        for last in range(members - 1, 0, -1):
            for member in range(last):
                if _before(
                    p, order, key, first + (member + 1) * width, first + member * width, width
                ):
                    _exchange(
                        p, order, key, first + member * width, first + (member + 1) * width, width
                    )


@compiled
def settle_all(p: Packing, order: Order, keys: Any, count: Any) -> None:
    """Sort the objects in each of the first `count` keys."""
    if len(order.sets) > 0:
        for row in range(count):
            settle(p, order, keys[row])
