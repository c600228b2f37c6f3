"""What may be said of a decision, and done wrong instead of it, worked out once.

In: a belief, a decision. Out: hopes, steps that are left, a command that is meant for later,
steps that may be tried too soon, names that may be mixed up, `Intention`s. All of it follows from
the belief and the decision: episodes that come to the same decision share it.
"""

from __future__ import annotations

from random import Random

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.deciding.exploring import nameable
from worldengine.explorer.deciding.outcomes import purpose
from worldengine.explorer.deciding.standing import Decision, spoken
from worldengine.explorer.imagining.replaying import Action
from worldengine.explorer.knowing.insight import insight_of
from worldengine.machine.schema import ACCEPTED, PLACE
from worldengine.players.shown.figures import FIGURES
from worldengine.players.thoughts.intention import Intention

SOON = 5
"""Steps of a plan that may be tried too soon."""


class Hint:
    """See the module. `surprised` is whether the decision follows on a surprise."""

    __slots__ = (
        "_belief", "_decision", "_early", "_hopes", "_intentions", "_later", "_names", "_soon",
        "_steps", "_surprised", "action", "ahead", "command", "figured", "left", "verb",
    )  # fmt: skip

    def __init__(self, belief: Belief, decision: Decision, surprised: bool) -> None:
        self._belief, self._decision, self._surprised = belief, decision, surprised
        self._later = "" if surprised else purpose(belief, decision)
        self._hopes = _hopes(belief, decision)
        self._steps = _counted(belief, decision)
        self._names: tuple[str, ...] | None = None
        self._soon: list[Action] | None = None
        self._early: dict[Action, tuple[str, bool]] = {}
        self._intentions: dict[tuple[str, str, bool, bool], Intention] = {}
        self.ahead = decision.plan[decision.at :]
        """The steps that are left of the plan."""
        self.left = max(len(decision.plan) - decision.at, 3)
        """Steps that are left of the plan, three at least."""
        self.action, self.command = decision.action, decision.command
        self.verb = decision.command.partition(" ")[0]
        self.figured = bool(FIGURES.search(decision.command))
        """Whether the command has figures in it."""

    def intention(self, command: str, why: str, learnt: bool, pleased: bool) -> Intention:
        """What is said to be meant where `command` is given for `why`."""
        key = command, why, learnt, pleased
        found = self._intentions.get(key)
        if found is None:
            found = Intention(
                command=command,
                why=why,
                meant=self._decision.command,
                hopes=self._hopes,
                later=self._later,
                learnt=learnt,
                surprised=self._surprised,
                pleased=pleased,
                steps=self._steps,
            )
            if command == self._decision.command:  # a slip hardly comes twice
                self._intentions[key] = found
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """All names that were read, sorted."""
        if self._names is None:
            self._names = tuple(sorted(name for _, name in self._belief.names.names))
        return self._names

    def early(self, random: Random, away: bool) -> tuple[str, Action]:
        """A later step of the plan that the imagined world refuses now, "" for none: over its
        place if `away`, over something else if not. Nobody goes where there is no way,
        though: the exits stand in what was read."""
        if self._decision.why != "plan":
            return "", (-1, 0)
        if self._soon is None:
            first = self._decision.at + 1
            plan = self._decision.plan[first : first + SOON]
            self._soon = [action for action in plan if nameable(self._belief, action)]
        later = list(self._soon)
        random.shuffle(later)
        for action in later:
            found = self._early.get(action)
            if found is None:
                found = self._early[action] = self._refused(action)
            command, elsewhere = found
            if command and elsewhere == away:
                return command, action
        return "", (-1, 0)

    def _refused(self, action: Action) -> tuple[str, bool]:
        """The command of a step that is refused now, and not for want of a way; else "". And
        whether it is refused over its place."""
        decision, insight = self._decision, insight_of(self._belief.machine)
        if action == decision.action:
            return "", False
        state = insight.replayer.rows(decision.expected, 1)
        outcome = int(insight.replayer.read(state, action)[2][0])
        astray = outcome == PLACE and action[0] in insight.moves
        if outcome == ACCEPTED or astray:
            return "", False
        return spoken(self._belief, action), outcome == PLACE


def _counted(belief: Belief, decision: Decision) -> int:
    """Steps that are left of the plan; 0 without one, or where one cannot count them: it
    leads through places not seen yet, is about what was not, hangs on a hope, or on which
    start it is."""
    view, at = decision.outlook, decision.at
    rest = decision.plan[at:]
    if decision.why != "plan" or not belief.known[list(view.hopes)].all():
        return 0
    if any(len(view.path(start)) != at + len(rest) for start, _ in belief.starts):
        return 0
    place = belief.machine.objects[belief.machine.player].location
    passed = {state[place] for state in view.states[decision.start][at:]}
    seen = place < 0 or passed <= belief.places
    return len(rest) if seen and all(nameable(belief, each) for each in rest) else 0


def _hopes(belief: Belief, decision: Decision) -> tuple[tuple[str, str], ...]:
    """Things and where they are hoped to be, as far as both have names. Paths are followed
    on when what they hung on has been read: that is no hope any more."""
    machine = belief.machine
    hopes: list[tuple[str, str]] = []
    for variable in decision.outlook.hopes:
        if machine.variables[variable].role != "location" or belief.known[variable]:
            continue
        thing = next((i for i, each in enumerate(machine.objects) if each.location == variable), -1)
        holder = decision.expected[variable]
        if thing < 0 or holder < 0:
            continue
        names = belief.names.name(machine, thing), belief.names.name(machine, holder)
        if names[0] and names[1]:
            hopes.append((names[0], names[1]))
    return tuple(hopes)
