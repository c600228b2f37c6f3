"""What a best-first width search keeps: its aim, its nodes, its scratch room.

Named tuples of arrays, which compiled code takes as they are; see `novelty`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from worldengine.modelcheck.compiled.kernel import Space

Array = npt.NDArray[Any]


class Aim(NamedTuple):
    """What a search goes for; `facts` columns are variable, value."""

    goals: Array  # [goals, 4] tests on slots
    landmarks: Array  # [landmarks, 2] facts, at most 64
    relevant: Array  # [...] variables that tell states apart
    offsets: Array  # [variables] number of a variable's first fact
    atom_variable: Array  # [atoms] variable of a fact atom of the clauses, or -1
    atom_value: Array  # [atoms]
    operators: Array  # [actions]
    numbers: Array  # [actions]


class Store(NamedTuple):
    """Nodes in rows; `info` is one row of numbers for the search itself."""

    states: Array  # [nodes, variables] int16 or int32
    parents: Array  # [nodes] int32
    actions: Array  # [nodes] int32
    depths: Array  # [nodes] int32
    missing: Array  # [nodes] int32 goals and landmarks still missing
    passed: Array  # [nodes] uint64 landmarks passed
    anchors: Array  # [nodes] int32 the node whose relaxed plan counts
    done: Array  # [nodes] uint64 parts of that plan that have come true
    plans: Array  # [nodes] int32 row in `parts`, of anchors only
    parts: Array  # [plans, 64, 2] int32 facts of relaxed plans, -1 where none
    keys: Array  # [nodes] int64 of the heap
    items: Array  # [nodes] int32 of the heap
    table: Array  # [size] int32 hash table of nodes, -1 where free
    bits: Array  # [size] uint8 novelty
    info: Array  # [8] int64: nodes, heap, plans, solved node, expanded, best missing


class Room(NamedTuple):
    """Scratch for evaluating the clauses, and for expanding."""

    cost: Array
    best: Array
    open: Array
    sums: Array
    queue: Array
    links: Array
    marks: Array
    stack: Array
    plan: Array
    space: Space


NODES, HEAP, PLANS, SOLVED, EXPANDED, BEST, GUIDED, LONGEST = range(8)
