"""Ways from the start of an exploration to one of its nodes, as they are played.

In: an `Explored`, a node. Out: ground commands, or None where the states between cannot be
played: only where clocks were left aside, and waiting does more than the clocks do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldengine.machine.schema import State
from worldengine.modelcheck.compiled.kernel import follow, scratch
from worldengine.modelcheck.exploration.frontier import key_of
from worldengine.modelcheck.exploration.growing import Hour
from worldengine.modelcheck.exploration.merging import Merging
from worldengine.modelcheck.exploration.retrace import forth, note_spans, origin_of
from worldengine.modelcheck.exploration.settling import Order
from worldengine.modelcheck.programs.units import number_range

if TYPE_CHECKING:
    from worldengine.modelcheck.exploration.explore import Explored

Plan = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """What an exploration merged, and what is needed to find ways through it."""

    order: Order
    merging: Merging
    hours: tuple[Hour, ...]
    start: State
    idle: int


def played_to(seen: Explored, node: int) -> Plan | None:
    """See the module."""
    trace = seen.trace
    assert trace is not None
    back, commands = _back(seen, trace, node)
    return _forth(seen, trace, back) if trace.merging.active else commands


def _back(seen: Explored, trace: Trace, node: int) -> tuple[list[int], Plan]:
    """The nodes on the way, and the commands between, which are those of the nodes' own states.
    A node that waited for the next hour has none."""
    tables, actions = seen.problem.tables, seen.actions
    keys = np.zeros((2, seen.packing.size), np.uint32)
    space, link = scratch(tables), np.zeros(2, np.int64)
    spans = np.zeros((len(actions), seen.packing.size), np.uint32)
    stored = np.zeros(len(seen.problem.machine.variables), np.uint8)
    note_spans(tables, seen.packing, trace.order, actions.operators, stored, spans)
    nodes, found = [node], list[tuple[int, int]]()
    while node > 0:
        hour = max(i for i, each in enumerate(trace.hours) if each.first <= node)
        first, state = trace.hours[hour].first, seen.graph.state.copy()
        if node - first < len(trace.hours[hour].origins):
            node = int(trace.hours[hour].origins[node - first])
            nodes.append(node)
            continue
        clocks = trace.merging.hours
        for variable, value in zip(clocks.clocks, clocks.values[hour], strict=True):
            state[variable] = value
        follows = origin_of(
            tables, seen.packing, trace.order, seen.graph, space, actions.operators,
            actions.numbers, spans, node, first, state, keys, link,
        )  # fmt: skip
        assert follows, "a node does not follow from any before it"
        found.append(actions.pair(int(link[1])))
        node = int(link[0])
        nodes.append(node)
    return nodes[::-1], tuple(reversed(found))


def _forth(seen: Explored, trace: Trace, nodes: list[int]) -> Plan | None:
    """The way over these nodes from the start itself."""
    tables, actions, machine = seen.problem.tables, seen.actions, seen.problem.machine
    space, state = scratch(tables), np.array(trace.start, np.int32)
    keys, after = np.zeros((2, seen.packing.size), np.uint32), np.zeros_like(state)
    found: list[tuple[int, int]] = []
    bounds = number_range(machine, trace.idle)
    idle = (trace.idle, bounds[0] if bounds else 0)
    for node in nodes[1:]:
        hour = max(i for i, each in enumerate(trace.hours) if each.first <= node)
        if node - trace.hours[hour].first < len(trace.hours[hour].origins):
            while len(found) < trace.hours[hour].turn:
                if not follow(tables, state, *idle, after, space):
                    return None
                state, after = after, state
                found.append(idle)
            continue
        key_of(seen.packing, seen.graph, seen.graph.roots[node], keys[0])
        action = forth(
            tables, seen.packing, trace.order, space, actions.operators, actions.numbers, state,
            keys,
        )  # fmt: skip
        if action < 0:
            return None
        found.append(actions.pair(int(action)))
    return tuple(found)
