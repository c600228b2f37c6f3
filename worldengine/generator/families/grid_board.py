"""The board of the grid family: cells, walls, doors, things, and how the agent gets about.

Cells are (x, y), y growing southward, from 1. Rooms lie side by side; between two there is a
column of wall with one door in it. Things that will be placed later must not lie in a walk that
is already known: the board remembers every cell that was walked or faced.
"""

from __future__ import annotations

from collections import deque
from copy import deepcopy
from dataclasses import dataclass
from random import Random

HEADINGS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west."""
Cell = tuple[int, int]


@dataclass(eq=False)
class Piece:
    """A thing, or a door (`door`), at a cell; `room` is counted from 1, a door's is the left."""

    id: str
    name: str
    number: int
    cell: Cell
    start: Cell
    room: int
    door: bool = False
    open: bool = False
    locked: bool = False
    was_locked: bool = False
    carried: bool = False


class Board:
    """See the module. `at` and `heading` are the agent's."""

    def __init__(self, random: Random, rooms: int) -> None:
        self.random = random
        self.rooms = rooms
        self.height = random.randint(4, 6)
        self.widths = [random.randint(3, 5) for _ in range(rooms)]
        self.walls: list[int] = []
        x = 0
        for width in self.widths[:-1]:
            x += width + 1
            self.walls.append(x)
        self.width = sum(self.widths) + rooms - 1
        self.pieces: list[Piece] = []
        colours = random.sample(
            ("red", "green", "blue", "purple", "yellow", "grey"), len(self.walls)
        )
        for index, (wall, colour) in enumerate(zip(self.walls, colours, strict=True)):
            cell = (wall, random.randint(1, self.height))
            self._add(
                Piece(f"{colour}_door", f"{colour} door", 0, cell, cell, index + 1, door=True)
            )
        self.at: Cell = random.choice(self._floor(random.randint(1, rooms)))
        self.heading = random.randrange(4)
        self.start = (self.at, self.heading)
        self.trodden: set[Cell] = {self.at}

    def copy(self) -> Board:
        """A board to come back to; the generator of chance is shared."""
        random, self.random = self.random, Random(0)
        twin = deepcopy(self)
        self.random = twin.random = random
        return twin

    @property
    def doors(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.door]

    @property
    def carried(self) -> Piece | None:
        return next((piece for piece in self.pieces if piece.carried), None)

    def _add(self, piece: Piece) -> Piece:
        piece.number = len(self.pieces) + 1
        self.pieces.append(piece)
        return piece

    def _floor(self, room: int) -> list[Cell]:
        """The cells of a room, without its walls."""
        left = sum(self.widths[: room - 1]) + room
        return [
            (x, y)
            for x in range(left, left + self.widths[room - 1])
            for y in range(1, self.height + 1)
        ]

    def room_of(self, cell: Cell) -> int:
        return 1 + sum(cell[0] > wall for wall in self.walls)

    # --- putting things down ----------------------------------------------------------------

    def place(self, name: str, room: int | None, aside: bool = False) -> Piece | None:
        """A thing on a free cell that no known walk uses, not right in front of a door."""
        rooms = range(1, self.rooms + 1) if room is None else range(1, room + 1)
        cells = [
            cell
            for number in rooms
            for cell in self._floor(number)
            if cell not in self.trodden and self.free(cell) and not self._before_door(cell)
        ]
        if not cells:
            return None
        cell = self.random.choice(cells)
        return self._add(Piece(name.replace(" ", "_"), name, 0, cell, cell, self.room_of(cell)))

    def free(self, cell: Cell) -> bool:
        """Floor with nothing on it."""
        return (
            self.on_floor(cell)
            and all(p.cell != cell or p.carried for p in self.pieces)
            and cell != self.at
        )

    def on_floor(self, cell: Cell) -> bool:
        x, y = cell
        return 1 <= x <= self.width and 1 <= y <= self.height and x not in self.walls

    def _before_door(self, cell: Cell) -> bool:
        return any(abs(cell[0] - d.cell[0]) + abs(cell[1] - d.cell[1]) == 1 for d in self.doors)

    def beside(self, piece: Piece) -> Cell | None:
        """A free cell next to a thing."""
        x, y = piece.cell
        cells = [(x + dx, y + dy) for dx, dy in HEADINGS if self.free((x + dx, y + dy))]
        cells = [cell for cell in cells if not self._before_door(cell)]
        return self.random.choice(cells) if cells else None

    # --- walking -----------------------------------------------------------------------------

    def face(self, piece: Piece) -> list[str] | None:
        return self.face_cell(piece.cell)

    def face_cell(self, goal: Cell) -> list[str] | None:
        """The shortest commands after which the agent faces `goal`; it moves there. Doors that
        are shut but not locked are opened on the way, one command more."""
        start = (self.at, self.heading)
        before: dict[tuple[Cell, int], tuple[tuple[Cell, int], tuple[str, ...]] | None] = {
            start: None
        }
        todo = deque([start])
        while todo:
            cell, heading = here = todo.popleft()
            ahead = (cell[0] + HEADINGS[heading][0], cell[1] + HEADINGS[heading][1])
            if ahead == goal:
                return self._take(before, here)
            steps: list[tuple[tuple[Cell, int], tuple[str, ...]]] = [
                ((cell, (heading + 3) % 4), ("turn left",)),
                ((cell, (heading + 1) % 4), ("turn right",)),
            ]
            door = next((d for d in self.doors if d.cell == ahead), None)
            if door is not None and not door.locked:
                steps.append(
                    (
                        (ahead, heading),
                        ("move forward",) if door.open else ("toggle", "move forward"),
                    )
                )
            elif door is None and self.free(ahead):
                steps.append(((ahead, heading), ("move forward",)))
            for after, commands in steps:
                if after not in before:
                    before[after] = (here, commands)
                    todo.append(after)
        return None

    def _take(
        self,
        before: dict[tuple[Cell, int], tuple[tuple[Cell, int], tuple[str, ...]] | None],
        here: tuple[Cell, int],
    ) -> list[str]:
        """Goes there: doors that were opened on the way stand open, cells are remembered."""
        self.at, self.heading = here
        commands: list[str] = []
        while True:
            dx, dy = HEADINGS[here[1]]
            self.trodden |= {here[0], (here[0][0] + dx, here[0][1] + dy)}
            step = before[here]
            if step is None:
                return commands
            if "toggle" in step[1]:
                next(door for door in self.doors if door.cell == here[0]).open = True
            here = step[0]
            commands = [*step[1], *commands]

    def lift(self, piece: Piece) -> None:
        piece.carried = True

    def drop(self, cell: Cell) -> None:
        """What is carried lies on `cell` now."""
        piece = self.carried
        assert piece is not None
        piece.carried, piece.cell, piece.room = False, cell, self.room_of(cell)

    def put_down(self) -> list[str] | None:
        """Commands that lay down what is carried, somewhere out of the way."""
        cells = [
            c
            for c in self._floor(self.room_of(self.at))
            if self.free(c) and not self._before_door(c)
        ]
        if not cells:
            return None
        cell = self.random.choice(cells)
        commands = self.face_cell(cell)
        if commands is None:
            return None
        self.drop(cell)
        return [*commands, "drop"]
