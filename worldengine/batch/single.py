"""One player, as fast as one can go: text in, text out, and what could be typed next.

The same kernel as the batch's, asked for one state at a time (`alone`), and in front of it a
memory: places (states that were met) and what every command did there. A turn that was met
costs one look-up. The memory is bounded: when it is full all is forgotten; with `memory=0`
nothing is kept, and every turn is worked out anew with the same result. What is said and the lists
of commands are kept in any case: by their ids, and by what the kernel says is offered together with
the slots on which the wording of commands hangs.

No autoreset, no branches; a copy (`copy.deepcopy`, `pickle`) plays on from where the player was,
and remembers nothing. Refused: a step of an episode that is over, a variant that there is not, a
seed that is no integer of 64 bits (ValueError).
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from worldengine.batch.episodes import seeds_of
from worldengine.batch.offering import Lists
from worldengine.batch.ready import ONE, batch_ready
from worldengine.batch.slots.alone import (
    ASKED,
    FAILED,
    HELD,
    LATCHED,
    OFFER,
    OFFERS,
    OPENING,
    TEXT,
    TURN,
    VALUE,
    Room,
    alone,
    room,
)
from worldengine.batch.slots.starts import drawn
from worldengine.batch.tables.deciding import Decisions, Holds
from worldengine.batch.tables.layout import (
    ACCEPTED_TEXT,
    FULL,
    LEFT_DOMAIN,
    OPENING_TEXT,
    REFUSED_TEXT,
    SCOPE_FAILED,
    UNSETTLED,
)
from worldengine.batch.tables.tables import tables_of
from worldengine.batch.texts.commands import UNSURE, Commands
from worldengine.batch.texts.rendering import renderer
from worldengine.batch.texts.texts import emissions
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import ACCEPTED, LOST, RUNNING, WON, Machine, State
from worldengine.matching import Misunderstood, Understood

MEMORY = 65_536
"""Turns remembered before all are forgotten."""
MEMORABLE = 200
"""Characters of a command from which on it is not remembered."""
TEXTS = 65_536
"""Texts remembered before all are forgotten."""


class Played(NamedTuple):
    """One turn of one player."""

    text: str
    outcome: int
    progress: float
    won: bool
    lost: bool
    truncated: bool


class _Place:
    """A state that was met: what commands did there and where they led, what it offers."""

    __slots__ = ("offers", "progress", "state", "status", "turns")

    def __init__(self, state: bytes, status: int, progress: float) -> None:
        self.state, self.status, self.progress = state, status, progress
        self.turns: dict[str, tuple[Played, _Place]] = {}
        self.offers: tuple[str, ...] | None = None


class Single:
    """See the module. `worked_out` counts the turns that the memory did not have."""

    def __init__(self, machine: Machine, memory: int = MEMORY) -> None:
        self.machine = machine
        self.tables = tables_of([machine])
        batch_ready(self.tables, ONE)
        self.turn, self.variant, self.worked_out = 0, 0, 0
        self.over = True
        self._memory, self._kept = memory, 0
        self._places: dict[bytes, _Place] = {}
        self._commands = Commands(self.tables)
        self._answers = Decisions(partial(self._commands.meaning, 0))
        self._render = renderer(self.tables)
        self._texts: dict[int, str] = {}
        self._make_room(self.tables.saying)
        self._lists, self._laid = Lists(machine, self._commands), 0
        self._offered = np.zeros(OFFER * (len(machine.operators) + 64), np.int32)
        self._place = self._place_now()

    @property
    def state(self) -> tuple[int, ...]:
        """The state as the reference has it."""
        return tuple(np.frombuffer(self._place.state, self.tables.state_type).tolist())

    def reset(self, seed: int = 0, variant: int | None = None) -> str:
        """Begin an episode, at a variant or at one drawn from the seed as `BatchEnv` does.
        Gives back the opening text."""
        count = len(self.machine.variants)
        if variant is not None and variant not in range(count):
            raise ValueError(f"{self.machine.name} has variants 0..{count - 1}, not {variant!r}")
        (first,) = seeds_of(seed, 1).tolist()
        self.variant = drawn(first, 0, count) if variant is None else int(variant)
        self._room.state[0] = self.machine.start(self.variant)
        self._work_out(OPENING)
        self._place = self._place_now()
        self.turn, self.over = 0, False
        return self._text(OPENING_TEXT)

    def step(self, command: str) -> Played:
        """One typed command."""
        if self.over:
            raise ValueError("the episode is over; reset it before a step")
        known = self._place.turns.get(command)
        if known is None:
            known = self._play(self._place, command)
        played, place = known
        self._place = place
        self.turn += 1
        if place.status != RUNNING:
            self.over = True
        elif self.turn >= self.machine.turns:
            self.over = True
            return played._replace(truncated=True)
        return played

    def applicable(self) -> tuple[str, ...]:
        """The commands that would be accepted, as `Runtime.applicable_texts` prints them:
        numbers stand as ranges, `dial 1..9`."""
        place = self._place
        if place.offers is None:
            place.offers = self._offers_of(place)
        return place.offers

    def __reduce__(self) -> tuple[Any, ...]:
        now = self.state, self.turn, self.variant, self.over
        return _again, (self.machine, self._memory, *now)

    # -- what was not met ----------------------------------------------------------------

    def _play(self, place: _Place, command: str) -> tuple[Played, _Place]:
        """What a command does in a place, worked out and kept."""
        self.worked_out += 1
        self._bytes[:] = place.state
        operator, number = self._commands.one(command)
        said, after = None, place
        if operator == UNSURE:
            answer = self._answer(command)
            if isinstance(answer, Misunderstood):
                said = answer.refusal, answer.words
            else:
                operator, number = answer
        if said is None:
            outcome, failed = self._work_out(TURN, operator, number)
            if failed <= SCOPE_FAILED:
                answer = self._answer(command)
                assert isinstance(answer, Misunderstood)
                said = answer.refusal, answer.words
            else:
                after = self._place_now() if outcome == ACCEPTED else place
                kind = ACCEPTED_TEXT if outcome == ACCEPTED else REFUSED_TEXT
                said = outcome, self._text(kind)
        outcome, text = said
        status = after.status
        played = Played(text, outcome, after.progress, status == WON, status == LOST, False)
        if len(command) <= MEMORABLE and self._memory > 0:
            self._kept += 1
            if self._kept > self._memory:
                self._forget(after)
            place.turns[command] = played, after
        return played, after

    def _place_now(self) -> _Place:
        """The place of the state that was worked out last."""
        state = bytes(self._bytes)
        place = self._places.get(state)
        if place is None:
            status = self._room.state.item(self.machine.status)
            latched = self._room.words.item(LATCHED)
            progress = 1.0 if status == WON else latched / (len(self.machine.milestones) + 1)
            place = _Place(state, status, progress)
            if self._memory > 0:
                self._places[state] = place
        return place

    def _forget(self, place: _Place) -> None:
        """Begin a new memory in a place."""
        for old in self._places.values():
            old.turns.clear()  # places know one another in circles
        self._places = {place.state: place}
        self._kept = 1

    def _text(self, kind: int) -> str:
        """What was said in the turn that was worked out last."""
        room = self._room
        value = room.words.item(TEXT)
        text = self._texts.get(value)
        if text is None:
            said = emissions(room.said[1 : room.said[0]].tolist())
            if len(self._texts) >= TEXTS:
                self._texts.clear()
            text = self._texts[value] = self._render(0, kind, said)
        return text

    def _offers_of(self, place: _Place) -> tuple[str, ...]:
        """What a place offers, worked out."""
        if place.status != RUNNING:
            return ()
        self._bytes[:] = place.state
        count = OFFER * self._ask(OFFERS, 0, self._laid)
        if count + self._laid > len(self._offered):
            self._offered = np.zeros(2 * count + ASKED, np.int32)
            self._lay_asked()
            self._ask(OFFERS, 0, self._laid)
        held = self._room.words.item(HELD)
        found = self._lists.of(self._offered[:count], held, self._holds())
        if len(self._lists.asked) != self._laid:
            self._lay_asked()
        return found

    def _lay_asked(self) -> None:
        """Have the kernel tell with every offer which of some slots hold."""
        self._laid = len(self._lists.asked)
        self._offered[len(self._offered) - self._laid :] = list(self._lists.asked)

    def _answer(self, command: str) -> Understood | Misunderstood:
        """What a command means in the state at hand."""
        return self._answers.of(command, self._holds())

    def _holds(self) -> Holds:
        """Whether slots hold in the state at hand, each asked for once."""
        known: dict[int, bool] = {}

        def holds(slot: int) -> bool:
            found = known.get(slot)
            if found is None:
                found = known[slot] = self._ask(VALUE, slot) != 0
            return found

        return holds

    # -- the kernel ----------------------------------------------------------------------

    def _ask(self, what: int, operator: int = 0, number: int = 0) -> int:
        """Ask the kernel about the state at hand."""
        code, words, cells, state, _ = self._room
        return alone(code, words, cells, state, what, operator, number, self._offered)

    def _work_out(self, what: int, operator: int = 0, number: int = 0) -> tuple[int, int]:
        """Have the kernel play a turn from the state at hand (or say its opening): the outcome,
        what failed. The state at hand is then the one after it."""
        outcome = self._ask(what, operator, number)
        while outcome == FULL:
            kept = self._room.state.copy()
            self._make_room(2 * len(self._room.said))
            self._room.state[:] = kept
            outcome = self._ask(what, operator, number)
        if outcome == UNSETTLED:
            self._make_room(len(self._room.said))
            raise MachineError("a recursive derived variable never settles")
        if outcome == LEFT_DOMAIN:
            raise MachineError(f"{self.machine.name} stores a value outside its domains")
        return outcome, self._room.words.item(FAILED)

    def _make_room(self, saying: int) -> None:
        self._room: Room = room(self.tables, saying)
        self._bytes = self._room.state.view(np.uint8).data.cast("B")


def _again(
    machine: Machine, memory: int, state: State, turn: int, variant: int, over: bool
) -> Single:
    """A copy of a player."""
    game = Single(machine, memory)
    game.turn, game.variant, game.over = turn, variant, over
    if state != game.state:  # it has begun
        game._room.state[0] = state
        game._work_out(OPENING)  # changes nothing and tells of milestones
        game._place = game._place_now()
    return game
