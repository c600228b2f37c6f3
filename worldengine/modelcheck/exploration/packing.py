"""States as short keys: a few bits a variable, whole 32-bit words, in two sides.

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

**Sides.** A key has two sides of whole words. Variables that stand together in the Machine, as
those of one thing do, stand on the same one as far as may be: `frontier` keeps the contents of
a side once, and they are the fewer the more belongs together. Where best to cut is seen once
there are some states (see `sides`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from worldengine.machine.schema import Machine
from worldengine.modelcheck.compiled.steps import compiled

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
    cut: int  # words of its left side
    status: int  # which of the kept is the status, or -1
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
    """Those with one possible value take no room. Values of one of the `classes` share a key."""
    bounds = {v: _range(machine, v, values) for v in variables}
    varying = [v for v in variables if bounds[v][0] < bounds[v][1]]
    split = {v: _numbering(machine, v, (classes or {}).get(v, {}), values) for v in varying}
    for variable in varying:
        numbering = split[variable]
        if numbering is not None:
            bounds[variable] = 0, len(numbering[1]) - 1
    kept = [v for v in varying if bounds[v][0] < bounds[v][1]]
    bits = [(bounds[v][1] - bounds[v][0]).bit_length() for v in kept]
    places, size, cut = _laid_out(bits)
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
        size,
        cut,
        kept.index(machine.status) if machine.status in kept else -1,
        sum(bits),
        np.array(classed, np.int64),
        np.array([*codes, 0], np.int64),
        np.array(valued, np.int64),
        np.array([*stand, 0], np.int64),
    )


def _laid_out(bits: list[int]) -> tuple[list[tuple[int, int]], int, int]:
    """The (word, shift) of each variable, words in all, words of the left side: half of them."""
    words = _filled(bits, range(len(bits)))
    if words[1] <= 2:
        return words[0], 2, 1
    place = 1
    while _filled(bits, range(place + 1))[1] <= words[1] // 2:
        place += 1
    return _cut(bits, place)


def _cut(bits: list[int], place: int) -> tuple[list[tuple[int, int]], int, int]:
    """The same with the first `place` variables on the left side."""
    ours, cut = _filled(bits, range(place))
    theirs, rest = _filled(bits, range(place, len(bits)))
    right = [(cut + word, shift) for word, shift in theirs[place:]]
    return ours[:place] + right, cut + rest, cut


def cut_after(p: Packing, place: int) -> Packing:
    """The packing with its first `place` variables on the left side and all others on the right."""
    places, size, cut = _cut([int(mask).bit_length() for mask in p.masks], place)
    words, shifts = np.array(places, np.int64).T.copy()
    return p._replace(words=words, shifts=shifts, size=size, cut=cut)


def _filled(bits: list[int], chosen: Collection[int]) -> tuple[list[tuple[int, int]], int]:
    """First fit, the wide first: the place of each of the chosen, and the words it takes."""
    used: list[int] = []
    places = [(0, 0)] * len(bits)
    for index in sorted(chosen, key=lambda i: (-bits[i], i)):
        word = next((w for w, room in enumerate(used) if room + bits[index] <= WORD), len(used))
        if word == len(used):
            used.append(0)
        places[index] = word, used[word]
        used[word] += bits[index]
    return places, len(used)


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
def code_at(p: Packing, index: Any, key: Any) -> Any:
    """The number that stands for a variable's value, as it is in a key."""
    return (np.int64(key[p.words[index]]) >> p.shifts[index]) & p.masks[index]


@compiled
def decoded(p: Packing, index: Any, key: Any) -> Any:
    """A variable's value in a key."""
    code = code_at(p, index, key)
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


@compiled
def set_value(states: Any, size: Any, row: Any, variable: Any, value: Any) -> None:
    """Write one variable of one state, which is kept as bytes."""
    for byte in range(size):
        states[row, variable * size + byte] = (value >> (8 * byte)) & 255
