"""Rollouts: episodes, trajectories, runs, their verification and export.

The room can be called, so the public name and the package are one:

    summary = worldengine.rollout([machine], "explorer", episodes=10, seed=0, out="run")

plays ten episodes of each world of a list of Machines into the folder `run`, and gives back a
`Summary` with `won`, `lost`, `truncated` and more. Of what it takes beside these (`workers`,
`command_set`, `variant`, `resume`, `progress`, `batch`, ...) tells
`help(worldengine.rollout.runner.rollout)`, which it is. `docs/players.md` tells of players.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """As `worldengine.rollout.runner.rollout`."""
        from worldengine.rollout.runner import rollout

        return rollout(*arguments, **options)


sys.modules[__name__].__class__ = _Room
