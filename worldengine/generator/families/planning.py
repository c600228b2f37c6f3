"""Planning puzzles, in the style of the classical benchmark domains, in plain commands.

Each puzzle has a small model of its own here, searched for a shortest plan; the script says the
same rules in the world language. With a mistake on, moves are counted and too many lose.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from worldengine.generator.families.frame import Sheet, dial, fitting, task_of
from worldengine.generator.families.planning_blocks import blocks, crossing, towers
from worldengine.generator.families.planning_puzzles import jugs, lights, tiles
from worldengine.generator.families.planning_transport import gripper, logistics
from worldengine.generator.script import Script
from worldengine.generator.settings import Settings

TASKS: dict[str, Callable[[Random, Sheet, int], bool]] = {
    "blocks": blocks,
    "towers": towers,
    "gripper": gripper,
    "logistics": logistics,
    "crossing": crossing,
    "jugs": jugs,
    "lights": lights,
    "tiles": tiles,
}
CLUTTER = (
    "folded map", "empty mug", "dusty rulebook", "broken hourglass", "spare glove", "wooden whistle",
    "ball of twine", "paper crown", "chalk stub", "rusty bolt",
)  # fmt: skip
PERSONAS = (
    "A planner who likes to be right the first time",
    "A warehouse trainee on the night shift",
    "A retired chess problemist",
    "A student of logic with a practical exam",
    "A robot arm's patient operator",
)
TITLES = (
    "A question of order",
    "Fewer moves",
    "Think first",
    "One thing at a time",
    "The shortest way",
    "In the right order",
    "Undone and done again",
    "A puzzle before lunch",
    "No move wasted",
)
INTROS = (
    "Everything stands as it was left. Look before you move.",
    "Somebody gave up on this and went to lunch. Look first how it stands.",
    "It looks easy, which is the trouble with it. Look, count, then move.",
    "A note says: it can be done. Look at what is there before you begin.",
)


def planning(random: Random, settings: Settings) -> Script:
    """One puzzle whose shortest plan is about as long as was drawn."""
    strict = dial(random, settings.mistakes, 2, "mistakes", "planning")
    extra = dial(random, settings.distractors, len(CLUTTER), "distractors", "planning")
    low = settings.plan[0]
    target = random.randint(low, max(low, min(settings.plan[1], 40)))
    task = task_of(random, settings, tuple(TASKS))

    def make(attempt: int) -> Script | None:
        chosen = task if attempt < 120 or settings.task else task_of(random, settings, tuple(TASKS))
        goal = target if attempt < 15 else random.randint(low, min(settings.plan[1], low + 20))
        sheet = Sheet(
            random.choice(TITLES),
            random.choice(PERSONAS),
            random.choice(INTROS),
            "The time is up.",
        )
        sheet.mechanics.add(chosen)
        if not TASKS[chosen](random, sheet, goal) or not sheet.plan:
            return None
        if settings.places not in (None, sheet.places):
            return None
        # A river has a way to lose of its own; counted moves are one more.
        missing = strict - sheet.mistakes
        if settings.mistakes is not None and missing not in (0, 1):
            return None
        _counted(sheet, len(sheet.plan), missing >= 1)
        for name in random.sample(CLUTTER, extra):
            ident = name.replace(" ", "_")
            home = next(line.split()[1] for line in sheet.lines if line.startswith("place "))
            sheet.add(
                f'thing {ident} "{name}" in {home} {{ portable = false describe "It is not part of the puzzle." }}'
            )
        sheet.distractors = extra
        return sheet.script(f"{chosen}_puzzle", chosen)

    return fitting(settings, "planning", make)


def _counted(sheet: Sheet, shortest: int, strict: bool) -> None:
    """Fills in what a move costs: nothing, or one of a number that runs out."""
    limit = shortest + max(2, shortest // 3)
    if not strict:
        sheet.lines = [line for line in sheet.lines if not line.startswith("rule counting ")]
    for index, line in enumerate(sheet.lines):
        line = line.replace("@MOVE@", "set player.moves += 1" if strict else "")
        line = line.replace("@PLAYER@", f"moves : 0..{limit + 1} = 0" if strict else "")
        sheet.lines[index] = line
    if strict:
        sheet.mechanics.add("move limit")
        sheet.mistakes += 1
        sheet.goals.append(f"You have {limit} moves.")
        sheet.add(f'lose when player.moves > {limit} say "That was one move too many."')
