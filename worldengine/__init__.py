"""worldengine: text worlds as finite machines.

The public names are loaded when they are first used, so that `import worldengine` costs
nothing: no grammar, no arrays, no terminal, no model library.

    machine = worldengine.compile(text)  # or worldengine.load("tide_clock")
    state = machine.start(variant=0)
    transition = machine.step(state, "take key")
    worldengine.check(machine)
    worldengine.rollout([machine], player="explorer", episodes=10, out="run")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldengine.batch import BatchEnv as BatchEnv
    from worldengine.compiler import CompileError as CompileError
    from worldengine.compiler import compile as compile
    from worldengine.loading import load as load
    from worldengine.machine import Machine as Machine
    from worldengine.matching import concrete as concrete
    from worldengine.proof import check as check
    from worldengine.rollout.runner import rollout as rollout

__version__ = "0.1.0"

_HOME = {
    "BatchEnv": "worldengine.batch",
    "compile": "worldengine.compiler",
    "CompileError": "worldengine.compiler",
    "Machine": "worldengine.machine",
    "concrete": "worldengine.matching",
    "load": "worldengine.loading",
    "check": "worldengine.proof",
}

# `rollout` is a room that can be called; importing it gives both.
__all__ = [
    "BatchEnv",
    "CompileError",
    "Machine",
    "__version__",
    "check",
    "compile",
    "concrete",
    "load",
    "rollout",
]


def __getattr__(name: str) -> object:
    if name == "rollout":
        return import_module("worldengine.rollout")
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'worldengine' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
