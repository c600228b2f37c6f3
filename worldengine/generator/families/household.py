"""Household tasks, in the style of ALFWorld: find things in a room full of receptacles and
put them somewhere, washed, hot, cold, sliced, two at a time, or look at them in a light.

The rules follow that benchmark: one thing in hand, one receptacle at a time, what is shut
shows nothing. The rooms and what lies in them are drawn here; longer plans chain errands.
"""

from __future__ import annotations

from random import Random

from worldengine.generator.families.frame import Sheet, dial, fitting, task_of
from worldengine.generator.families.household_words import (
    ITEMS,
    METAL,
    PERSONAS,
    ROOMS,
    SLICEABLE,
    TREATABLE,
    WIRED,
    Room,
    Spot,
    spelt,
)
from worldengine.generator.script import Script
from worldengine.generator.settings import Settings
from worldengine.generator.words import a, listed, plural, quoted

TASKS = ("place", "clean", "heat", "cool", "slice", "examine-in-light", "place-two")
KNIFE = "butterknife"


def household(random: Random, settings: Settings) -> Script:
    """One room, one errand or several."""
    mistakes = dial(random, settings.mistakes, 2, "mistakes", "household")
    extra = dial(random, settings.distractors, 20, "distractors", "household")
    dial(random, settings.places, 1, "places", "household", 1)
    target = random.randint(*settings.plan)

    def make(attempt: int) -> Script | None:
        house = _House(random, settings, mistakes)
        # Errands are added until the plan is about as long as was drawn.
        goal = target if attempt < 60 else settings.plan[0]
        for _ in range(40):
            if len(house.sheet.plan) < goal - 3 or not house.errands:
                house.errand(task_of(random, settings, TASKS))
        if not house.errands:
            return None
        house.scatter(extra)
        script = house.script()
        return script if settings.mistakes in (None, script.mistakes) else None

    return fitting(settings, "household", make)


class _House:
    def __init__(self, random: Random, settings: Settings, mistakes: int) -> None:
        self.random = random
        self.settings = settings
        self.room: Room = random.choice(ROOMS)
        self.spots = [
            Spot(f"{kind}_{n}", f"{kind} {n}", kind, shut)
            for kind, shut, most in self.room.receptacles
            for n in range(1, random.randint(1, most) + 1)
        ]
        self.counts: dict[str, int] = {}
        self.items: list[tuple[str, str, str]] = []  # kind, name, where
        self.errands: list[str] = []
        self.wins: list[str] = []
        self.at: Spot | None = None
        self.open: set[str] = set()
        self.used_kinds: set[str] = set()
        self.mistakes = mistakes
        self.moved: dict[str, str] = {}
        self.lamp_at: Spot | None = None
        self.sheet = Sheet(
            title=f"{self.room.title}, {random.choice(('a Tuesday', 'after breakfast', 'before the guests', 'the usual'))}",
            persona=random.choice(PERSONAS),
            intro=f"You stand in the middle of {self.room.phrase}. Look around, and go to what you want to use.",
            timeout="The day is over, and the errand is not done.",
        )

    # --- errands ------------------------------------------------------------------------

    def errand(self, task: str) -> bool:
        """Adds one errand and its part of the plan; False if the room does not offer it."""
        tool = {"clean": "sinkbasin", "heat": "microwave", "cool": "fridge"}.get(task)
        if tool and not self._of(tool):
            return False
        if task == "examine-in-light" and (not self.room.lamp or self.errands):
            return False
        kinds = [k for k in self._kinds(task) if k not in self.used_kinds]
        goal_kinds = [
            s.kind for s in self.spots if s.kind not in ("sinkbasin", "microwave", "stoveburner")
        ]
        if not kinds or not goal_kinds or "examine-in-light" in self.sheet.mechanics:
            return False
        kind = self.random.choice(kinds)
        target_kind = self.random.choice(goal_kinds)
        self.used_kinds.add(kind)
        self.sheet.mechanics.add(task)
        self.errands.append(task)
        getattr(self, "_" + task.replace("-", "_"))(kind, target_kind)
        return True

    def _kinds(self, task: str) -> list[str]:
        pool = [kind for kind, rooms in ITEMS.items() if self.room.name in rooms and kind != KNIFE]
        if task in TREATABLE:
            return [kind for kind in pool if kind in TREATABLE[task]]
        return [kind for kind in pool if kind in SLICEABLE] if task == "slice" else pool

    def _put(self, kind: str, target: str, adjective: str, condition: str) -> None:
        places = ", ".join(s.id for s in self.spots if s.kind == target)
        more = f" and {condition}" if condition else ""
        self.wins.append(f"any(o: {kind} where o.in in {{{places}}}{more})")
        self.sheet.goals.append(
            f"Put {a(f'{adjective} {spelt(kind)}'.strip())} {self._into(target)} {a(spelt(target))}."
        )
        self._milestone(f"held {a(spelt(kind))}", f"any(o: {kind} where held(o))")

    def _place(self, kind: str, target: str) -> None:
        name = self._fetch(kind, target)
        self._put(kind, target, "", "")
        self._lay(name, target)

    def _treated(
        self, kind: str, target: str, verb: str, tool: str, adjective: str, flag: str
    ) -> None:
        name = self._fetch(kind, target)
        self._put(kind, target, adjective, f"o.{flag}")
        self._milestone(f"had {a(f'{adjective} {spelt(kind)}')}", f"any(o: {kind} where o.{flag})")
        spot = self.random.choice(self._of(tool))
        self._go(spot)
        self.sheet.plan.append(f"{verb} {name} with {spot.name}")
        self._lay(name, target)

    def _clean(self, kind: str, target: str) -> None:
        self._treated(kind, target, "clean", "sinkbasin", "clean", "clean")

    def _heat(self, kind: str, target: str) -> None:
        self._treated(kind, target, "heat", "microwave", "hot", "hot")

    def _cool(self, kind: str, target: str) -> None:
        self._treated(kind, target, "cool", "fridge", "cool", "cool")

    def _slice(self, kind: str, target: str) -> None:
        where = self._somewhere(target)
        name = self._new(kind, where)
        if KNIFE not in self.used_kinds:
            self.used_kinds.add(KNIFE)
            self._new(KNIFE, self._somewhere(target))
        knife = f"{KNIFE} 1"
        self._put(kind, target, "sliced", "o.sliced")
        self._milestone(f"sliced {a(spelt(kind))}", f"any(o: {kind} where o.sliced)")
        home = next(spot for spot in self.spots if spot.id == self._where(knife))
        self._go(home, opening=True)
        self.sheet.plan.append(f"take {knife} from {home.name}")
        self._go(where, opening=True)
        self.sheet.plan.append(f"slice {name} with {knife}")
        self._drop(knife, where)
        self.sheet.plan.append(f"take {name} from {where.name}")
        self._lay(name, target)

    def _examine_in_light(self, kind: str, target: str) -> None:
        self._fetch(kind, "")
        lamp = self.random.choice(self.surfaces())
        self.lamp_at = lamp
        self.wins.append(
            f"any(o: {kind} where held(o)) and desklamp_1.on and player.at == desklamp_1.in"
        )
        self.sheet.goals.append(
            f"Look at {a(spelt(kind))} under the desklamp: hold it where the lamp burns."
        )
        self._milestone(f"held {a(spelt(kind))}", f"any(o: {kind} where held(o))")
        self._go(lamp)
        self.sheet.plan.append("use desklamp 1")

    def _place_two(self, kind: str, target: str) -> None:
        places = ", ".join(s.id for s in self.spots if s.kind == target)
        self.wins.append(f"count(o: {kind} where o.in in {{{places}}}) >= 2")
        into = self._into(target)
        several = f", or one each {into} two of them" if len(self._of(target)) > 1 else ""
        self.sheet.goals.append(
            f"Put two {plural(spelt(kind))} {into} {a(spelt(target))}{several}."
        )
        self._milestone(
            f"put away a first {spelt(kind)}", f"any(o: {kind} where o.in in {{{places}}})"
        )
        for _ in range(2):
            self._lay(self._fetch(kind, target), target)

    # --- the plan -----------------------------------------------------------------------

    def _into(self, kind: str) -> str:
        return "in" if kind == "garbagecan" or self._of(kind)[0].shut else "on"

    def _of(self, kind: str) -> list[Spot]:
        return [spot for spot in self.spots if spot.kind == kind]

    def surfaces(self) -> list[Spot]:
        return [s for s in self.spots if not s.shut and s.kind not in ("sinkbasin", "stoveburner")]

    def _somewhere(self, but: str) -> Spot:
        """A receptacle that is not of the kind the thing has to go to."""
        return self.random.choice([spot for spot in self.spots if spot.kind != but])

    def _new(self, kind: str, where: Spot) -> str:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        name = f"{kind} {self.counts[kind]}"
        self.items.append((kind, name, where.id))
        return name

    def _where(self, name: str) -> str:
        """Where a thing is by now."""
        start = next(where for _, other, where in self.items if other == name)
        return self.moved.get(name, start)

    def _fetch(self, kind: str, target: str) -> str:
        where = self._somewhere(target)
        name = self._new(kind, where)
        self._go(where, opening=True)
        self.sheet.plan.append(f"take {name} from {where.name}")
        return name

    def _go(self, spot: Spot, opening: bool = False) -> None:
        if self.at is not spot:
            self.sheet.plan.append(f"go to {spot.name}")
            self.at = spot
        if opening and spot.shut and spot.id not in self.open:
            self.open.add(spot.id)
            self.sheet.plan.append(f"open {spot.name}")

    def _lay(self, name: str, target: str) -> None:
        spot = self.random.choice(self._of(target))
        self._go(spot, opening=True)
        self.sheet.plan.append(f"move {name} to {spot.name}")

    def _drop(self, name: str, spot: Spot) -> None:
        """Lays a tool down where the player stands; later errands find it there."""
        self.sheet.plan.append(f"move {name} to {spot.name}")
        self.moved[name] = spot.id

    # --- the script -----------------------------------------------------------------------

    def _milestone(self, text: str, condition: str) -> None:
        number = sum(line.startswith("milestone") for line in self.sheet.lines) + 1
        self.sheet.add(f"milestone step_{number} {quoted(text)} when {condition}")

    def scatter(self, extra: int) -> None:
        """Things nobody asked for; never of a kind an errand asks for."""
        free = [
            k
            for k, rooms in ITEMS.items()
            if self.room.name in rooms and k not in self.used_kinds and k != KNIFE
        ]
        for _ in range(extra if free else 0):
            self._new(self.random.choice(free), self.random.choice(self.spots))
            self.sheet.distractors += 1

    def script(self) -> Script:
        from worldengine.generator.families.household_script import household_lines

        sheet = self.sheet
        sheet.add(*household_lines(self))
        sheet.add(
            f"win when {' and '.join(self.wins)} say "
            + quoted(
                self.random.choice(
                    ("Done, and nobody will ever notice.", "That is that.", "The errand is done.")
                )
            )
        )
        sheet.mistakes = sum(line.startswith("lose ") for line in sheet.lines)
        return sheet.script(self.room.name, self.room.name)

    def kinds_there(self) -> list[str]:
        return sorted({kind for kind, _, _ in self.items})

    def warnings(self) -> str:
        """What the place says about the mistakes that end the game."""
        said = []
        if self.mistakes >= 1:
            said.append("nothing of metal goes into the microwave" if self._of("microwave") else "")
        if self.mistakes >= 2:
            said.append(
                "nothing with a battery goes under the tap" if self._of("sinkbasin") else ""
            )
        said = [text for text in said if text]
        return f"House rule: {listed(said)}." if said else ""

    def deadly(self) -> tuple[list[str], list[str]]:
        """Kinds that may not be heated, kinds that may not be washed."""
        there = self.kinds_there()
        return ([k for k in there if k in METAL], [k for k in there if k in WIRED])
