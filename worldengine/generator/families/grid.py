"""Grid instructions, in the style of BabyAI: rooms of cells, an agent that turns and walks, doors
and keys of a colour, and a mission in one sentence.

The agent sees its own room: where each thing lies, in steps ahead, behind, left and right. It
carries one thing. A locked door opens to the key of its colour. The missions chain: go to, pick
up, open, put next to, then.
"""

from __future__ import annotations

from random import Random

from worldengine.generator.families.frame import Sheet, dial, fitting, task_of
from worldengine.generator.families.grid_board import Board, Piece
from worldengine.generator.families.grid_script import grid_lines
from worldengine.generator.script import Script
from worldengine.generator.settings import Settings

TASKS = ("go-to", "pick-up", "open", "put-next", "unlock", "sequence")
COLOURS = ("red", "green", "blue", "purple", "yellow", "grey")
SHAPES = ("ball", "box", "key")
PERSONAS = (
    "A small robot that follows instructions",
    "A trainee driver of a warehouse cart",
    "A courier in an office where all rooms look alike",
    "A toy that was told to tidy up",
    "A surveyor's apprentice with a wheel and no map",
)
INTROS = (
    "You stand on a floor of square tiles. What you see is told in steps from where you stand.",
    "Square tiles from wall to wall. Everything is counted in steps from your own feet.",
    "The tiles are as long as a step. You are told how many steps away each thing lies.",
    "Here nothing has a place but in steps: ahead, behind, to the left, to the right.",
)


def grid(random: Random, settings: Settings) -> Script:
    """One mission, or several in a row where the plan asks for it."""
    strict = dial(random, settings.mistakes, 1, "mistakes", "grid")
    extra = dial(random, settings.distractors, 6, "distractors", "grid")
    target = random.randint(*settings.plan)
    task = task_of(random, settings, TASKS)
    least = 2 if task in ("open", "unlock") else 1
    if settings.task is None and settings.places is not None:
        least = 1
    rooms = dial(random, settings.places, 3, "places", "grid", least)

    def make(attempt: int) -> Script | None:
        here = rooms if settings.places is not None else random.randint(min(least, rooms), 3)
        mission = _Mission(random, here, bool(strict))
        chosen = task if attempt < 60 or settings.task else random.choice(TASKS)
        goal = target if attempt < 100 else settings.plan[0]
        if not mission.part(chosen):
            return None
        for _ in range(8):
            if len(mission.sheet.plan) < goal - 5:
                mission.part(chosen if settings.task else random.choice(TASKS))
        if not mission.scatter(extra):
            return None
        return mission.script()

    return fitting(settings, "grid", make)


class _Mission:
    """Sub-missions in order; each is latched when its turn has come and it is met."""

    def __init__(self, random: Random, rooms: int, strict: bool) -> None:
        self.random = random
        self.strict = strict
        self.board = Board(random, rooms)
        self.parts: list[tuple[str, str]] = []
        self.sheet = Sheet(
            random.choice(
                (
                    "Grid run",
                    "Turn and go",
                    "Instructions",
                    "One step at a time",
                    "Left, right, forward",
                    "A floor of tiles",
                    "Doors and colours",
                    "To the letter",
                )
            ),
            random.choice(PERSONAS),
            random.choice(INTROS),
            "The battery is empty.",
        )
        self.sheet.places = rooms
        self.used: set[str] = set()

    def part(self, task: str) -> bool:
        """Adds a sub-mission if the board has room for it, and walks it."""
        before = (self.board.copy(), list(self.sheet.plan), list(self.parts), set(self.used))
        done = getattr(self, "_" + task.replace("-", "_"))()
        if done:
            self.sheet.mechanics.add(task)
        else:
            self.board, self.sheet.plan, self.parts, self.used = before
        return bool(done)

    # --- sub-missions: the words, the condition, the walk --------------------------------

    def _go_to(self) -> bool:
        piece = self._piece()
        if piece is None or not self._walk(self.board.face(piece)):
            return False
        self.parts.append((f"go to the {piece.name}", f"player.facing_id == {piece.number}"))
        return True

    def _pick_up(self) -> bool:
        piece = self._piece()
        if piece is None or not self._fetch(piece):
            return False
        self.parts.append((f"pick up the {piece.name}", f"held({piece.id})"))
        return True

    def _open(self) -> bool:
        doors = [door for door in self.board.doors if not door.open and not door.locked]
        if not doors:
            return False
        door = self.random.choice(doors)
        if door.name in self.used or not self._walk(self.board.face(door)):
            return False
        if door.open:
            return False
        self.used.add(door.name)
        self.sheet.plan.append("toggle")
        door.open = True
        self.parts.append((f"open the {door.name}", f"{door.id}.open"))
        return True

    def _unlock(self) -> bool:
        fresh = [
            d for d in self.board.doors if not d.open and not d.locked and d.name not in self.used
        ]
        if not fresh:
            return False
        door = self.random.choice(fresh)
        key = self._piece(shape="key", colour=door.name.split()[0], before=door)
        if key is None:
            return False
        door.locked = door.was_locked = True
        self.used.add(door.name)
        if not self._fetch(key) or not self._walk(self.board.face(door)):
            return False
        self.sheet.plan.append("toggle")
        door.open, door.locked = True, False
        self.parts.append((f"open the locked {door.name}", f"{door.id}.open"))
        return True

    def _put_next(self) -> bool:
        piece, other = self._piece(), self._piece()
        if piece is None or other is None or not self._fetch(piece):
            return False
        spot = self.board.beside(other)
        if spot is None or not self._walk(self.board.face_cell(spot)):
            return False
        self.sheet.plan.append("drop")
        self.board.drop(spot)
        near = f"{piece.id}.in != player and {piece.id}.x == {other.id}.x and ({piece.id}.y - {other.id}.y == 1 or {other.id}.y - {piece.id}.y == 1)"
        side = f"{piece.id}.in != player and {piece.id}.y == {other.id}.y and ({piece.id}.x - {other.id}.x == 1 or {other.id}.x - {piece.id}.x == 1)"
        self.parts.append((f"put the {piece.name} next to the {other.name}", f"({near} or {side})"))
        return True

    def _sequence(self) -> bool:
        first, second = self.random.sample(["go-to", "pick-up", "put-next"], 2)
        return self.part(first) and self.part(second)

    # --- walking --------------------------------------------------------------------------

    def _piece(
        self, shape: str = "", colour: str = "", before: Piece | None = None
    ) -> Piece | None:
        """A new thing on the floor, of a name not used yet, where one can get to."""
        names = [
            f"{c} {s}"
            for c in COLOURS
            for s in SHAPES
            if (not shape or s == shape) and (not colour or c == colour)
        ]
        free = [name for name in names if name not in self.used]
        if not free:
            return None
        name = self.random.choice(free)
        room = before.room if before is not None else None
        piece = self.board.place(name, room)
        if piece is not None:
            self.used.add(name)
        return piece

    def _walk(self, commands: list[str] | None) -> bool:
        if commands is None:
            return False
        self.sheet.plan.extend(commands)
        return True

    def _fetch(self, piece: Piece) -> bool:
        if self.board.carried is not None:
            spot = self.board.put_down()
            if spot is None:
                return False
            self.sheet.plan.extend(spot)
        if not self._walk(self.board.face(piece)):
            return False
        self.sheet.plan.append("pick up")
        self.board.lift(piece)
        return True

    # --- the script -----------------------------------------------------------------------

    def scatter(self, extra: int) -> bool:
        """More things, never where the known walk goes."""
        for _ in range(extra):
            names = [f"{c} {s}" for c in COLOURS for s in SHAPES if f"{c} {s}" not in self.used]
            if not names or self.board.place(self.random.choice(names), None, aside=True) is None:
                return False
            self.used.add(self.board.pieces[-1].name)
            self.sheet.distractors += 1
        return True

    def script(self) -> Script:
        words = [words for words, _ in self.parts]
        self.sheet.goals.append(", then ".join(words)[:1].upper() + ", then ".join(words)[1:] + ".")
        conditions = [condition for _, condition in self.parts]
        self.sheet.add(*grid_lines(self.board, conditions, self.strict))
        if self.strict:
            self.sheet.mistakes = 1
            self.sheet.mechanics.add("bumps lose")
            self.sheet.goals.append("Bump into things or walls three times, and it is over.")
            self.sheet.add('lose when player.bumps == 3 say "The third bump breaks a wheel."')
        return self.sheet.script("grid", "grid")
