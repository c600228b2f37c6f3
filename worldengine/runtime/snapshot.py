"""States kept outside a process, bound to the Machine they belong to.

A state is a tuple and never changes: inside a process, keeping it is the snapshot and using
it twice is the fork. To leave the process it becomes a plain document that names its Machine
by hash. Refused with SnapshotError: a document of another Machine, or one whose values that
Machine cannot hold. Nothing is ever repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldengine.machine.schema import Machine, State


class SnapshotError(ValueError):
    """A document that is no snapshot of this Machine; says why."""


def snapshot(machine: Machine, state: State) -> dict[str, Any]:
    """A document, fit for JSON, from which `restore` gives the equal state."""
    return {"machine": machine.hash, "state": list(state)}


def restore(machine: Machine, document: Mapping[str, Any]) -> State:
    """The state in a document made by `snapshot` for the same Machine."""
    if document.get("machine") != machine.hash:
        raise SnapshotError(f"this state was saved from another version of {machine.name}")
    values = document.get("state")
    if not isinstance(values, list) or len(values) != len(machine.variables):
        raise SnapshotError(f"a state of {machine.name} has {len(machine.variables)} values")
    for variable, value in zip(machine.variables, values, strict=True):
        if type(value) is not int:
            raise SnapshotError(f"{variable.name} is no number")
        if variable.kind in ("bool", "int"):
            fits = variable.low <= value <= variable.high
        else:
            fits = value in variable.domain
        if not fits:
            raise SnapshotError(f"{variable.name} cannot be {value}")
    return tuple(values)
