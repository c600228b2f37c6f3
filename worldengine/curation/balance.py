"""Balance over worlds and error kinds: as even a share as there is, and no more than asked.

In: entries, how many to take. Out: which. The number is filled like water into vessels: first
over worlds, so that a world with few trajectories gives all and the others give equally; then
within each world over the rarest refusal class that a trajectory holds. Within a vessel the
order is that of a hash of (seed, id): no order of files matters.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from worldengine.curation.filters import KINDS
from worldengine.rollout.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Entry:
    """What curation keeps of a trajectory: nothing that grows with its length. `kinds` are the
    classes of its refusals, in the order of KINDS; `start` is a hash of prompt and opening."""

    id: str
    world: str
    machine_hash: str
    shape: str
    variant: int
    kinds: tuple[str, ...]
    turns: int
    pairs: int
    start: bytes


def entry(trajectory: Trajectory) -> Entry:
    counts = trajectory.counts
    numbers = (counts.parameter, counts.place, counts.logic)
    start = f"{trajectory.prompt}\0{trajectory.opening}".encode("utf-8", "replace")
    return Entry(
        id=trajectory.id,
        world=trajectory.world,
        machine_hash=trajectory.machine_hash,
        shape=trajectory.shape,
        variant=trajectory.variant,
        kinds=tuple(kind for kind, number in zip(KINDS, numbers, strict=True) if number),
        turns=counts.turns,
        pairs=len(trajectory.refinements),
        start=hashlib.blake2b(start, digest_size=12).digest(),
    )


def balanced(
    entries: Sequence[Entry], *, total: int = 0, per_world: int = 0, seed: int = 0
) -> list[Entry]:
    """At most `per_world` of each world and `total` of all (0 for no limit), in the order
    given."""
    worlds = _grouped(entries, [each.machine_hash for each in entries])
    sizes = {world: len(group) for world, group in worlds.items()}
    if per_world:
        sizes = {world: min(size, per_world) for world, size in sizes.items()}
    if total:
        sizes = filled(sizes, total)
    rare = _rarest_first(entries)
    taken: set[str] = set()
    for world, group in worlds.items():
        taken.update(_of_world(group, sizes[world], rare, seed))
    return [each for each in entries if each.id in taken]


def _of_world(
    group: Sequence[Entry], wanted: int, rare: Mapping[str, int], seed: int
) -> Iterable[str]:
    if wanted >= len(group):
        return [each.id for each in group]
    vessels = _grouped(group, [min(each.kinds, key=rare.__getitem__, default="") for each in group])
    sizes = filled({kind: len(held) for kind, held in vessels.items()}, wanted)
    taken: list[str] = []
    for kind, held in vessels.items():
        ordered = sorted(held, key=lambda each: drawn(seed, each.id))
        taken += [each.id for each in ordered[: sizes[kind]]]
    return taken


def _rarest_first(entries: Sequence[Entry]) -> dict[str, int]:
    counts = Counter(kind for each in entries for kind in each.kinds)
    return {kind: at for at, kind in enumerate(sorted(KINDS, key=lambda kind: counts[kind]))}


Key = TypeVar("Key", bound=Hashable)


def _grouped(entries: Sequence[Entry], keys: Sequence[Key]) -> dict[Key, list[Entry]]:
    groups: dict[Key, list[Entry]] = {}
    for each, key in zip(entries, keys, strict=True):
        groups.setdefault(key, []).append(each)
    return groups


def filled(sizes: Mapping[Key, int], total: int) -> dict[Key, int]:
    """How much of each vessel is taken so that `total` is reached (or all there is) and the
    shares are as even as can be; what does not divide goes to the first."""
    level = dict.fromkeys(sizes, 0)
    left = min(total, sum(sizes.values()))
    while left:
        open_ = [key for key, size in sizes.items() if level[key] < size]
        step = max(left // len(open_), 1)
        for key in open_:
            more = min(step, sizes[key] - level[key], left)
            level[key] += more
            left -= more
    return level


def drawn(seed: int, name: str) -> bytes:
    """A place in a seeded order that depends on nothing else."""
    return hashlib.blake2b(f"{seed}|{name}".encode(), digest_size=8).digest()
