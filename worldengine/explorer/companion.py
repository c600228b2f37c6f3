"""The companion of one episode: follows what is read, and says what to do next.

In: a world, a start, a dial, chance. Out: an `Intention` a turn. What is decided comes from
the tree of moments, which all episodes share; chance chooses the mood at the beginning, and
where a mistake is made and which.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from worldengine.explorer.deciding.hinting import Hint
from worldengine.explorer.deciding.mind import DARING, Moment, Outcome, begin
from worldengine.explorer.deciding.outcomes import came_true, surprising
from worldengine.explorer.deciding.standing import Decision
from worldengine.explorer.evidence import Clues, ruled_out
from worldengine.explorer.imagining.replaying import Action, Way
from worldengine.explorer.knowing.numbered import numbered
from worldengine.explorer.slips.erring import (
    AGAIN,
    OFTEN,
    PAIRS,
    PATIENCE,
    WHOLE,
    Mistake,
    drawn,
    mistaken,
    tongue_of,
)
from worldengine.machine import Machine
from worldengine.players.shown.figures import differences
from worldengine.players.thoughts.claims import reasoned
from worldengine.players.thoughts.intention import Intention
from worldengine.players.view import Shown, View

MOODS = 4
"""Ways to hope and to wander that episodes of one start are spread over."""


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
        self._tongue = tongue_of(machine)
        self._numbered = numbered(machine)
        mood = random.randrange(MOODS)
        self._moment = begin(machine, variant, mood, dial.rules, dial.share, dial.daring)
        self._decision: Decision | None = None
        """What was decided at this moment, if that was asked for."""
        self._turn = 0
        self._made = 0
        self._refined = 0
        """Refusals so far that a later turn has set right, or the next one will."""
        self._wanted, self._waited = "", 0
        """The kind of mistake that was drawn, and the turns that did not allow it."""
        self._wrong: Mistake | None = None
        """The mistake that was just made."""
        self._pending: list[Action] = []
        """What was refused, and is set right once it is done."""
        self._told = False
        self._surprised = False
        self._ahead: Action | None = None
        """What was to be done next before the last turn was read."""
        self._pleased = False
        """Whether what was wanted of the last turn came true."""
        self._clues = Clues(machine)

    def next(self, view: View) -> Intention:
        """What to do after what has been read."""
        turns = view.turns
        while self._turn < len(turns):
            self._read(turns[self._turn])
            self._turn += 1
        decision = self._moment.decision()
        if decision.why == "guess":
            decision = self._figured(decision, view)
        self._decision = decision
        if decision.action == self._ahead:
            self._surprised = False  # whatever is otherwise, it changes nothing now
        hint = self._hint(decision)
        wrong = self._wrong = self._mistake(view, decision, hint)
        if wrong is None:
            intention = hint.intention(decision.command, decision.why, self._told, self._pleased)
            if self._untold(decision, hint, view):
                return replace(intention, untold=True)
            evidence = self._clues.deciding(decision, self._turn)
            return replace(intention, evidence=evidence) if evidence else intention
        self._made += 1
        return hint.intention(wrong.command, wrong.kind, self._told, self._pleased)

    def _figured(self, decision: Decision, view: View) -> Decision:
        """A guess, with a number that follows from what was read, where its own does not."""
        numbered = decision.action[0] in self._numbered
        if not numbered or reasoned(view, decision.command):
            return decision
        found = tuple(sorted(differences(view)))
        return self._moment.reckoned(decision, found) if found else decision

    def _untold(self, decision: Decision, hint: Hint, view: View) -> bool:
        """Whether a command says what nothing that was read tells."""
        if hint.figured:
            return not reasoned(view, decision.command)
        return decision.why == "guess"

    def _read(self, shown: Shown) -> None:
        before, decision, command = self._moment, self._decision, shown.reply.command
        if decision is None:
            decision = before.decision()
        now = self._moment = before.then(command, decision)
        fine = shown.outcome == "ok"
        known, key = before.thought.outcomes, (id(decision), id(now.thought), fine)
        outcome = known.get(key)
        if outcome is None:
            outcome = known[key] = _outcome(before, decision, now, fine)
        self._surprised, pleased, self._told, gone = outcome
        if gone:
            self._clues.read(before, gone, decision, command, self._turn + 1)
        self._count(decision, command, fine)
        meant = fine and command == decision.command
        plan, at = decision.plan, decision.at + meant
        self._ahead = plan[at] if at < len(plan) else None
        self._pleased = pleased and meant
        self._decision = None

    def _hint(self, decision: Decision) -> Hint:
        thought, key = self._moment.thought, (id(decision), self._surprised)
        found = thought.hints.get(key)
        if found is None:
            found = thought.hints[key] = Hint(self._moment.belief, decision, self._surprised)
        return found

    # -- mistakes ------------------------------------------------------------------------

    def _mistake(self, view: View, decision: Decision, hint: Hint) -> Mistake | None:
        """A mistake to be made now, or None."""
        if not self._dial.mistakes or self._made >= WHOLE or view.turns_left <= hint.left + 2:
            return None
        ahead = hint.ahead
        owed = PAIRS - self._refined
        if self._pending:
            owed -= sum(action in ahead for action in self._pending)
        sure = min(WHOLE - self._made, len(ahead) - 1) <= owed
        last = view.turns[-1] if view.turns else None
        if last is not None and last.outcome != "ok":
            # what was just refused is set right first, but for a few that insist
            insists = self._random.random() < AGAIN and not sure
            return Mistake("repeat", last.reply.command) if insists else None
        due = OFTEN if self._made else 2 * OFTEN
        if owed > 0 and decision.why == "plan":
            # the fewer steps are left, the more is owed of the two that every play should have;
            # the last step is kept for where there was no mistake to be made before it
            due = max(due, owed / max(len(ahead) - 1, 1))
        if not self._wanted:
            if self._random.random() >= due:
                return None
            self._wanted, self._waited = self._drawn(ahead), 0
        pressing = owed > 0 and 2 * owed >= len(ahead) - 1
        waits = self._wanted == "number" and any(map(self._tongue.figured, ahead[1:]))
        return self._of_wanted(hint, sure, pressing, waits)

    def _drawn(self, ahead: Way) -> str:
        """The kind of the next mistake; a number only where one is still to be said."""
        kinds = drawn(self._random)
        if kinds[0] == "number" and not any(map(self._tongue.figured, ahead)):
            return kinds[1]
        return kinds[0]

    def _of_wanted(self, hint: Hint, sure: bool, pressing: bool, waits: bool) -> Mistake | None:
        """A mistake of the kind that was drawn, so that none that is always to be had crowds
        out the others; of another one where it was waited for long, unless it surely comes and
        so `waits`, or where time presses."""
        wrong = mistaken(self._tongue, hint, self._random, self._wanted, sure)
        self._waited += 1
        if wrong is None and (pressing or (self._waited >= PATIENCE and not waits)):
            for kind in drawn(self._random, self._wanted):
                wrong = mistaken(self._tongue, hint, self._random, kind, sure)
                if wrong is not None:
                    break
        if wrong is not None:
            self._wanted = ""
        return wrong

    def _count(self, decision: Decision, command: str, fine: bool) -> None:
        """Keep account of what was refused and of what was set right."""
        wrong, action = self._wrong, decision.action
        if fine:
            if action in self._pending:
                self._refined += self._pending.count(action)
                self._pending = [each for each in self._pending if each != action]
        elif wrong is None:
            if self._told and command == decision.command:
                self._pending.append(action)
        elif wrong.kind in ("early", "away"):
            self._pending.append(wrong.action)
        elif wrong.kind == "slip":
            self._refined += self._tongue.mends(command, action[0])


def _outcome(before: Moment, decision: Decision, now: Moment, fine: bool) -> Outcome:
    """What a decision came to, if it was what was done."""
    view, old, new = decision.outlook, before.belief, now.belief
    anew = bool(view.paths) and now.outlook is not view
    surprised = anew and surprising(decision, new, fine)
    pleased = fine and not surprised and came_true(old, decision, new)
    return Outcome(surprised, pleased, new.learnt != old.learnt, ruled_out(old, new, decision))
