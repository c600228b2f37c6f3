"""Families: kinds of worlds, each a function from a seeded generator and settings to a script.

`mixed` is the generator's own. The others are in the style of well-known benchmarks: rules and
wording follow theirs, the words are ours, and no file of theirs is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from worldengine.generator.families import grid, household, planning, retrieval, science
from worldengine.generator.mixed import ADVENTURE_GOALS, adventure, adventure_themes, mixed
from worldengine.generator.script import Script
from worldengine.generator.settings import Settings
from worldengine.generator.themes import theme_names


@dataclass(frozen=True)
class Family:
    """`tasks` are what `Settings.task` may name; empty where there is only one. `themes` gives
    what `Settings.theme` may name: nothing where a family has words of its own."""

    make: Callable[[Random, Settings], Script]
    about: str
    tasks: tuple[str, ...] = ()
    themes: Callable[[], tuple[str, ...]] = tuple


FAMILIES: dict[str, Family] = {
    "mixed": Family(
        mixed, "errands put together from all mechanics, in many themes", themes=theme_names
    ),
    "household": Family(
        household.household,
        "in the style of household tasks: find, wash, heat, cool, slice, light, place two",
        household.TASKS,
    ),
    "science": Family(
        science.science,
        "in the style of elementary science: states, heat, circuits, mixing, living things, slopes",
        science.task_names(),
    ),
    "grid": Family(
        grid.grid,
        "in the style of grid instructions: turn, walk, pick up, toggle doors, put next to",
        grid.TASKS,
    ),
    "planning": Family(
        planning.planning,
        "in the style of planning benchmarks: blocks, towers, transport, a river, jugs, lamps, tiles",
        tuple(planning.TASKS),
    ),
    "adventure": Family(
        adventure,
        "in the style of adventure games: treasures, beasts, keys, lamps, the dark",
        tuple(ADVENTURE_GOALS),
        adventure_themes,
    ),
    "retrieval": Family(
        retrieval.retrieval,
        "questions over several documents: search, look up, answer, in one hop or more",
        retrieval.TASKS,
    ),
}
