"""Worlds compared with each other: by their words, by their structure, both together.

In: Machines with their names. Out: a `Comparison`: two matrices of similarities from 0 to 1,
equal structures, near-duplicates, clusters.

By words: TF-IDF over the words and pairs of words of all prose, hashed into a fixed number of
columns, cosine. By structure: the same over the colours of the Machine's records after no and
one round of refinement, which is the Weisfeiler-Lehman graph kernel (Shervashidze et al., 2011)
with the inverse document frequency that takes the weight off what all worlds share, such as the
library's verbs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from worldengine.diversity.structure import ROUNDS, colours, digest
from worldengine.machine import Machine

COLUMNS = 1 << 13
MOST = 5_000
"""Worlds in one comparison: the matrices hold their square."""
NEAR = 0.9
"""From this similarity on, in words and in structure both, two worlds are near-duplicates."""
ALIKE = 0.5
"""From this mean similarity on a world joins a cluster."""

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Comparison:
    """`words` and `structures` are [N, N], symmetric, 1 on the diagonal; `digests` [N]."""

    names: tuple[str, ...]
    words: Matrix
    structures: Matrix
    digests: tuple[str, ...]

    @cached_property
    def both(self) -> Matrix:
        """The mean of the two."""
        mean = (self.words + self.structures) / 2
        return mean.astype(np.float32)

    @cached_property
    def equal(self) -> tuple[tuple[int, ...], ...]:
        """Groups of worlds that are the same Machine up to renaming, in order."""
        groups: dict[str, list[int]] = {}
        for index, value in enumerate(self.digests):
            groups.setdefault(value, []).append(index)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @cached_property
    def near(self) -> tuple[tuple[int, int], ...]:
        """Pairs that are alike in words and in structure, the most alike first."""
        alike = np.triu((self.words >= NEAR) & (self.structures >= NEAR), 1)
        pairs = [(int(i), int(j)) for i, j in np.argwhere(alike)]
        return tuple(sorted(pairs, key=lambda pair: (-float(self.both[pair]), pair)))

    @cached_property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Each world joins the first earlier leader it is `ALIKE` with, or leads a new cluster;
        the largest cluster first."""
        leaders: dict[int, list[int]] = {}
        for index in range(len(self.names)):
            heads = list(leaders)
            close = [head for head in heads if self.both[head, index] >= ALIKE]
            best = max(close, key=lambda head: float(self.both[head, index]), default=index)
            leaders.setdefault(best, []).append(index)
        return tuple(tuple(group) for group in sorted(leaders.values(), key=lambda g: (-len(g), g)))

    def nearest(self, index: int) -> tuple[int, float]:
        """The world most like world `index`, and how much; (index, 0.0) where it is alone."""
        row = self.both[index].copy()
        row[index] = -1.0
        other = int(row.argmax())
        return (other, float(row[other])) if len(row) > 1 else (index, 0.0)


def compare(machines: Sequence[Machine], names: Sequence[str]) -> Comparison:
    """See the module. ValueError for none, or for more than `MOST`."""
    if not 0 < len(machines) <= MOST:
        raise ValueError(f"{len(machines)} worlds cannot be compared: give 1 to {MOST}")
    rounds = [colours(machine, ROUNDS) for machine in machines]
    words = _cosines([_hashed_words(machine) for machine in machines])
    shapes = _cosines([_hashed_colours(found[:2]) for found in rounds])
    return Comparison(tuple(names), words, shapes, tuple(digest(found[-1]) for found in rounds))


def alike(first: Machine, second: Machine) -> tuple[float, float]:
    """How alike two worlds are in words and in structure, without weights: there is nothing
    to weigh two worlds against."""
    words = [_hashed_words(machine) for machine in (first, second)]
    shapes = [_hashed_colours(colours(machine, 1)) for machine in (first, second)]
    return _cosine(*words), _cosine(*shapes)


def _cosine(first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]) -> float:
    one, two = np.log1p(first), np.log1p(second)
    return float(one @ two / max(float(np.linalg.norm(one) * np.linalg.norm(two)), 1e-9))


def prose(machine: Machine) -> Iterable[str]:
    """All that is said in a world, names included."""
    yield from (machine.title, machine.persona, machine.intro, machine.goal, machine.timeout)
    yield from (item.name for item in machine.objects)
    yield from machine.strings
    for text in machine.texts:
        yield " ".join(part for part in text.parts if isinstance(part, str))


def _hashed_words(machine: Machine) -> npt.NDArray[np.float32]:
    row = np.zeros(COLUMNS, np.float32)
    for text in prose(machine):
        words = re.findall(r"\w+", text.lower())
        for term in (*words, *map(" ".join, pairwise(words))):
            row[crc32(term.encode()) % COLUMNS] += 1
    return row


def _hashed_colours(rounds: Sequence[npt.NDArray[np.uint64]]) -> npt.NDArray[np.float32]:
    row = np.zeros(COLUMNS, np.float32)
    for number, found in enumerate(rounds):
        columns = (found + np.uint64(number)) % np.uint64(COLUMNS)
        np.add.at(row, columns.astype(np.int64), 1)
    return row


def _cosines(rows: list[npt.NDArray[np.float32]]) -> Matrix:
    """Cosine of TF-IDF rows; counts enter by their logarithm. The fewer worlds there are, the
    less it tells how many share a feature: so every feature keeps some weight, 2 / sqrt(N)."""
    table = np.log1p(np.stack(rows))
    share = (table > 0).sum(axis=0)
    table *= np.log((1 + len(rows)) / (1 + share)).astype(np.float32) + 2 / len(rows) ** 0.5
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    table /= np.maximum(lengths, 1e-9)
    found: Matrix = np.clip(table @ table.T, 0.0, 1.0).astype(np.float32)
    np.fill_diagonal(found, 1.0)
    return found
