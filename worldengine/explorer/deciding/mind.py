"""The mind of an explorer: where one stands, and what to do there, worked out once.

In: a world, a start, a dial, what was done and read. Out: for every turn a `Moment`. What is
decided depends on what is believed and on what was planned, and on nothing else: neither on
what led there nor on the start the world is in. So players who believe the same share the
work, and what is kept changes no play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, TypeVar

from worldengine.explorer.believing.belief import Belief, after, first
from worldengine.explorer.believing.hypotheses import Hypotheses
from worldengine.explorer.believing.hypotheses import first as first_hypotheses
from worldengine.explorer.believing.turnsleft import Left, Span
from worldengine.explorer.deciding.hinting import Hint
from worldengine.explorer.deciding.holding import before_of, holds, supposed_wrongly, unforeseen
from worldengine.explorer.deciding.reckoning import reckoned
from worldengine.explorer.deciding.standing import Decision, Stand, decide, gist
from worldengine.explorer.imagining.replaying import Action
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.knowing.meaning import meaning_of
from worldengine.explorer.knowing.numbered import said_numbers
from worldengine.explorer.planning.keeping import kept
from worldengine.explorer.planning.outlooks import Outlook
from worldengine.explorer.planning.winning import Plan, outlook, planned
from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.memo import by_machine
from worldengine.runtime import runtime_of

WORLDS = 4
"""Worlds whose thoughts are kept at a time: plays go through worlds one after the other."""
FOLLOWED = ("plan", "guess")
"""Why a step of the paths is taken."""
DARING = 3
"""Refusals that teach before it keeps to the known ways, where nobody says otherwise."""


Answer = TypeVar("Answer")
Answers: TypeAlias = dict[tuple[object, ...], list[tuple[Span, Answer]]]
"""What was worked out, with the turns left for which it holds."""


class Outcome(NamedTuple):
    """What a decision came to: whether where it led is a surprise, whether what was wanted came
    true, whether a rule was learnt, the starts with a path that are ruled out."""

    surprised: bool
    pleased: bool
    told: bool
    gone: tuple[int, ...]


@dataclass(eq=False, slots=True)
class Thought:
    """What is kept of a stand: what is decided there, by the turns for which it holds, and
    what follows on a command."""

    stand: Stand
    decided: list[tuple[Span, Decision]] = field(default_factory=list)
    following: dict[tuple[Hypotheses, str, int], tuple[Hypotheses, Thought]] = field(
        default_factory=dict
    )
    hints: dict[tuple[int, bool], Hint] = field(default_factory=dict)
    """What may be said of a decision, by whether it comes as a surprise."""
    reckoned: dict[tuple[int, tuple[int, ...]], Decision] = field(default_factory=dict)
    """Decisions with a number that follows, by those without and the numbers that do."""
    outcomes: dict[tuple[int, int, bool], Outcome] = field(default_factory=dict)
    """What a decision made here came to: by where it led, and whether it was accepted."""


class Mind:
    """All thoughts about one world, each once."""

    def __init__(self, machine: Machine) -> None:
        self.means = meaning_of(machine)
        self._beliefs: dict[Belief, Belief] = {}
        self._thoughts: dict[tuple[object, ...], Thought] = {}
        self._outlooks: Answers[Outlook] = {}
        self._plans: Answers[Plan] = {}
        self.begun: dict[tuple[object, ...], Moment] = {}
        self.truths: dict[int, Hypotheses] = {}
        """The moments before the first turn, by start and dial; what may be true then."""

    def thought(self, stand: Stand) -> Thought:
        belief = self._beliefs.setdefault(stand.belief, stand.belief)
        key = (
            id(belief), stand.mood, stand.daring, id(stand.outlook), stand.at, stand.before,
            stand.asked, stand.barren,
        )  # fmt: skip
        found = self._thoughts.get(key)
        if found is None:
            found = self._thoughts[key] = Thought(replace(stand, belief=belief))
        return found

    def outlook(self, stand: Stand, belief: Belief) -> Outlook:
        """The outlook from a stand; `belief` counts the turns that are left."""
        before = stand.before
        mood = (stand.mood, stand.daring) if belief.naive else ()
        key = (
            belief.fit, belief.learnt, belief.refused, belief.dashed, belief.done, belief.names,
            belief.places, belief.taught, before, belief.figures & said_numbers(belief.machine),
        )  # fmt: skip

        def looked(counting: Belief) -> Outlook:
            made = kept(counting, before) if before else None
            if made is None:
                plan = self._held(self._plans, key, counting, lambda each: planned(each, before))
                made = outlook(plan, counting, stand.mood, stand.daring)
            return made

        return self._held(self._outlooks, (*key, belief.tired, mood), belief, looked)

    def _held(
        self, answers: Answers[Answer], key: tuple[object, ...], belief: Belief,
        make: Callable[[Belief], Answer],
    ) -> Answer:  # fmt: skip
        """An answer that was given for as many turns, else a new one."""
        given = answers.setdefault(key, [])
        span = belief.left.span
        for known, answer in given:
            if known.low <= span.turns < known.high:
                span.narrow(known.low, known.high)
                return answer
        own = Span(span.turns)
        made = make(replace(belief, left=Left(own)))
        given.append((own, made))
        span.narrow(own.low, own.high)
        return made


@by_machine(WORLDS)
def mind_of(machine: Machine) -> Mind:
    return Mind(machine)


@dataclass(eq=False, slots=True)
class Moment:
    """One moment of a play: a thought, with what only the world knows and the turns left."""

    mind: Mind
    truth: Hypotheses
    thought: Thought
    left: int

    @property
    def belief(self) -> Belief:
        return self.thought.stand.belief

    @property
    def outlook(self) -> Outlook | None:
        return self.thought.stand.outlook

    @property
    def state(self) -> State:
        """The true state of the world."""
        return self.truth.state

    def decision(self) -> Decision:
        for span, decision in self.thought.decided:
            if span.low <= self.left < span.high:
                return decision
        span = Span(self.left)
        stand = self.thought.stand
        decision = decide(stand, replace(stand.belief, left=Left(span)), self.mind.outlook)
        self.thought.decided.append((span, decision))
        return decision

    def reckoned(self, decision: Decision, numbers: tuple[int, ...]) -> Decision:
        """A decision whose number nothing tells, with one of those that follow from what was
        read, where that would do; else itself."""
        key = id(decision), numbers
        found = self.thought.reckoned.get(key)
        if found is None:
            other = reckoned(self.belief, decision, numbers)
            found = self.thought.reckoned[key] = other or decision
        return found

    def then(self, command: str, decided: Decision | None = None) -> Moment:
        """The moment after a command has been given here and answered. `decided` is what was
        decided here, if the caller has it at hand."""
        decision = decided or self.decision()
        if command != decision.command and not self.mind.means(command):
            command = ""  # whatever it says, nothing happens and nothing is learnt
        key = self.truth, command, id(decision)
        found = self.thought.following.get(key)
        if found is None:
            truth, stand = _follow(self.thought.stand, self.truth, decision, command)
            found = truth, self.mind.thought(stand)
            self.thought.following[key] = found
        return Moment(self.mind, found[0], found[1], self.left - 1)


def begin(
    machine: Machine, variant: int, mood: int, rules: str = "none", share: float = 0.5,
    daring: int = DARING,
) -> Moment:  # fmt: skip
    """The moment before the first turn. `rules` is none, some (a `share` of them, chosen by
    the mood) or all: which requirements are known without having been refused for them. Until
    `daring` refusals have taught something it leaves out steps whose use it does not know."""
    mind = mind_of(machine)
    key = variant, mood, rules, share, daring
    found = mind.begun.get(key)
    if found is None:
        truth = mind.truths.get(variant)
        if truth is None:
            truth = mind.truths[variant] = first_hypotheses(machine, variant)
        opening = runtime_of(machine).opening(machine.start(variant))
        stand = Stand(first(truth, opening, *_given(machine, mood, rules, share)), mood, daring)
        found = mind.begun[key] = Moment(mind, truth, mind.thought(stand), machine.turns)
    return found


def _given(
    machine: Machine, mood: int, rules: str, share: float
) -> tuple[frozenset[int], frozenset[Action]]:
    """The rules that are known from the start, and what is known never to be accepted."""
    known = insight_of(machine).rules
    learnt: frozenset[int] = frozenset()
    refused: frozenset[Action] = frozenset()
    if rules == "all":
        learnt = frozenset(known.flags.values())
        refused = frozenset((operator, -1) for operator in known.never)
    if rules == "some":
        learnt = frozenset(
            flag for index, flag in enumerate(known.flags.values()) if _chosen(index, mood) < share
        )
        refused = frozenset(
            (operator, -1) for operator in known.never if _chosen(operator, mood) < share
        )
    return learnt, refused


def _chosen(index: int, mood: int) -> float:
    """A number in 0..1 that belongs to a rule and a mood."""
    return ((index + 1) * 2654435761 + mood * 40503 * 65537) % 4294967296 / 4294967296


def _follow(
    stand: Stand, truth: Hypotheses, decision: Decision, command: str
) -> tuple[Hypotheses, Stand]:
    belief = stand.belief
    transition = runtime_of(belief.machine).step(truth.state, command)
    meant = decision.action if command == decision.command else (-1, 0)
    new, truth = after(belief, truth, transition, meant)
    view, at = decision.outlook, decision.at
    done = transition.operator, transition.number
    if decision.why in FOLLOWED and transition.accepted and done == decision.action:
        at += 1
        if at == len(decision.plan):
            expected = view.expected(decision.start, 0)
            new = replace(new, dashed=new.dashed | {(each, expected[each]) for each in view.hopes})
    elif decision.why in FOLLOWED and new.learnt == belief.learnt and done == decision.action:
        # refused for a rule that was known: what it asks about is not as it was supposed
        new = replace(new, dashed=new.dashed | supposed_wrongly(new, decision))
    elif decision.why == "ask" and transition.accepted and decision.plan[at : at + 1] == (done,):
        # what the path does next was asked for beforehand: it is not done once more
        at += at + 1 < len(decision.plan) and holds(new, view, at + 1)
    asked = stand.asked + (decision.why == "ask")
    told = len(new.starts) < len(belief.starts) and unforeseen(belief, new, view, at)
    if not told and holds(new, view, at):
        if decision.instead_of and at > decision.at:
            # what another number was to do is done
            place = belief.place()
            new = replace(new, done=new.done | {(*decision.instead_of, place)})
        return truth, Stand(new, stand.mood, stand.daring, view, at, None, asked)
    barren = stand.barren if view.paths else gist(belief)
    before = before_of(new, view, at, told)
    return truth, Stand(new, stand.mood, stand.daring, None, 0, before, asked, barren)
