"""States as short keys: a few bits a variable, whole 64-bit words.

In: a Machine and the variables to keep. Out: `Packing`, which compiled code uses both ways.
Keys are complete: equal keys are equal states (in the variables kept), so nothing is ever
concluded from a hash.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import Machine
from worldengine.modelcheck.steps import compiled

Ints = npt.NDArray[np.int64]


class Packing(NamedTuple):
    """For each variable kept, where it stands in the key."""

    variables: Ints  # [kept]
    words: Ints  # [kept]
    shifts: Ints  # [kept]
    masks: Ints  # [kept]
    lows: Ints  # [kept]
    size: int  # words of a key


def packing_of(machine: Machine, variables: tuple[int, ...]) -> Packing:
    """First fit, the wide variables first."""
    bounds = [value_bounds(machine, variable) for variable in variables]
    bits = [max(1, (high - low).bit_length()) for low, high in bounds]
    used: list[int] = []
    places: list[tuple[int, int]] = [(0, 0)] * len(variables)
    for index in sorted(range(len(variables)), key=lambda i: -bits[i]):
        word = next((w for w, room in enumerate(used) if room + bits[index] <= 63), len(used))
        if word == len(used):
            used.append(0)
        places[index] = word, used[word]
        used[word] += bits[index]
    return Packing(
        np.array(variables, np.int64),
        np.array([word for word, _ in places], np.int64),
        np.array([shift for _, shift in places], np.int64),
        np.array([(1 << count) - 1 for count in bits], np.int64),
        np.array([low for low, _ in bounds], np.int64),
        max(1, len(used)),
    )


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
        key[p.words[index]] |= value << p.shifts[index]


@compiled
def unpack(p: Packing, key: Any, state: Any) -> None:
    """Write a key's variables into a state."""
    for index in range(len(p.variables)):
        value = (key[p.words[index]] >> p.shifts[index]) & p.masks[index]
        state[p.variables[index]] = value + p.lows[index]
