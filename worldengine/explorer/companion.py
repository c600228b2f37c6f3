"""The companion of one episode: follows what is read, and says what to do next.

In: a world, a start, a dial, chance. Out: an `Intention` a turn. What is decided comes from
the tree of moments, which all episodes share; chance chooses the mood at the beginning, and
where a mistake is made and which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from worldengine.explorer.hinting import Hint
from worldengine.explorer.mind import DARING, WORLDS, begin
from worldengine.explorer.slips import slips
from worldengine.explorer.standing import Decision
from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.players.chance import weighed
from worldengine.players.intention import Intention
from worldengine.players.view import View
from worldengine.runtime import runtime_of

MOODS = 4
"""Ways to hope and to wander that episodes of one start are spread over."""
MISTAKES: tuple[tuple[str, float], ...] = (("slip", 0.6), ("early", 0.4))
"""Which mistake is tried first, by share. Acting at the wrong place is an early step whose
refusal is about the place."""
AGAIN = 0.05
"""The chance that what was just refused is tried once more, as it was."""
OFTEN = 0.1
"""The chance of a mistake at a turn."""
WHOLE = 3
"""Mistakes of one episode at most."""
MOST_COMMANDS = 16_384
"""Commands of which it is kept whether they could mean anything."""
PAIRS = 2
"""Refusals that are set right of which every play should hold so many."""
NEAR = 0.75
"""The share of wrong words that keep the verb, where there are such words."""


@by_machine(WORLDS)
def meanings_of(machine: Machine) -> Callable[[str], bool]:
    """Tells whether a form of the world could mean a command, whatever its state."""
    readings = runtime_of(machine).matcher.readings
    return lru_cache(maxsize=MOST_COMMANDS)(lambda command: bool(readings(command)))


@dataclass(frozen=True, slots=True)
class Dial:
    """What is taken for known beyond what was observed, and whether mistakes are made."""

    rules: str = "none"
    share: float = 0.5
    mistakes: bool = True
    daring: int = DARING


class Follower:
    """See the module; a `Companion`."""

    def __init__(self, machine: Machine, variant: int, dial: Dial, random: Random) -> None:
        self._random = random
        self._dial = dial
        self._means = meanings_of(machine)
        mood = random.randrange(MOODS)
        self._moment = begin(machine, variant, mood, dial.rules, dial.share, dial.daring)
        self._decision: Decision | None = None
        """What was decided at this moment, if that was asked for."""
        self._turn = 0
        self._made = 0
        self._refined = 0
        """Refusals so far that a later turn may set right, as far as one can tell."""
        self._told = False
        self._surprised = False

    def next(self, view: View) -> Intention:
        """What to do after what has been read."""
        turns = view.turns
        while self._turn < len(turns):
            self._read(turns[self._turn].reply.command)
            self._turn += 1
        decision = self._decision = self._moment.decision()
        hint = self._hint(decision)
        wrong = self._mistake(view, decision, hint)
        if wrong is None:
            return hint.intention(decision.command, decision.why, self._told)
        kind, command = wrong
        self._made += 1
        said = command.partition(" ")[0] == hint.verb
        self._refined += kind == "early" or (kind == "slip" and said)
        return hint.intention(command, kind, self._told)

    def _read(self, command: str) -> None:
        before, decision = self._moment, self._decision
        if decision is None:
            decision = before.decision()
        now = self._moment = before.then(command, decision)
        learnt = before.belief.learnt
        self._told = now.belief.learnt is not learnt and now.belief.learnt != learnt
        self._refined += self._told and command == decision.command
        view = decision.outlook
        self._surprised = bool(view.paths) and now.outlook is not view
        self._decision = None

    def _hint(self, decision: Decision) -> Hint:
        thought, key = self._moment.thought, (id(decision), self._surprised)
        found = thought.hints.get(key)
        if found is None:
            found = thought.hints[key] = Hint(self._moment.belief, decision, self._surprised)
        return found

    # -- mistakes ------------------------------------------------------------------------

    def _mistake(self, view: View, decision: Decision, hint: Hint) -> tuple[str, str] | None:
        """A kind of mistake and its command, or None."""
        if not self._dial.mistakes or self._made >= WHOLE:
            return None
        steps = hint.left
        if view.turns_left <= steps + 2:
            return None
        last = view.turns[-1] if view.turns else None
        if last is not None and last.refused:
            # what was just refused is set right first, but for a few that insist
            return ("repeat", last.reply.command) if self._random.random() < AGAIN else None
        due = OFTEN if self._made else 2 * OFTEN
        if self._refined < PAIRS and decision.why == "plan":
            # the fewer steps are left, the more is owed of the two that every play should have
            due = max(due, (PAIRS - self._refined) / (steps + 1))
        if self._random.random() >= due:
            return None
        kinds = list(MISTAKES)
        while kinds:
            at = weighed(self._random.random, [weight for _, weight in kinds])
            kind, _ = kinds.pop(at)
            command = self._wrong(kind, decision, hint)
            if command:
                return kind, command
        return None

    def _wrong(self, kind: str, decision: Decision, hint: Hint) -> str:
        if kind == "early":
            return hint.early(self._random)
        near = self._random.random() < NEAR
        far, means = "", self._means
        for wrong in slips(decision.command, hint.names, self._random):
            if means(wrong):
                continue
            if not near or wrong.partition(" ")[0] == hint.verb:
                return wrong
            far = far or wrong
        return far
