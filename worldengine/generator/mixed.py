"""The generator's own family: worlds put together from all the parts.

In: a seeded generator, settings. Out: a draft whose plan has about the length asked for. How
much goes in is found by trying: too short a plan, and the next draft gets more to do.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from worldengine.generator.draft import CannotFit, Draft
from worldengine.generator.layout import lay_out
from worldengine.generator.parts import goals, questions
from worldengine.generator.parts.choosing import bar_ways
from worldengine.generator.parts.herrings import clutter
from worldengine.generator.parts.treasures import treasures
from worldengine.generator.script import Script, script_of
from worldengine.generator.settings import MOST_PLACES, Settings, SettingsError
from worldengine.generator.themes import theme, theme_names

TRIES = 250
Plots = tuple[tuple[Callable[[Draft], None], tuple[str, ...]], ...]
"""Goals, each with the word lists it needs."""
GOALS: Plots = (
    (goals.deliver, ("altars",)),
    (goals.present, ("people",)),
    (goals.repair, ("machines",)),
    (goals.reach, ()),
    (goals.collect, ("collections",)),
    (goals.rite, ("rites",)),
    (questions.sort, ("sortings",)),
    (questions.accuse, ("mysteries",)),
    (questions.register, ("registers",)),
    (questions.escort, ("strays",)),
    (questions.network, ("networks",)),
    (treasures, ("treasures", "cases")),
)
ADVENTURE_GOALS = {
    "treasure": treasures,
    "escape": goals.reach,
    "rescue": questions.escort,
    "quest": goals.present,
}
"""Goals of the adventure family, by the name of the task."""


def mixed(random: Random, settings: Settings) -> Script:
    """A world of any theme. SettingsError where the dials cannot all be had."""
    return _fitted(random, settings, list(theme_names()), GOALS)


def adventure_themes() -> tuple[str, ...]:
    """Those that have beasts and treasures."""
    return tuple(name for name in theme_names() if theme(name).words.get("creatures"))


def adventure(random: Random, settings: Settings) -> Script:
    """A world of a theme that has beasts and treasures, about one of the old plots."""
    task = settings.task or random.choice(["treasure", "treasure", *ADVENTURE_GOALS])
    return _fitted(random, settings, list(adventure_themes()), ((ADVENTURE_GOALS[task], ()),))


def _fitted(random: Random, settings: Settings, known: list[str], plots: Plots) -> Script:
    names = [settings.theme] if settings.theme else known
    chosen = theme(random.choice(names))
    low, high = settings.plan
    target = random.randint(low, high)
    near = (max(low, target - 3), min(high, target + 3))
    size = target / 12
    for attempt in range(TRIES):
        try:
            script = script_of(_draft(random, settings, chosen.name, size, plots))
        except CannotFit:
            size *= 0.97
            continue
        length = len(script.proofs[0])
        fits = near[0] <= length <= near[1] or (attempt > TRIES // 2 and low <= length <= high)
        if fits and settings.mistakes in (None, script.mistakes):
            return script
        size = max(0.2, size * (target / length) ** 0.5)
    raise SettingsError(
        f"no world was found with a plan of {low} to {high}"
        + (f", {settings.places} places" if settings.places else "")
        + (f" and {settings.mistakes} mistakes" if settings.mistakes is not None else "")
        + ": ask for a wider range"
    )


def _draft(random: Random, settings: Settings, theme_name: str, size: float, plots: Plots) -> Draft:
    """`size` is roughly the number of things to achieve, gates included."""
    mistakes = random.randint(0, 3) if settings.mistakes is None else settings.mistakes
    distractors = random.randint(1, 8) if settings.distractors is None else settings.distractors
    places = settings.places or min(MOST_PLACES, max(2, round(random.uniform(2, 4) + 1.3 * size)))
    gates = min(places - 1, 6, round(random.uniform(0, 0.75) * size))
    draft = Draft(random, theme(theme_name), mistakes, distractors)
    draft.depth = 0 if size < 0.8 else 1 if size < 2.5 else random.choice([1, 2])
    lay_out(draft, places, gates)
    offered = [goal for goal, pools in plots if all(map(draft.has, pools))]
    count = min(1 + int(random.random() * min(size, 5) * 0.6), 3, len(offered))
    # Where one has to be in the end is said and done last: the other goals lead away from it.
    for goal in sorted(random.sample(offered, count), key=lambda goal: goal is goals.reach):
        goal(draft)
    bar_ways(draft)
    clutter(draft)
    return draft
