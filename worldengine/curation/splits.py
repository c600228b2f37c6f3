"""Splits by world: what is tested was not trained on, nor was the same world in other words.

In: entries, shares, the structure of each world where it is known. Out: a split for each
entry. Worlds that are equal up to names (`Machine.shape`), equal up to the order of their
parts (`structure`), or whose first screen reads the same go to the same split. Groups are
laid out in a seeded order and each goes where most is missing, so the shares are met as
closely as whole groups allow and every split that was asked for gets a world. `leaks` checks
a finished split by itself.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from worldengine.curation.balance import Entry, drawn
from worldengine.machine import Machine

NAMES = ("train", "validation", "test")


class SplitError(ValueError):
    """The worlds cannot be split as asked; the message is for people."""


def shares(text: str) -> dict[str, float]:
    """Shares from words: `8:1:1` for train, validation, test, or `train=9,test=1`."""
    parts = text.split("," if "=" in text else ":")
    found: dict[str, float] = {}
    for at, part in enumerate(parts):
        name, _, number = part.rpartition("=")
        name = name.strip() or (NAMES[at] if at < len(NAMES) and "=" not in text else "")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not name or name in found or not 0 <= value < float("inf"):
            raise SplitError(f"shares are written 8:1:1 or train=8,test=2, not {text!r}")
        found[name] = value
    whole = sum(found.values())
    if whole <= 0:
        raise SplitError(f"{text!r} gives no share to any split")
    return {name: value / whole for name, value in found.items() if value}


def structure(machine: Machine) -> str:
    """Equal for Machines that do the same under the same names, in whatever order."""
    from worldengine.perturb.isomorphism import canonical

    return hashlib.sha256(repr(_ordered(canonical(machine))).encode()).hexdigest()


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted(((repr(key), _ordered(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return tuple(map(_ordered, value))
    return value


def groups(entries: Sequence[Entry], structures: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Worlds by hash, those together that may not be parted; in the order they come in."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    first: dict[object, str] = {}
    for each in entries:
        world = each.machine_hash
        parent.setdefault(world, world)
        for mark in _marks(each, structures):
            other = first.setdefault(mark, world)
            one, two = root(other), root(world)
            if one != two:
                parent[two] = one
    found: dict[str, list[str]] = defaultdict(list)
    for world in parent:
        found[root(world)].append(world)
    return [tuple(worlds) for worlds in found.values()]


def _marks(each: Entry, structures: Mapping[str, str]) -> Iterable[object]:
    yield "shape", each.shape
    yield "start", each.start
    if each.machine_hash in structures:
        yield "structure", structures[each.machine_hash]


def split(
    entries: Sequence[Entry],
    wanted: Mapping[str, float],
    structures: Mapping[str, str],
    seed: int = 0,
) -> dict[str, str]:
    """The split of each world, by hash."""
    together = groups(entries, structures)
    if len(together) < len(wanted):
        raise SplitError(
            f"there are {len(together)} different worlds and {len(wanted)} splits were asked for; "
            "a world is never parted, so roll out more worlds or ask for fewer splits"
        )
    sizes: dict[str, int] = defaultdict(int)
    for each in entries:
        sizes[each.machine_hash] += 1
    order = sorted(together, key=lambda worlds: min(drawn(seed, world) for world in worlds))
    return _laid_out(order, sizes, wanted)


def _laid_out(
    order: Sequence[tuple[str, ...]], sizes: Mapping[str, int], wanted: Mapping[str, float]
) -> dict[str, str]:
    whole = sum(sizes.values())
    missing = {name: share * whole for name, share in wanted.items()}
    empty = set(wanted)
    found: dict[str, str] = {}
    for at, worlds in enumerate(order):
        left = len(order) - at
        names = [name for name in wanted if name in empty or left > len(empty)]
        name = max(names, key=lambda each: missing[each])
        missing[name] -= sum(sizes[world] for world in worlds)
        empty.discard(name)
        for world in worlds:
            found[world] = name
    return found


def leaks(
    entries: Sequence[Entry],
    split_of: Callable[[Entry], str],
    structures: Mapping[str, str],
) -> list[str]:
    """What stands in two splits, in words; empty where nothing does."""
    found: list[str] = []
    seen: dict[object, tuple[str, str]] = {}
    told: set[object] = set()
    for each in entries:
        name = split_of(each)
        marks = [("world", each.machine_hash), *_marks(each, structures)]
        for mark in marks:
            other, world = seen.setdefault(mark, (name, each.world))
            if other != name and mark not in told:
                told.add(mark)
                kind = str(mark[0]) if isinstance(mark, tuple) else ""
                found.append(f"{world} in {other} and {each.world} in {name}: the same {kind}")
    return found
