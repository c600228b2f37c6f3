"""What a world is, apart from what it is called: colours, and one digest of them.

In: a Machine. Out: a digest that two Machines share if they are equal up to renaming, and the
colours that similarity is measured by. Numbering takes no part; the order of objects does
where it shows, since lists and ties follow it.

The method is colour refinement (Weisfeiler and Lehman): every slot, object and symbol begins
with the colour of its class; a record's colour is made of its tokens' colours in their order; a
thing's next colour is made of the colours of all records it stands in, and where. After a few
rounds the multiset of records' colours is the digest. Equal Machines always share it; that two
others do is possible in principle, as with any refinement, and was never seen.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from worldengine.diversity.records import PLAIN, Records, records_of
from worldengine.machine import Machine

ROUNDS = 4
Colours = npt.NDArray[np.uint64]


def structure(machine: Machine) -> str:
    """The digest, 32 hexadecimal digits."""
    return digest(colours(machine, ROUNDS)[-1])


def digest(last: Colours) -> str:
    """Of the colours of all records, in whatever order."""
    ordered = np.sort(last)
    return hashlib.blake2b(ordered.tobytes(), digest_size=16).hexdigest()


def colours(machine: Machine, rounds: int = ROUNDS) -> list[Colours]:
    """The colours of the Machine's records after 0, 1, … `rounds` rounds."""
    records = records_of(machine)
    bases = np.cumsum((0, *records.sizes[:-1]))
    refers = records.kinds != PLAIN
    nodes = bases[np.maximum(records.kinds - 1, 0)] + records.values
    current = _mix(np.repeat(np.arange(1, 5, dtype=np.uint64), records.sizes))
    within = _within(records)
    plain = _mix(records.values.astype(np.uint64) + np.uint64(77))
    found: list[Colours] = []
    for _ in range(rounds + 1):
        tokens = plain.copy()
        tokens[refers] = current[nodes[refers]]
        placed = _mix(tokens ^ within)
        sums = np.add.reduceat(placed, records.starts)
        shades = _mix(sums)
        found.append(shades)
        ends = np.append(records.starts[1:], len(tokens))
        owners = np.repeat(np.arange(len(records.starts)), ends - records.starts)
        given = _mix(shades[owners[refers]] ^ within[refers])
        gathered = np.zeros(len(current), np.uint64)
        np.add.at(gathered, nodes[refers], given)
        current = _mix(current ^ gathered)
    return found


def _within(records: Records) -> Colours:
    """A salt for each place in a record."""
    ends = np.append(records.starts[1:], len(records.values))
    positions = np.arange(len(records.values)) - np.repeat(records.starts, ends - records.starts)
    return _mix(positions.astype(np.uint64) + np.uint64(1_000_003))


def _mix(values: Colours) -> Colours:
    """Splitmix64's finisher: 64 bits in, 64 well-stirred bits out, modulo 2**64."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
