"""What a step of many episodes gives, and what a slot is: the arrays of the episode layer.

Columns have one row a slot. Nothing here acts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib import import_module
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from worldengine.batch.tables.arrays import Integers
from worldengine.machine.schema import Machine

AUTORESET = ("next_step", "same_step", "disabled")
"""What happens to a slot that is over; see `env`."""


@dataclass(frozen=True)
class Turn:
    """What one step gave, one row a slot."""

    texts: NDArray[np.int64]  # (n,) ids of what the player reads; see BatchEnv.texts
    outcomes: NDArray[np.int8]  # (n,) accepted, parameter, place or logic
    failed: NDArray[np.int32]  # (n,) the requirement that failed, or as in `engine.Step`
    progress: NDArray[np.float64]  # (n,)
    scores: NDArray[np.float64]  # (n,) 1 where the episode was won in this step, else 0
    won: NDArray[np.bool_]  # (n,)
    lost: NDArray[np.bool_]  # (n,)
    truncated: NDArray[np.bool_]  # (n,)
    began: NDArray[np.bool_]  # (n,) a new episode began in this step
    final: NDArray[np.int64]  # (n,) same_step: the text that ended an episode, else 0

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """(n,) won or lost."""
        return self.won | self.lost


@dataclass(frozen=True)
class Snapshot:
    """Everything that a slot is, for some slots; of use to the same machines only."""

    hashes: tuple[str, ...]
    states: Integers  # (n, width)
    worlds: NDArray[np.int32]  # (n,)
    fixed: NDArray[np.int32]  # (n,)
    variants: NDArray[np.int32]  # (n,)
    seeds: NDArray[np.int64]  # (n,)
    episodes: NDArray[np.int64]  # (n,)
    turns: NDArray[np.int32]  # (n,)
    over: NDArray[np.bool_]  # (n,)


def rows_of(snapshot: Snapshot, rows: NDArray[np.int64]) -> Snapshot:
    """Copies of some rows."""
    changes: dict[str, Any] = {
        item.name: getattr(snapshot, item.name)[rows].copy()
        for item in fields(Snapshot)
        if item.name != "hashes"
    }
    return replace(snapshot, **changes)


def worlds_of(worlds: ArrayLike | None, size: int | None, machines: int) -> NDArray[np.int32]:
    """The machine of each slot, checked."""
    if size is not None and (isinstance(size, bool) or not _is_whole(size) or size < 0):
        raise ValueError(f"size is how many slots there are, 0 or more, not {size!r}")
    if worlds is None:
        if machines == 0:
            raise ValueError("there is no machine to play: give at least one")
        return (np.arange(machines if size is None else size) % machines).astype(np.int32)
    given = np.asarray(worlds)
    if given.ndim != 1 or (size is not None and len(given) != size):
        shape = "(n,)" if size is None else f"({size},)"
        raise ValueError(f"worlds must be of shape {shape}, not {given.shape}")
    chosen = column_of(given, len(given))
    if len(chosen) and not (chosen.min() >= 0 and chosen.max() < machines):
        raise ValueError(f"worlds are indices of the {machines} machines given")
    return chosen.copy()


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer)


def column_of(values: ArrayLike, count: int) -> NDArray[np.int32]:
    """One integer a slot, checked; it may be the caller's own array, if that is one for which
    kernels are compiled: in one piece, and not closed to writing."""
    column = np.asarray(values)
    if column.shape == (0,) == (count,):  # an empty list is of no type
        return np.zeros(0, np.int32)
    if column.shape != (count,) or not np.issubdtype(column.dtype, np.integer):
        raise ValueError(
            f"expected integers of shape ({count},), not {column.dtype} {column.shape}"
        )
    if column.dtype.itemsize >= 4 and column.dtype != np.int32:
        low, high = int(column.min()), int(column.max())
        if low < -(2**31) or high >= 2**31:
            raise ValueError(f"expected integers of 32 bits, not {low if low < 0 else high}")
    usual = column.flags.c_contiguous and column.flags.writeable
    return column.astype(np.int32, copy=not usual)


def seeds_of(seed: ArrayLike, count: int) -> NDArray[np.int64]:
    """A seed a slot, checked: one for all of them counts up."""
    given = np.asarray(seed)
    whole = np.issubdtype(given.dtype, np.integer)
    if not whole or (given.size and int(given.max()) >= 2**63):
        raise ValueError(f"seeds are integers of 64 bits, not {given.dtype}: {seed!r:.60}")
    if given.ndim == 0:
        return given.astype(np.int64) + np.arange(count)
    if given.shape != (count,):
        raise ValueError(f"seeds must be of shape ({count},), not {given.shape}")
    return given.astype(np.int64)


def slots_of(slots: ArrayLike | None, size: int) -> NDArray[np.int64]:
    """Indices of slots, checked (None: all)."""
    if slots is None:
        return np.arange(size)
    given = np.asarray(slots)
    if given.shape == (0,):
        return np.zeros(0, np.int64)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(
            f"slots are a list of indices, not {given.dtype} of shape {given.shape}"
            " (np.flatnonzero makes one of a mask)"
        )
    if given.min() < 0 or given.max() >= size:
        raise ValueError(f"slots are 0..{size - 1}, not {slots!r:.60}")
    return given.astype(np.int64)


def branched(sources: ArrayLike, targets: ArrayLike) -> NDArray[Any]:
    """The source of each target: one alone is that of all."""
    given, count = np.atleast_1d(np.asarray(sources)), np.size(np.asarray(targets))
    return np.broadcast_to(given, (count,)) if given.shape == (1,) else given


def one_or_more(slots: ArrayLike) -> ArrayLike:
    """A slot alone as a list of one."""
    return slots if np.ndim(slots) else np.reshape(slots, 1).tolist()


def text_ids(ids: ArrayLike) -> NDArray[np.int64]:
    """Ids of texts, checked: as steps and resets give them."""
    given = np.asarray(ids)
    if given.ndim == 1 and (not given.size or np.issubdtype(given.dtype, np.integer)):
        return given.astype(np.int64, copy=False)
    raise ValueError(
        "texts are asked for by a turn, or by ids as `reset` and `Turn.texts` give them, not by"
        f" {given.dtype} of shape {given.shape}"
    )


def check_operators(operators: NDArray[np.int32], count: int) -> None:
    """ValueError where an operator is none of any machine."""
    if len(operators) and (operators.min() < 0 or operators.max() >= count):
        slot = int(np.argmax((operators < 0) | (operators >= count)))
        raise ValueError(f"slot {slot}: operators are 0..{count - 1}, not {operators[slot]}")


def not_to_be_stepped(slot: int, episodes: NDArray[np.int64]) -> NoReturn:
    """What is wrong with a step of this slot."""
    why = "has not begun" if episodes[slot] < 0 else "is over"
    raise ValueError(f"slot {slot} {why}; reset it before a step")


OPTIONS = {
    "numba": ("size", "worlds", "variants", "engine", "device", "threads", "autoreset", "texts"),
    "torch": ("size", "worlds", "variants", "engine", "device", "autoreset", "kernel"),
}
"""What `BatchEnv` takes beside Machines, by engine."""


def check_names(options: Mapping[str, object]) -> None:
    """TypeError for an option that the engine does not know."""
    engine = str(options.get("engine", "numba"))
    known = OPTIONS.get(engine, OPTIONS["numba"])
    for name in options:
        if name not in known:
            raise TypeError(
                f"a BatchEnv on {engine} takes {', '.join(known)}; there is no option {name!r}"
            )


def check_options(engine: str, device: str | None, autoreset: str) -> None:
    """ValueError unless the numba engine can be made like this."""
    if engine != "numba":
        raise ValueError(f"engines are numba and torch, not {engine!r}")
    if device not in (None, "cpu"):
        raise ValueError(f"the numba engine runs on the cpu, not on {device!r}")
    check_mode(autoreset)


def check_mode(autoreset: str) -> None:
    """ValueError unless it is a mode."""
    if autoreset not in AUTORESET:
        raise ValueError(f"autoreset is one of {', '.join(AUTORESET)}, not {autoreset!r}")


def check_commands(commands: Sequence[str], count: int) -> None:
    """ValueError unless there is a command a slot."""
    if isinstance(commands, str):
        raise ValueError("commands are a list, one a slot, not one text")
    if len(commands) != count:
        raise ValueError(f"there are {count} slots, but {len(commands)} commands")


def check_variants(
    machines: Sequence[Machine], worlds: NDArray[np.int32], fixed: NDArray[np.int32]
) -> None:
    """ValueError unless every slot's machine has the variant fixed for it."""
    for world, variant in set(zip(worlds.tolist(), fixed.tolist(), strict=True)):
        machine = machines[world]
        if not -1 <= variant < len(machine.variants):
            raise ValueError(
                f"{machine.name} has variants 0..{len(machine.variants) - 1}, not {variant}"
            )


def on_torch() -> Any:
    """The class of episodes on a device. ImportError with one sentence without torch."""
    try:
        return import_module("worldengine.batch.tensors.env").TorchBatch
    except ModuleNotFoundError as missing:
        if missing.name != "torch":
            raise
        sentence = (
            "the torch engine needs torch: pip install 'worldengine-machine[torch]', or in a"
            " checkout .venv/bin/pip install -c constraints.txt -e '.[torch]'"
        )
        raise ImportError(sentence) from None
