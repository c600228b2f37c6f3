"""The companion of one episode: follows what is read, and says what to do next.

In: a world, a start, a dial, chance. Out: an `Intention` a turn. What is decided comes from
the tree of moments, which all episodes share; chance chooses the mood at the beginning, and
where a mistake is made and which.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from worldengine.explorer.exploring import nameable
from worldengine.explorer.insight import insight_of
from worldengine.explorer.mind import DARING, begin
from worldengine.explorer.slips import slips
from worldengine.explorer.standing import Decision, spoken
from worldengine.machine import Machine
from worldengine.machine.schema import ACCEPTED, PLACE
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
AHEAD = 4
PAIRS = 2
"""Refusals that are set right of which every play should hold so many."""
NEAR = 0.75
"""The share of wrong words that keep the verb, where there are such words."""


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
        mood = random.randrange(MOODS)
        self._moment = begin(machine, variant, mood, dial.rules, dial.share, dial.daring)
        self._turn = 0
        self._made = 0
        self._refined = 0
        """Refusals so far that a later turn may set right, as far as one can tell."""
        self._told = False
        self._surprised = False

    def next(self, view: View) -> Intention:
        """What to do after what has been read."""
        while self._turn < len(view.turns):
            self._read(view.turns[self._turn].reply.command)
            self._turn += 1
        decision = self._moment.decision()
        wrong = self._mistake(view, decision)
        if wrong is not None:
            self._made += 1
            said = wrong[1].partition(" ")[0] == decision.command.partition(" ")[0]
            self._refined += wrong[0] == "early" or (wrong[0] == "slip" and said)
            return self._intention(wrong[1], wrong[0], decision)
        return self._intention(decision.command, decision.why, decision)

    def _read(self, command: str) -> None:
        before = self._moment
        self._moment = before.then(command)
        self._told = self._moment.belief.learnt != before.belief.learnt
        self._refined += self._told and command == before.decision().command
        view = before.decision().outlook
        self._surprised = bool(view.paths) and self._moment.outlook is not view

    def _intention(self, command: str, why: str, decision: Decision) -> Intention:
        hints, key = self._moment.thought.hints, (id(decision), self._surprised)
        found = hints.get(key)
        if found is None:
            found = hints[key] = (
                self._later(decision), self._hopes(decision), self._counted(decision),
            )  # fmt: skip
        later, hopes, steps = found
        return Intention(
            command=command,
            why=why,
            meant=decision.command,
            hopes=hopes,
            later=later,
            learnt=self._told,
            surprised=self._surprised,
            steps=steps,
        )

    def _later(self, decision: Decision) -> str:
        """A command that is meant to be given afterwards, "" for none."""
        belief, later = self._moment.belief, ""
        if decision.why == "plan" and not self._surprised:
            for action in decision.plan[decision.at + 1 : decision.at + 1 + AHEAD]:
                if nameable(belief, action):
                    later = spoken(belief, action)
        return later

    def _counted(self, decision: Decision) -> int:
        """Steps that are left of the plan; 0 without one, or where one cannot count them: it
        leads through places not seen yet, is about what was not, hangs on a hope, or on which
        start it is."""
        belief, view, at = self._moment.belief, decision.outlook, decision.at
        rest = decision.plan[at:]
        if decision.why != "plan" or not belief.known[list(view.hopes)].all():
            return 0
        if any(len(view.path(start)) != at + len(rest) for start, _ in belief.starts):
            return 0
        place = belief.machine.objects[belief.machine.player].location
        passed = {state[place] for state in view.states[decision.start][at:]}
        seen = place < 0 or passed <= belief.places
        return len(rest) if seen and all(nameable(belief, each) for each in rest) else 0

    def _hopes(self, decision: Decision) -> tuple[tuple[str, str], ...]:
        """Things and where they are hoped to be, as far as both have names. Paths are followed
        on when what they hung on has been read: that is no hope any more."""
        belief = self._moment.belief
        machine = belief.machine
        hopes: list[tuple[str, str]] = []
        for variable in decision.outlook.hopes:
            if machine.variables[variable].role != "location" or belief.known[variable]:
                continue
            thing = next(
                (i for i, each in enumerate(machine.objects) if each.location == variable), -1
            )
            holder = decision.expected[variable]
            if thing < 0 or holder < 0:
                continue
            names = belief.names.name(machine, thing), belief.names.name(machine, holder)
            if names[0] and names[1]:
                hopes.append((names[0], names[1]))
        return tuple(hopes)

    # -- mistakes ------------------------------------------------------------------------

    def _mistake(self, view: View, decision: Decision) -> tuple[str, str] | None:
        """A kind of mistake and its command, or None."""
        if not self._dial.mistakes or self._made >= WHOLE:
            return None
        steps = max(len(decision.plan) - decision.at, 3)
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
            at = self._random.choices(range(len(kinds)), [weight for _, weight in kinds])[0]
            kind, _ = kinds.pop(at)
            command = self._wrong(kind, decision)
            if command:
                return kind, command
        return None

    def _wrong(self, kind: str, decision: Decision) -> str:
        if kind == "early":
            return self._early(decision)
        belief = self._moment.belief
        machine = belief.machine
        names = tuple(sorted(name for _, name in belief.names.names))
        verb = decision.command.partition(" ")[0]
        near = self._random.random() < NEAR
        far = ""
        matcher = runtime_of(machine).matcher
        for wrong in slips(decision.command, names, self._random):
            if matcher.readings(wrong):
                continue
            if not near or wrong.partition(" ")[0] == verb:
                return wrong
            far = far or wrong
        return far

    def _early(self, decision: Decision) -> str:
        """A later step of the plan that the imagined world refuses now. Nobody goes where
        there is no way, though: the exits stand in what was read."""
        if decision.why != "plan":
            return ""
        belief = self._moment.belief
        insight = insight_of(belief.machine)
        state = insight.replayer.rows(decision.expected, 1)
        later = [a for a in decision.plan[decision.at + 1 : decision.at + 6] if nameable(belief, a)]
        self._random.shuffle(later)
        for action in later:
            outcome = insight.replayer.read(state, action)[2][0]
            astray = outcome == PLACE and action[0] in insight.moves
            if action != decision.action and outcome != ACCEPTED and not astray:
                return spoken(belief, action)
        return ""
