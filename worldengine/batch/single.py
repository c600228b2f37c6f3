"""One player, as fast as one can go: text in, text out, without an array in sight.

What `BatchEnv` does for many slots with the same kernel, for one: no autoreset, no branches.
A turn is one look-up, one call of the kernel and one more look-up. Refused: a step of an
episode that is over (ValueError).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from worldengine.batch.commands import UNSURE, Commands
from worldengine.batch.engine import Engine
from worldengine.batch.layout import FULL, LEFT_DOMAIN, SCOPE_FAILED, UNSETTLED
from worldengine.batch.masks import mask_rows
from worldengine.batch.rendering import renderer
from worldengine.batch.starts import drawn
from worldengine.batch.tables import tables_of
from worldengine.batch.turns import step_rows
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import LOST, RUNNING, WON, Machine
from worldengine.matching import Understood


class Played(NamedTuple):
    """One turn of one player."""

    text: str
    outcome: int
    progress: float
    won: bool
    lost: bool
    truncated: bool


class Single:
    """See the module."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.tables = tables_of([machine])
        self.engine = Engine(self.tables)
        self.turn = 0
        self.over = True
        self._commands = Commands(self.tables)
        self._render = renderer(self.tables)
        self._state = np.zeros((1, self.tables.width), self.tables.state_type)
        self._world = self._order = np.zeros(1, np.int32)
        self._operator, self._number = np.zeros(1, np.int32), np.zeros(1, np.int32)
        self._outcome, self._failed = np.zeros(1, np.int8), np.zeros(1, np.int32)
        self._text, self._progress = np.zeros(1, np.int64), np.zeros(1, np.float64)
        self._mask = np.zeros((1, self.tables.operators), np.uint8)
        room, tables = self.engine.room(), self.tables
        self._tables = (tables.head, tables.code, tables.wide, tables.bits)
        self._room = (room.slots, room.fresh, room.marks, room.stack)

    @property
    def state(self) -> tuple[int, ...]:
        """The state as the reference has it."""
        return tuple(self._state[0].tolist())

    def reset(self, seed: int = 0, variant: int | None = None) -> str:
        """Begin an episode, at a variant or at one drawn from the seed as `BatchEnv` does.
        Gives back the opening text."""
        chosen = drawn(seed, 0, len(self.machine.variants)) if variant is None else variant
        self._state[0] = self.machine.start(chosen)
        self.turn, self.over = 0, False
        ids = self.engine.openings(self._world, self._state, np.ones(1, np.bool_))
        return self.engine.texts.text(int(ids[0]), self._render)

    def step(self, command: str) -> Played:
        """One typed command."""
        if self.over:
            raise ValueError("the episode is over; reset it before a step")
        operator, number = self._commands.one(command)
        refused = None
        if operator == UNSURE:
            operator, number, refused = self._answer(command)
        self._operator[0], self._number[0] = operator, number
        self._run()
        if self._failed[0] <= SCOPE_FAILED:
            refused = self._answer(command)[2]
        self.turn += 1
        status = self._state.item(self.machine.status)
        truncated = status == RUNNING and self.turn >= self.machine.turns
        self.over = status != RUNNING or truncated
        outcome, text = refused or (self._outcome.item(), "")
        if not refused:
            text = self.engine.texts.text(self._text.item(), self._render)
        return Played(
            text, outcome, self._progress.item(), status == WON, status == LOST, truncated
        )

    def applicable(self) -> list[str]:
        """Commands that would be accepted, each operator's by its first number."""
        room = self.engine.room()
        mask_rows(
            *self._tables, *self._room, room.said, room.dead, self._world, self._state, True,
            self._mask, 0, 1,
        )  # fmt: skip
        return [self._commands.canonical(operator) for operator in self._mask[0].nonzero()[0]]

    def _run(self) -> None:
        room = self.engine.room()
        while step_rows(
            *self._tables, *self._room, room.said, room.met, room.news, self._order, self._world,
            self._state, self._operator, self._number, self._outcome, self._failed, self._text,
            self._progress, 0, 1,
        ) == 0:  # fmt: skip
            self.engine.make_room(room, self._outcome.item())
        outcome = self._outcome.item()
        assert outcome not in (FULL, UNSETTLED)
        if outcome == LEFT_DOMAIN:
            raise MachineError(f"{self.machine.name} stores a value outside its domains")
        if room.news[0]:
            self.engine.texts.collect(room.news)

    def _answer(self, command: str) -> tuple[int, int, tuple[int, str] | None]:
        """What a command means now: an action, or (-1, 0) and the refusal."""

        def in_scope(word: str, item: int) -> bool:
            if word in ("", "anywhere"):
                return True
            slot, constant = self._commands.scope(0, word, item)
            if slot < 0:
                return constant != 0
            return self.engine.value(0, self._state, 0, slot) != 0

        answer = self._commands.answer(0, command, in_scope)
        if isinstance(answer, Understood):
            return answer.operator, answer.number, None
        return -1, 0, (answer.refusal, answer.words)
