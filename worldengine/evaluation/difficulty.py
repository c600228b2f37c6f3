"""Groups that results are broken down by: families of worlds, difficulty of starts.

In: scripts, Machines. Out: names. A family is what `worlds.jsonl` beside a generated world
says, else the folder that the script stands in. The difficulty of a start is the number of
commands of the world's own winning plan for it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from worldengine.machine import Machine
from worldengine.proof import winning_plan

BANDS = ((5, "plan 1-5"), (10, "plan 6-10"), (20, "plan 11-20"), (40, "plan 21-40"))


def difficulty(machine: Machine, variant: int) -> str:
    """The band of a start."""
    plan = winning_plan(machine, variant)
    if plan is None:
        return "no plan known"
    for most, name in BANDS:
        if len(plan) <= most:
            return name
    return "plan over 40"


def family(path: Path) -> str:
    """The family of the world in a script."""
    return _index(path.parent).get(path.name) or path.resolve().parent.name


@lru_cache(maxsize=64)
def _index(folder: Path) -> dict[str, str]:
    """What the generator wrote about the worlds of a folder."""
    index = folder / "worlds.jsonl"
    found: dict[str, str] = {}
    if not index.is_file():
        return found
    for line in index.read_text(encoding="utf-8").splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue  # a line that is being written
        if isinstance(told, dict) and isinstance(told.get("file"), str):
            found[told["file"]] = str(told.get("family") or "")
    return found
