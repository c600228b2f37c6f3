"""Rollouts: episodes, trajectories, runs, their verification and export.

The room can be called: `worldengine.rollout([machine], episodes=10, out="run")` is
`worldengine.rollout.runner.rollout`, so the public name and the package are one.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from worldengine.rollout.runner import rollout

        return rollout(*arguments, **options)


sys.modules[__name__].__class__ = _Room
