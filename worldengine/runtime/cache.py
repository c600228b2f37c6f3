"""One Runtime a Machine: made when first asked for, gone when the Machine is.

In: a Machine. Out: its Runtime. It is kept in a private attribute of the Machine itself, as a
cached property would be: no table of Machines grows anywhere, and two that are equal share
nothing. (A weak table of Machines would keep them for ever: a Runtime holds its Machine.)
"""

from __future__ import annotations

from worldengine.machine.schema import Machine
from worldengine.runtime.runtime import Runtime

_KEY = "_runtime"


def runtime_of(machine: Machine) -> Runtime:
    """The Runtime of this very Machine. Threads that ask at once get the same one."""
    kept = machine.__dict__  # a frozen dataclass forbids assignment, not memory
    found: Runtime | None = kept.get(_KEY)
    return found if found is not None else kept.setdefault(_KEY, Runtime(machine))


def let_go(machine: Machine) -> None:
    """Forgets the Runtime of a Machine that stays while nobody plays in it, as one of a
    thousand. Whoever asks for it later gets a new one, which does the same."""
    machine.__dict__.pop(_KEY, None)
