"""The worlds of a run in little memory: those that nobody wants just now are kept packed.

In: Machines, one after the other. Out: the same ones by hash, in the order in which they came.
A Machine takes some 700 KiB as a value and some 15 packed. What is unpacked equals what was put
in, and knows its hashes without working them out again.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from worldengine.machine import Machine
from worldengine.machine.given import machines_given
from worldengine.machine.storage import from_json, to_json

FEW = 64
"""Worlds up to which all of them stay as they are."""
LATELY = 4
"""Worlds that were unpacked last and stay for whoever asks again."""


class Label(NamedTuple):
    """What is asked of a world without unpacking it; `starts` is how many it has."""

    name: str
    hash: str
    shape: str
    starts: int


class Packed(NamedTuple):
    """A world as it is handed to another process."""

    hash: str
    shape: str
    data: bytes

    def unpacked(self) -> Machine:
        machine = from_json(zlib.decompress(self.data))
        vars(machine).update(hash=self.hash, shape=self.shape)
        return machine


class Shelf:
    """See the module. Equal worlds are one. `most`: how many stay as they are."""

    def __init__(self, machines: Iterable[Machine] = (), most: int = FEW) -> None:
        self.labels: dict[str, Label] = {}
        self._most = most
        self._whole: dict[str, Machine] = {}
        self._packed: dict[str, bytes] = {}
        self._lately: OrderedDict[str, Machine] = OrderedDict()
        for machine in machines:
            self.add(machine)

    @classmethod
    def of(cls, machines: Iterable[Machine] | Shelf) -> Shelf:
        """A shelf of Machines that somebody holds anyway, each as it is."""
        if isinstance(machines, Shelf):
            return machines
        return cls(machines_given(machines, "rollout"), 1 << 62)

    def add(self, machine: Machine) -> None:
        found = machine.hash
        if found in self.labels:
            return
        if len(self._whole) < self._most:
            self._whole[found] = machine
        else:
            self._packed[found] = zlib.compress(to_json(machine))
        self.labels[found] = Label(machine.name, found, machine.shape, len(machine.variants))

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Machine]:
        """The worlds, each unpacked when its turn comes."""
        return map(self.__getitem__, self.labels)

    def __getitem__(self, machine_hash: str) -> Machine:
        found = self._whole.get(machine_hash) or self._lately.get(machine_hash)
        if found is None:
            found = self._lately[machine_hash] = self.packed(machine_hash).unpacked()
            if len(self._lately) > LATELY:
                self._lately.popitem(last=False)
        return found

    def packed(self, machine_hash: str) -> Packed:
        data = self._packed.get(machine_hash) or zlib.compress(
            to_json(self._whole[machine_hash]), 1
        )
        return Packed(machine_hash, self.labels[machine_hash].shape, data)

    def json(self, machine_hash: str) -> bytes:
        """A world as it is written to a run."""
        whole = self._whole.get(machine_hash)
        return zlib.decompress(self._packed[machine_hash]) if whole is None else to_json(whole)
