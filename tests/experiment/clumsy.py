"""A player for tests: every second episode it follows a plan that wins, with a slip or two;
in the others it dawdles until its turns are over."""

from __future__ import annotations

from worldengine.players.expert import PLAN
from worldengine.players.protocol import Settings, Start
from worldengine.players.reply import Reply, write
from worldengine.players.view import View


class Clumsy:
    name, guidance = "clumsy", PLAN

    def __init__(self) -> None:
        self.settings: Settings = {}

    def begin(self, start: Start) -> None:
        assert isinstance(start.guide, tuple)
        self._plan = list(start.guide)
        self._dawdles = start.random.random() < 0.5
        self._said = 0

    def act(self, view: View) -> Reply:
        turn = len(view.turns)
        if turn in (1, 3):
            return write("I may get it wrong.", "dance")
        if self._dawdles:
            back = {"north": "south", "east": "west", "up": "down", "northeast": "southwest"}
            back |= {other: one for one, other in back.items()}
            way = self._plan[0].removeprefix("go ")
            self._said += 1
            return write("To and fro.", f"go {way if self._said % 2 else back[way]}")
        self._said += 1
        return write("On with it.", self._plan[self._said - 1])
