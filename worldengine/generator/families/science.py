"""Elementary science, in the style of ScienceWorld: a house with a laboratory's worth of things,
and a task from the school book. The commands follow that benchmark (`focus on`, `activate`,
`connect … to …`, `use thermometer on …`); rooms and substances are drawn here.

To focus on something says that it is what the task is about. With mistakes on, a wrong focus or
a wrong answer ends the game, as it does there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

from worldengine.generator.families.frame import Sheet, dial, fitting
from worldengine.generator.script import Script
from worldengine.generator.settings import Settings
from worldengine.generator.words import Names, flag, listed, quoted

ROOMS = {
    "kitchen": "A stove, a freezer, a sink, and a smell of toast.",
    "workshop": "A bench with a vice, and shelves of small drawers.",
    "greenhouse": "Warm, green and dripping.",
    "art studio": "Easels, jars of brushes, and paint on everything.",
    "bathroom": "Tiles, a tub, a mirror.",
    "living room": "A sofa, a carpet, a shelf of books.",
    "bedroom": "A bed, a lamp, a window.",
    "back garden": "Grass, a path, a tree with a swing.",
    "foundry": "A furnace, bricks, and sand on the floor.",
    "hallway": "Coats and doors.",
    "attic": "Rafters, trunks, dust.",
    "cellar": "Vaults, jars, a single bulb.",
}
CLUTTER = (
    "yellow sponge", "wooden ruler", "cracked jug", "rubber duck", "tin whistle", "old magnet",
    "bent spoon", "glass marble", "clothes peg", "paper bag", "chess pawn", "toy boat", "cork mat",
    "shoe box lid", "dry brush", "bicycle bell", "candle stub", "postcard", "thimble", "drinking straw",
)  # fmt: skip
PERSONAS = (
    "A pupil with a worksheet and the run of the house",
    "A substitute teacher trying tomorrow's lesson",
    "A curious aunt who reads about atoms",
    "A robot that is to learn what every child knows",
    "The winner of last year's science fair",
)
Task = Callable[["Lab"], None]


class Lab:
    """The house, the plan so far, and what may be focused on."""

    def __init__(self, random: Random, settings: Settings, strict: bool) -> None:
        self.random = random
        self.strict = strict
        self.names = Names()
        self.sheet = Sheet(
            title=random.choice(
                (
                    "A lesson at home",
                    "Worksheet day",
                    "The kitchen laboratory",
                    "Try it and see",
                    "Homework for Monday",
                    "A wet afternoon of science",
                    "What happens if",
                    "Nobody touched the stove",
                )
            ),
            persona=random.choice(PERSONAS),
            intro="The house is empty, and everything in it may be used.",
            timeout="The school bell rings, and the sheet is not filled in.",
            uses=["travel", "take", "open"],
        )
        count = dial(random, settings.places, len(ROOMS), "places", "science", 2)
        self.rooms = random.sample(sorted(ROOMS), count)
        self.ways: dict[str, list[tuple[str, str]]] = {room: [] for room in self.rooms}
        self._join()
        self.at = self.rooms[0]
        self.wins: list[str] = []
        self.kinds: dict[str, str] = {}
        self.player: list[str] = []
        self.focus: list[tuple[str, str]] = []  # object, condition under which it is right
        self.extra_lines: list[str] = []
        self.asked: set[str] = set()

    # --- the house ------------------------------------------------------------------------

    def _join(self) -> None:
        """A tree of rooms with four directions each."""
        back = {"north": "south", "east": "west", "south": "north", "west": "east"}
        for index, room in enumerate(self.rooms[1:], start=1):
            while True:
                other = self.random.choice(self.rooms[:index])
                free = [d for d in back if all(d != used for used, _ in self.ways[other])]
                if free:
                    break
            direction = self.random.choice(free)
            self.ways[other].append((direction, room))
            self.ways[room].append((back[direction], other))

    def room(self) -> str:
        return self.random.choice(self.rooms)

    def go(self, target: str) -> None:
        """Walks there by the shortest way."""
        before: dict[str, str] = {self.at: ""}
        todo = deque([self.at])
        while todo:
            here = todo.popleft()
            for _, room in self.ways[here]:
                if room not in before:
                    before[room] = here
                    todo.append(room)
        path = []
        while target != self.at:
            path.append(target)
            target = before[target]
        for room in reversed(path):
            self.sheet.plan.append(f"go to {room}")
            self.at = room

    # --- things -----------------------------------------------------------------------------

    def thing(
        self, name: str, where: str, body: str = "", text: str = "", kind: str = "thing"
    ) -> str:
        """Declares a thing once; its identifier. `where` is a room's name or an identifier."""
        if not self.names.is_free(name):
            return name.replace(" ", "_")
        self.names.show(name)
        ident = self.names.ident(name)
        home = self.place_id(where) if where in self.rooms else where
        described = f" describe {quoted(text)}" if text else ""
        self.extra_lines.append(
            f"{kind} {ident} {quoted(name)} {flag(name)} in {home} {{ {body}{described} }}"
        )
        return ident

    def place_id(self, room: str) -> str:
        return f"room_{room.replace(' ', '_')}"

    def kind(self, name: str, text: str) -> None:
        self.kinds[name] = text

    def do(self, *commands: str) -> None:
        self.sheet.plan.extend(commands)

    def milestone(self, text: str, condition: str) -> None:
        self.sheet.add(f"milestone {self.names.ident('step')} {quoted(text)} when {condition}")

    def may_focus(self, ident: str, condition: str = "") -> None:
        self.focus.append((ident, condition))

    # --- the script -----------------------------------------------------------------------

    def script(self, extra: int) -> Script:
        names = [name for name in CLUTTER if self.names.is_free(name)]
        for name in self.random.sample(names, min(extra, len(names))):
            self.thing(name, self.room(), "", "It has nothing to do with the lesson.")
            self.sheet.distractors += 1
        sheet = self.sheet
        sheet.places = len(self.rooms)
        sheet.add(*self.kinds.values())
        for room in self.rooms:
            ways = " ".join(f"exit {d} to {self.place_id(other)}" for d, other in self.ways[room])
            sheet.add(
                f"place {self.place_id(room)} {quoted(room)} {{ {ways} describe {quoted(ROOMS[room])} }}"
            )
        sheet.add(*self.extra_lines)
        sheet.add(
            f"player in {self.place_id(self.rooms[0])} {{ carries = 30 {' '.join(self.player)} }}"
        )
        if self.focus:
            sheet.add(*self._focusing())
        sheet.add(f'win when {" and ".join(self.wins)} say "Task completed."')
        sheet.mistakes = sum(line.startswith("lose ") for line in sheet.lines)
        return sheet.script("science", "science")

    def _focusing(self) -> list[str]:
        right = " or ".join(
            f"(x == {ident} and {condition})" if condition else f"x == {ident}"
            for ident, condition in self.focus
        )
        wrong = 'say "That is not what the task is about."'
        lines = ["fact focused(x: thing)"]
        if self.strict:
            lines.append("fact mistaken")
            wrong = "set mistaken() = true " + wrong
            lines.append('lose when mistaken say "A wrong focus: the sheet is spoilt."')
            self.sheet.mechanics.add("wrong focus loses")
        lines.append(
            f"""action focus(x: thing visible) {{ form "focus on {{x}}"
            require not focused(x) else logic "You are focused on {{the x}} already."
            if {right} {{ set focused(x) = true say "You focus on {{the x}}." }} else {{ {wrong} }} }}"""
        )
        return lines


def science(random: Random, settings: Settings) -> Script:
    """One task of the school book, or as many as the plan has room for."""
    from worldengine.generator.families.science_tasks import TASKS

    mistakes = dial(random, settings.mistakes, 3, "mistakes", "science")
    extra = dial(random, settings.distractors, len(CLUTTER), "distractors", "science")
    target = random.randint(*settings.plan)
    names = [settings.task] if settings.task else list(TASKS)

    def make(attempt: int) -> Script | None:
        lab = Lab(random, settings, bool(mistakes))
        goal = target if attempt < 60 else settings.plan[0]
        for name in random.sample(names, len(names)):
            if not lab.asked or len(lab.sheet.plan) < goal - 6:
                lab.asked.add(name)
                lab.sheet.mechanics.add(name)
                TASKS[name](lab)
        script = lab.script(extra)
        return script if settings.mistakes in (None, script.mistakes) else None

    return fitting(settings, "science", make)


def task_names() -> tuple[str, ...]:
    from worldengine.generator.families.science_tasks import TASKS

    return tuple(TASKS)


def in_words(names: list[str]) -> str:
    return listed([f"the {name}" for name in names])


def wrong_box(lab: Lab, condition: str, text: str) -> None:
    """A wrong answer ends the game where mistakes do."""
    if lab.strict:
        lab.sheet.add(f"lose when {condition} say {quoted(text)}")
        lab.sheet.mechanics.add("wrong answer loses")
