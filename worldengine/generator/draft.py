"""A world being built: places, things, what the plan will have to do, and the script's parts.

In: a seeded generator, a theme, sizes. Out: text, once a walker has gone through the tasks.
The parts in `parts/` add to a draft; nothing here knows what they are about.

How a draft stays winnable. A `Gate` bars the way from one place to the next and has a number;
a place knows the numbers of all gates before it. Whatever opens gate n is put where only gates
below n have to be passed. A task's own needs are put no farther than the task itself. So needs
never run in a circle, and doing needs before tasks is a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from worldengine.generator.themes import Pool, Theme
from worldengine.generator.words import Names, flag, quoted

if TYPE_CHECKING:
    from worldengine.generator.walker import Walker

ANYWHERE = 10_000
"""A limit that every gate is below."""

SECTIONS = (
    "kinds", "places", "doors", "things", "people", "player", "facts", "derives", "vary",
    "actions", "hooks", "rules", "milestones", "endings",
)  # fmt: skip


class CannotFit(Exception):
    """A draft that ran out of words or room; another one is drawn."""


@dataclass(eq=False)
class Task:
    """Something the plan does: its needs first, then `act` at `place` (None: wherever)."""

    act: Callable[[Walker], None]
    place: Place | None = None
    needs: list[Task] = field(default_factory=list)
    done: bool = False


@dataclass(eq=False)
class Gate:
    """What bars a way. `task` opens it for good; `pass_` comes before each step through it."""

    number: int
    task: Task | None = None
    through: str = ""
    condition: str = ""
    refusal: str = ""
    pass_: Callable[[Walker, str], None] | None = None


@dataclass(eq=False)
class Exit:
    direction: str
    target: Place
    gate: Gate | None = None


@dataclass(eq=False)
class Place:
    id: str
    name: str
    text: str
    gates: tuple[int, ...] = ()
    exits: list[Exit] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    dark: bool = False

    def script(self) -> str:
        ways = []
        for way in self.exits:
            through = way.gate.through if way.gate else ""
            door = f" through {through}" if through else ""
            barred = ""
            if way.gate and way.gate.condition and not through:
                barred = f" when {way.gate.condition} else {quoted(way.gate.refusal)}"
            ways.append(f"exit {way.direction} to {way.target.id}{door}{barred}")
        dark = "dark = true" if self.dark else ""
        text = quoted(" ".join([self.text, *self.more]))
        return f"place {self.id} {quoted(self.name)} {{ {dark} {' '.join(ways)} describe {text} }}"


@dataclass(frozen=True)
class Item:
    """A thing as the script knows it and as commands name it."""

    id: str
    name: str


@dataclass
class Draft:
    """See the module. `mistakes` and `distractors` are what is still to be had."""

    random: Random
    theme: Theme
    mistakes: int
    distractors: int
    names: Names = field(default_factory=Names)
    places: list[Place] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    uses: set[str] = field(default_factory=lambda: {"travel", "take"})
    sections: dict[str, list[str]] = field(default_factory=lambda: {s: [] for s in SECTIONS})
    mechanics: set[str] = field(default_factory=set)
    goals: list[Task] = field(default_factory=list)
    goal_texts: list[str] = field(default_factory=list)
    wins: list[str] = field(default_factory=list)
    player: list[str] = field(default_factory=list)
    late: dict[str, Callable[[Walker], int]] = field(default_factory=dict)
    finish: list[Callable[[], None]] = field(default_factory=list)
    made: dict[str, Any] = field(default_factory=dict)
    pools: dict[str, Pool] = field(default_factory=dict)
    tasks: list[Task] = field(default_factory=list)
    variants: int = 1
    made_mistakes: int = 0
    made_distractors: int = 0
    depth: int = 2

    # --- words ------------------------------------------------------------------------

    def pick(self, pool: str) -> Any:
        """An entry of the theme that was not used before."""
        entry = self._pool(pool).draw(self.random, self.names)
        if entry is None:
            raise CannotFit(pool)
        return entry

    def has(self, pool: str) -> bool:
        return self._pool(pool).left(self.names)

    def _pool(self, name: str) -> Pool:
        if name not in self.pools:
            self.pools[name] = self.theme.pool(name)
        return self.pools[name]

    # --- parts of the script ------------------------------------------------------------

    def add(self, section: str, text: str) -> None:
        self.sections[section].append(text)

    def once(self, key: str, section: str, text: str) -> None:
        """Adds a part that several mechanics share."""
        if key not in self.made:
            self.made[key] = True
            self.add(section, text)

    def gather(self, key: str, entry: Any, finish: Callable[[Draft, list[Any]], None]) -> None:
        """Keeps what several parts add to one action or hook; `finish` writes it once, last."""
        if key not in self.made:
            gathered: list[Any] = []
            self.made[key] = gathered
            self.finish.append(lambda: finish(self, gathered))
        self.made[key].append(entry)

    def use(self, *verbs: str) -> None:
        self.uses.update(verbs)

    def thing(
        self, name: str, where: str, text: str = "", body: str = "", kind: str = "thing",
        flags: str = "", section: str = "things",
    ) -> Item:  # fmt: skip
        """Declares an object; `where` is an identifier or `nowhere`."""
        if not self.names.is_free(name):
            raise CannotFit(name)
        self.names.show(name)
        item = Item(self.names.ident(name), name)
        described = f" describe {quoted(text)}" if text else ""
        shown = f"{quoted(name)} {flags or flag(name)}".strip()
        self.add(section, f"{kind} {item.id} {shown} in {where} {{ {body}{described} }}")
        return item

    def extend(self, item: Item, body: str) -> None:
        """Adds to the braces of a thing that is declared already."""
        for lines in (self.sections["things"], self.sections["people"]):
            for index, line in enumerate(lines):
                if line.split(" ", 2)[1] == item.id:
                    lines[index] = f"{line.removesuffix('}')} {body} }}"
                    return
        raise AssertionError(f"{item.id} is not declared")

    def milestone(self, text: str, condition: str) -> None:
        name = self.names.ident(f"done {text}"[:40])
        self.add("milestones", f"milestone {name} {quoted(text)} when {condition}")

    def goal(self, sentence: str, condition: str, task: Task) -> None:
        """One more thing that winning asks for, in words and as a condition."""
        self.goals.append(task)
        self.goal_texts.append(sentence)
        self.wins.append(condition)

    def spend_mistake(self) -> bool:
        """Whether a part may be unforgiving; it must be then."""
        if self.mistakes <= 0:
            return False
        self.mistakes -= 1
        self.made_mistakes += 1
        return True

    def differ(self, count: int) -> Callable[[int], int]:
        """One more thing in which starts differ, in `count` ways; which way in a given start.
        `vary` lines multiply, the last one fastest: add the line when this is called."""
        before = self.variants
        self.variants *= count
        return lambda variant: variant // (self.variants // before // count) % count

    def lose(self, condition: str, text: str) -> None:
        self.add("endings", f"lose when {condition} say {quoted(text)}")

    # --- where things go -----------------------------------------------------------------

    def spot(self, limit: int, near: Sequence[Place] = ()) -> Place:
        """A place that may be used under `limit`, rather behind gates than before them."""
        allowed = [p for p in self.places if all(g < limit for g in p.gates) and p not in near]
        if not allowed:
            allowed = [p for p in self.places if all(g < limit for g in p.gates)]
        weights = [1 + 3 * len(p.gates) + (0 if p is self.places[0] else 2) for p in allowed]
        return self.random.choices(allowed, weights)[0]

    def task(self, act: Callable[[Walker], None], place: Place | None, *needs: Task) -> Task:
        self.tasks.append(Task(act, place, list(needs)))
        return self.tasks[-1]
