"""States as short keys: a few bits a variable, whole 32-bit words.

In: a Machine and the variables to keep, perhaps the values that can occur at all. Out:
`Packing`, which compiled code uses both ways. Keys are complete: equal keys are equal states
(in the variables kept), so nothing is ever concluded from a hash.

**Values that can occur.** The sets of `abstract.reach` hold every value of every reachable
state and are closed under every turn, so a variable needs no more bits than the range of its
set, or the number of its values, and none at all where only one value is left (static
variables, flags that nothing sets).
States outside the sets have no key here; they cannot be reached.

**Values that are alike** (see `classes`) share a number, and come back as the one that stands
for them.
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
SPARSE = 10_000
"""Ranges up to which the values that can occur are numbered one after the other."""


class Packing(NamedTuple):
    """For each variable kept, where it stands in the key."""

    variables: Ints  # [kept]
    words: Ints  # [kept]
    shifts: Ints  # [kept]
    masks: Ints  # [kept]
    lows: Ints  # [kept]
    size: int  # words of a key
    bits: int  # bits used in all
    classed: Ints  # [kept] where a variable's classes begin in `codes`, or -1
    codes: Ints  # [...] the class of each value of such a variable, its least value first
    valued: Ints  # [kept] where its representatives begin in `values`
    values: Ints  # [...] the value that stands for each class


def packing_of(
    machine: Machine,
    variables: tuple[int, ...],
    values: Mapping[int, Collection[int]] | None = None,
    classes: Mapping[int, Mapping[int, int]] | None = None,
) -> Packing:
    """First fit, the wide variables first; those with one possible value take no room. Values
    of one of the `classes` share a key."""
    bounds = {v: _range(machine, v, values) for v in variables}
    varying = [v for v in variables if bounds[v][0] < bounds[v][1]]
    split = {v: _numbering(machine, v, (classes or {}).get(v, {}), values) for v in varying}
    for variable in varying:
        numbering = split[variable]
        if numbering is not None:
            bounds[variable] = 0, len(numbering[1]) - 1
    kept = [v for v in varying if bounds[v][0] < bounds[v][1]]
    bits = [(bounds[v][1] - bounds[v][0]).bit_length() for v in kept]
    used: list[int] = []
    places: list[tuple[int, int]] = [(0, 0)] * len(kept)
    for index in sorted(range(len(kept)), key=lambda i: -bits[i]):
        word = next((w for w, room in enumerate(used) if room + bits[index] <= WORD), len(used))
        if word == len(used):
            used.append(0)
        places[index] = word, used[word]
        used[word] += bits[index]
    codes: list[int] = []
    stand: list[int] = []
    classed, valued = [-1] * len(kept), [0] * len(kept)
    lows = [bounds[v][0] for v in kept]
    for index, variable in enumerate(kept):
        numbering = split[variable]
        if numbering is not None:
            classed[index], valued[index] = len(codes), len(stand)
            lows[index] = numbering[2]
            codes += numbering[0]
            stand += numbering[1]
    return Packing(
        np.array(kept, np.int64),
        np.array([word for word, _ in places], np.int64),
        np.array([shift for _, shift in places], np.int64),
        np.array([(1 << count) - 1 for count in bits], np.int64),
        np.array(lows, np.int64),
        max(1, len(used)),
        sum(bits),
        np.array(classed, np.int64),
        np.array([*codes, 0], np.int64),
        np.array(valued, np.int64),
        np.array([*stand, 0], np.int64),
    )


def _numbering(
    machine: Machine,
    variable: int,
    alike: Mapping[int, int],
    values: Mapping[int, Collection[int]] | None,
) -> tuple[list[int], list[int], int] | None:
    """The number of each value from the least on, a value for each number, the least value.
    None if a value's distance from the least does as well."""
    part = machine.variables[variable]
    number: dict[int, int] = {}
    if alike:
        domain = range(part.low, part.high + 1)
        codes = [number.setdefault(alike.get(value, value), len(number)) for value in domain]
        return codes, list(number), part.low
    if values is None:
        return None
    found = sorted(values[variable])
    reach = found[-1] - found[0]
    if reach > SPARSE or (len(found) - 1).bit_length() == reach.bit_length():
        return None
    number = {value: index for index, value in enumerate(found)}
    return [number.get(v, 0) for v in range(found[0], found[-1] + 1)], found, found[0]


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
def coded(p: Packing, index: Any, value: Any) -> Any:
    """The number that stands for a value in a key."""
    if p.classed[index] >= 0:
        return p.codes[p.classed[index] + value - p.lows[index]]
    return value - p.lows[index]


@compiled
def decoded(p: Packing, index: Any, key: Any) -> Any:
    """A variable's value in a key."""
    code = (np.int64(key[p.words[index]]) >> p.shifts[index]) & p.masks[index]
    if p.classed[index] >= 0:
        return p.values[p.valued[index] + code]
    return code + p.lows[index]


@compiled
def pack(p: Packing, state: Any, key: Any) -> None:
    """The key of a state."""
    for word in range(p.size):
        key[word] = 0
    for index in range(len(p.variables)):
        value = coded(p, index, np.int64(state[p.variables[index]]))
        key[p.words[index]] |= np.uint32(value << p.shifts[index])


@compiled
def unpack(p: Packing, key: Any, state: Any) -> None:
    """Write a key's variables into a state."""
    for index in range(len(p.variables)):
        state[p.variables[index]] = decoded(p, index, key)
