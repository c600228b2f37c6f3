"""States as short keys: a few bits a variable, whole 32-bit words.

In: a Machine and the variables to keep, perhaps the values that can occur at all. Out:
`Packing`, which compiled code uses both ways. Keys are complete: equal keys are equal states
(in the variables kept), so nothing is ever concluded from a hash.

**Values that can occur.** The sets of `abstract.reach` hold every value of every reachable
state and are closed under every turn, so a variable needs no more bits than the range of its
set, and none at all where only one value is left (static variables, flags that nothing sets).
States outside the sets have no key here; they cannot be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import Machine
from worldengine.modelcheck.steps import compiled

Ints = npt.NDArray[np.int64]
WORD = 32


class Packing(NamedTuple):
    """For each variable kept, where it stands in the key."""

    variables: Ints  # [kept]
    words: Ints  # [kept]
    shifts: Ints  # [kept]
    masks: Ints  # [kept]
    lows: Ints  # [kept]
    size: int  # words of a key
    places: Ints  # [variables of the Machine] index in the arrays above, or -1
    bits: int  # bits used in all


def packing_of(
    machine: Machine,
    variables: tuple[int, ...],
    values: Mapping[int, Collection[int]] | None = None,
) -> Packing:
    """First fit, the wide variables first; those with one possible value take no room."""
    bounds = {v: _range(machine, v, values) for v in variables}
    kept = [v for v in variables if bounds[v][0] < bounds[v][1]]
    bits = [(bounds[v][1] - bounds[v][0]).bit_length() for v in kept]
    used: list[int] = []
    places: list[tuple[int, int]] = [(0, 0)] * len(kept)
    for index in sorted(range(len(kept)), key=lambda i: -bits[i]):
        word = next((w for w, room in enumerate(used) if room + bits[index] <= WORD), len(used))
        if word == len(used):
            used.append(0)
        places[index] = word, used[word]
        used[word] += bits[index]
    where = np.full(len(machine.variables), -1, np.int64)
    where[kept] = np.arange(len(kept))
    return Packing(
        np.array(kept, np.int64),
        np.array([word for word, _ in places], np.int64),
        np.array([shift for _, shift in places], np.int64),
        np.array([(1 << count) - 1 for count in bits], np.int64),
        np.array([bounds[v][0] for v in kept], np.int64),
        max(1, len(used)),
        where,
        sum(bits),
    )


def _range(
    machine: Machine, variable: int, values: Mapping[int, Collection[int]] | None
) -> tuple[int, int]:
    if values is None:
        return value_bounds(machine, variable)
    return min(values[variable]), max(values[variable])


def value_bounds(machine: Machine, variable: int) -> tuple[int, int]:
    """The least and the greatest value a variable can hold."""
    part = machine.variables[variable]
    if part.kind in ("bool", "int"):
        return part.low, part.high
    values = (*part.domain, part.initial)
    return min(values), max(values)


@compiled
def pack(p: Packing, state: Any, key: Any) -> None:
    """The key of a state."""
    for word in range(p.size):
        key[word] = 0
    for index in range(len(p.variables)):
        value = np.int64(state[p.variables[index]]) - p.lows[index]
        key[p.words[index]] |= np.uint32(value << p.shifts[index])


@compiled
def unpack(p: Packing, key: Any, state: Any) -> None:
    """Write a key's variables into a state."""
    for index in range(len(p.variables)):
        value = (np.int64(key[p.words[index]]) >> p.shifts[index]) & p.masks[index]
        state[p.variables[index]] = value + p.lows[index]
