"""What a search with several queues keeps: its nodes, its queues, what it knows of landmarks.

Named tuples of arrays, which compiled code takes as they are; see `lazy`. A node is a state
that has been looked at; an entry is a command from a node that has not been.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

Array = npt.NDArray[Any]


class Marks(NamedTuple):
    """Landmarks are bits; `needed[b]` are those that must hold when landmark b comes true."""

    needed: Array  # [landmarks] uint64
    lasting: Any  # uint64 those that must hold at the win
    idle: Any  # the action that only lets time pass, or -1


class Pool(NamedTuple):
    """Nodes and entries in rows; `info` is one row of numbers for the search itself."""

    states: Array  # [nodes, variables] int16 or int32
    parents: Array  # [nodes] int32
    actions: Array  # [nodes] int32
    depths: Array  # [nodes] int32
    missing: Array  # [nodes] int32 goals and landmarks still missing
    passed: Array  # [nodes] uint64 landmarks passed
    table: Array  # [size] int32 hash table of nodes, -1 where free
    from_nodes: Array  # [entries] int32
    by_actions: Array  # [entries] int32
    keys: Array  # [QUEUES, entries] int64 of the heaps
    items: Array  # [QUEUES, entries] int32 of the heaps
    sizes: Array  # [QUEUES] int64 entries in each heap
    served: Array  # [QUEUES] int64 how often each was asked; the least is asked next
    liked: Array  # [operators] uint8 whether the relaxed plan begins with one
    bits: Array  # [size] uint8 novelty
    info: Array  # [8] int64, see below


RELAXED, RELAXED_LIKED, MISSING, MISSING_LIKED, NOVEL = range(5)
QUEUES = 5
NODES, ENTRIES, SOLVED, BEST_RELAXED, BEST_MISSING, LONGEST, WEIGHT, USED = range(8)
