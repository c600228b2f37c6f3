"""Exact and near duplicates among what players said.

In: texts, one at a time. Out: for each the number of an earlier text it repeats, or -1. A
text is compared by its runs of three words; two texts are near duplicates where the share of
runs they have in common (Jaccard) is estimated at the threshold or more. The estimate is
MinHash (Broder 1997) over 125 hash functions, its standard error at a share of 0.8 is 0.036;
banding (25 bands of 5) finds a pair at 0.8 with a chance above 0.9999. No text is kept: 250
bytes a text and 12 to 30 a band; 64,000 texts took 90 MB, a million take about 700.

The hash functions are fixed: equal texts in equal order give equal answers everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.compiling.jit import compiled
from worldengine.rollout.trajectory import Trajectory

RUN = 3
BANDS, DEPTH = 25, 5
HASHES = BANDS * DEPTH
CACHE = 500_000
"""Words whose hash is remembered."""

Words: TypeAlias = NDArray[np.uint64]
Signature: TypeAlias = NDArray[np.uint16]


def said(trajectory: Trajectory) -> str:
    """What the player said: thoughts and commands."""
    return "\n".join(turn.reply for turn in trajectory.turns)


def done(trajectory: Trajectory) -> str:
    """What the player did, whatever it thought: commands alone."""
    return "\n".join(turn.command for turn in trajectory.turns)


COMPARED: dict[str, Callable[[Trajectory], str]] = {"said": said, "done": done}


def fingerprint(trajectory: Trajectory) -> bytes:
    """Equal for trajectories that read the same from the first word to the last."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (trajectory.prompt, trajectory.opening):
        digest.update(text.encode("utf-8", "replace") + b"\0")
    for turn in trajectory.turns:
        for text in (turn.reply, turn.observation):
            digest.update(text.encode("utf-8", "replace") + b"\0")
    return digest.digest()


class DuplicateError(ValueError):
    """No such comparison can be made; the message is for people."""


class Sketcher:
    """Texts to MinHash values."""

    def __init__(self) -> None:
        random = Random("near duplicates")
        odd = [random.getrandbits(64) | 1 for _ in range(HASHES)]
        self._factors = np.array(odd, np.uint64)
        self._offsets = np.array([random.getrandbits(64) for _ in range(HASHES)], np.uint64)
        self._places = np.array([random.getrandbits(64) | 1 for _ in range(RUN)], np.uint64)
        self._mix = np.array([random.getrandbits(64) | 1 for _ in range(DEPTH)], np.uint64)
        self._known: dict[str, int] = {}

    def minima(self, text: str) -> NDArray[np.uint32]:
        """The least value of each hash function over the text's runs: (HASHES,)."""
        least: NDArray[np.uint32] = np.empty(HASHES, np.uint32)
        _least(self._factors, self._offsets, self._runs(text), least)
        return least

    def bands(self, minima: NDArray[np.uint32]) -> Words:
        """One key a band: (BANDS,)."""
        rows = minima.reshape(BANDS, DEPTH).astype(np.uint64)
        keys = (rows * self._mix).sum(axis=1, dtype=np.uint64)
        keys ^= (np.arange(BANDS, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        return np.where(keys == 0, np.uint64(1), keys ^ (keys >> np.uint64(29)))

    def _runs(self, text: str) -> Words:
        said = text.lower().split()
        hashes = list(map(self._known.get, said))
        if None in hashes:
            hashes = [self._word(word) for word in said]
        hashes += [0] * (RUN - len(hashes))
        words = np.array(hashes, np.uint64)
        count = len(words) - RUN + 1
        found = np.zeros(count, np.uint64)
        for at in range(RUN):
            found += words[at : at + count] * self._places[at]
        mixed: Words = found ^ (found >> np.uint64(31))
        return mixed

    def _word(self, word: str) -> int:
        value = self._known.get(word)
        if value is None:
            if len(self._known) >= CACHE:
                self._known.clear()
            digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            value = self._known[word] = int.from_bytes(digest, "big")
        return value


class NearDuplicates:
    """Texts seen so far. `threshold` is the share of common runs from which on two texts are
    near duplicates, above 0.5 and up to 1."""

    def __init__(self, threshold: float = 0.8) -> None:
        if not 0.5 < threshold <= 1.0:
            raise DuplicateError(
                f"the share of common wording is above 0.5 and at most 1, not {threshold}"
            )
        self._need = int(np.ceil(threshold * HASHES))
        self._sketcher = Sketcher()
        self._count = 0
        self._signatures: NDArray[np.uint16] = np.zeros((1024, HASHES), np.uint16)
        self._keys: Words = np.zeros(1 << 16, np.uint64)
        self._values: NDArray[np.int32] = np.zeros(1 << 16, np.int32)

    def __len__(self) -> int:
        return self._count

    def add(self, text: str) -> int:
        """The number of an earlier text that this one repeats, -1 if there is none and it is
        now one of them."""
        minima = self._sketcher.minima(text)
        signature = minima.astype(np.uint16)
        bands = self._sketcher.bands(minima)
        found = int(_find(self._keys, self._values, bands, signature, self._signatures, self._need))
        if found < 0:
            self._keep(signature, bands)
        return found

    def like(self, text: str) -> int:
        """As `add`, but keeps nothing."""
        minima = self._sketcher.minima(text)
        bands = self._sketcher.bands(minima)
        signature = minima.astype(np.uint16)
        return int(_find(self._keys, self._values, bands, signature, self._signatures, self._need))

    def _keep(self, signature: Signature, bands: Words) -> None:
        if self._count == len(self._signatures):
            grown = np.zeros((2 * self._count, HASHES), np.uint16)
            grown[: self._count] = self._signatures
            self._signatures = grown
        if (self._count + 1) * BANDS * 10 > len(self._keys) * 8:
            keys = np.zeros(2 * len(self._keys), np.uint64)
            values = np.zeros(2 * len(self._keys), np.int32)
            _move(self._keys, self._values, keys, values)
            self._keys, self._values = keys, values
        self._signatures[self._count] = signature
        _insert(self._keys, self._values, bands, self._count)
        self._count += 1


@compiled
def _least(factors: Words, offsets: Words, runs: Words, least: NDArray[np.uint32]) -> None:
    """The least value of each hash function: the upper halves of `factor * run + offset`."""
    for at in range(len(factors)):
        best = np.uint64(0xFFFFFFFFFFFFFFFF)
        for run in runs:
            best = min(best, factors[at] * run + offsets[at])
        least[at] = best >> np.uint64(32)


@compiled
def _find(
    keys: Words,
    values: NDArray[np.int32],
    bands: Words,
    signature: Signature,
    signatures: NDArray[np.uint16],
    need: int,
) -> int:
    """The first text, by band and then by age, with enough equal values."""
    mask = np.uint64(len(keys) - 1)
    for band in bands:
        slot = band & mask
        while keys[slot] != 0:
            if keys[slot] == band:
                other = values[slot]
                equal = 0
                for at in range(len(signature)):
                    equal += signature[at] == signatures[other, at]
                if equal >= need:
                    return int(values[slot])
            slot = (slot + np.uint64(1)) & mask
    return -1


@compiled
def _insert(keys: Words, values: NDArray[np.int32], bands: Words, number: int) -> None:
    mask = np.uint64(len(keys) - 1)
    for band in bands:
        slot = band & mask
        while keys[slot] != 0:
            slot = (slot + np.uint64(1)) & mask
        keys[slot] = band
        values[slot] = number


@compiled
def _move(keys: Words, values: NDArray[np.int32], into: Words, numbers: NDArray[np.int32]) -> None:
    mask = np.uint64(len(into) - 1)
    for at in range(len(keys)):
        if keys[at] != 0:
            slot = keys[at] & mask
            while into[slot] != 0:
                slot = (slot + np.uint64(1)) & mask
            into[slot] = keys[at]
            numbers[slot] = values[at]
