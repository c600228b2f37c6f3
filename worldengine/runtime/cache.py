"""One Runtime a Machine: made when first asked for, gone when the Machine is.

In: a Machine. Out: its Runtime. Machines are told apart by identity, so two that are equal
never share anything by accident. At most `KEPT` are kept; a Runtime holds its Machine, so an
entry keeps it alive until it is pushed out by newer ones.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from worldengine.machine.schema import Machine
from worldengine.runtime.runtime import Runtime

KEPT = 64
"""Runtimes kept, least recently used first to go."""

_runtimes: OrderedDict[int, Runtime] = OrderedDict()
_lock = Lock()


def runtime_of(machine: Machine) -> Runtime:
    """The Runtime of this very Machine."""
    key = id(machine)
    with _lock:
        found = _runtimes.get(key)
        if found is not None:  # it holds its Machine, so the id cannot have been reused
            _runtimes.move_to_end(key)
            return found
    made = Runtime(machine)
    with _lock:
        found = _runtimes.setdefault(key, made)
        while len(_runtimes) > KEPT:
            _runtimes.popitem(last=False)
    return found
