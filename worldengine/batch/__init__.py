"""Thousands of slots at once: Machines as integer tables, stepped by numba or torch.

Names are loaded when they are first used, so that importing this room compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldengine.batch.engine import Engine as Engine
    from worldengine.batch.env import BatchEnv as BatchEnv
    from worldengine.batch.episodes import Snapshot as Snapshot
    from worldengine.batch.episodes import Turn as Turn
    from worldengine.batch.frontier import Successors as Successors
    from worldengine.batch.frontier import successors as successors
    from worldengine.batch.pure import step_states as step_states
    from worldengine.batch.rows import Step as Step
    from worldengine.batch.single import Played as Played
    from worldengine.batch.single import Single as Single
    from worldengine.batch.tables.tables import Tables as Tables
    from worldengine.batch.tables.tables import tables_of as tables_of
    from worldengine.batch.tensors.tokens import DeviceTokens as DeviceTokens
    from worldengine.batch.texts.tokens import TokenTable as TokenTable
    from worldengine.batch.texts.tokens import TooLong as TooLong

_HOME = {
    "BatchEnv": "env",
    "Engine": "engine",
    "Played": "single",
    "Single": "single",
    "Snapshot": "episodes",
    "Step": "rows",
    "step_states": "pure",
    "Successors": "frontier",
    "successors": "frontier",
    "DeviceTokens": "tensors.tokens",
    "Tables": "tables.tables",
    "TokenTable": "texts.tokens",
    "TooLong": "texts.tokens",
    "Turn": "episodes",
    "tables_of": "tables.tables",
}

__all__ = [
    "BatchEnv",
    "DeviceTokens",
    "Engine",
    "Played",
    "Single",
    "Snapshot",
    "Step",
    "Successors",
    "Tables",
    "TokenTable",
    "TooLong",
    "Turn",
    "step_states",
    "successors",
    "tables_of",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
