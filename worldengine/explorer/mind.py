"""The mind of an explorer: a tree of beliefs, each with what to do there, worked out once.

In: a world, a start, a dial, what was done and read. Out: for every moment a `Moment`: the
belief and a `Decision`. Moments are kept by what led there, so that players who have seen
the same share the work; what one decides depends on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from worldengine.explorer.belief import Belief, after, first
from worldengine.explorer.exploring import ask_first, explore, missing, nameable, naming, showing
from worldengine.explorer.insight import insight_of
from worldengine.explorer.planning import Before, Outlook, aimless, outlook
from worldengine.explorer.replaying import Action, Way
from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.runtime import runtime_of

UNSEEN = ("turn", "milestone", "once")
"""Roles of variables by which a path is not judged: what they note may hang on what nobody
has seen."""
FOLLOWED = ("plan", "guess")
"""Why a step of the paths is taken."""
ASKING = 4
"""Turns that may go into asking before doing."""
SPARE = 8
"""Turns that must be left over for it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`why`: plan, guess (a step of the plan about something that nobody has named, by the
    name it has in the known way), or a `Choice`'s word. `start` is one that still fits, whose
    path in the outlook is followed, `at` how many steps of it are done."""

    action: Action
    command: str
    why: str
    outlook: Outlook
    start: int
    at: int

    @property
    def plan(self) -> Way:
        """The path that is followed; () without one."""
        return self.outlook.path(self.start)

    @property
    def expected(self) -> State:
        """The world as it is supposed to be now."""
        return self.outlook.expected(self.start, self.at)


@dataclass
class Moment:
    """One belief; `outlook` and `at` are the paths it came with and how far they have got."""

    belief: Belief
    mood: int
    outlook: Outlook | None
    at: int
    before: Before | None = None
    asked: int = 0
    barren: tuple[object, ...] = ()
    """What was believed when no plan was found last; nothing is tried again until it changes."""
    following: dict[str, Moment] = field(default_factory=dict)
    _decision: Decision | None = None

    def decision(self) -> Decision:
        if self._decision is None:
            self._decision = _decide(self)
        return self._decision

    def then(self, command: str) -> Moment:
        """The moment after a command has been given here and answered."""
        found = self.following.get(command)
        if found is None:
            found = self.following[command] = _follow(self, command)
        return found


def begin(
    machine: Machine, variant: int, mood: int, rules: str = "none", share: float = 0.5
) -> Moment:
    """The moment before the first turn. `rules` is none, some (a `share` of them, chosen by
    the mood) or all: which requirements are known without having been refused for them."""
    insight = insight_of(machine)
    opening = runtime_of(machine).opening(machine.start(variant))
    learnt: frozenset[int] = frozenset()
    refused: frozenset[Action] = frozenset()
    if rules == "all":
        learnt = frozenset(insight.rules.flags.values())
        refused = frozenset((operator, -1) for operator in insight.rules.never)
    if rules == "some":
        chosen = [_chosen(index, mood) < share for index in range(len(insight.rules.flags))]
        learnt = frozenset(
            flag for flag, known in zip(insight.rules.flags.values(), chosen, strict=True) if known
        )
        refused = frozenset(
            (operator, -1) for operator in insight.rules.never if _chosen(operator, mood) < share
        )
    return Moment(first(machine, variant, opening, learnt, refused), mood, None, 0)


def _chosen(index: int, mood: int) -> float:
    """A number in 0..1 that belongs to a rule and a mood."""
    return ((index + 1) * 2654435761 + mood * 40503 * 65537) % 4294967296 / 4294967296


def _follow(moment: Moment, command: str) -> Moment:
    belief = moment.belief
    transition = runtime_of(belief.machine).step(belief.state, command)
    decision = moment.decision()
    meant = decision.action if command == decision.command else (-1, 0)
    new = after(belief, transition, meant)
    view, at = decision.outlook, decision.at
    done = transition.operator, transition.number
    if decision.why in FOLLOWED and transition.accepted and done == decision.action:
        at += 1
        if at == len(decision.plan):
            expected = view.expected(decision.start, 0)
            new = replace(new, dashed=new.dashed | {(each, expected[each]) for each in view.hopes})
    asked = moment.asked + (decision.why == "ask")
    if _holds(new, view, at):
        return Moment(new, moment.mood, view, at, None, asked)
    barren = moment.barren if view.paths else _gist(belief)
    return Moment(new, moment.mood, None, 0, _before(new, view, at), asked, barren)


def _before(belief: Belief, view: Outlook, at: int) -> Before | None:
    """What was expected to be now and meant to be done, by the first start that still fits."""
    start = view.lead(tuple(start for start, _ in belief.starts))
    path = view.path(start)
    if start not in view.supposed.starts or at > len(path):
        return None
    return Before(view.expected(start, at), path[at:])


def _gist(belief: Belief) -> tuple[object, ...]:
    """What a plan depends on, apart from where one stands and what the clocks say."""
    machine = belief.machine
    aside = insight_of(machine).counters | {machine.objects[machine.player].location}
    state = tuple(value for index, value in enumerate(belief.state) if index not in aside)
    return belief.learnt, belief.refused, belief.known.tobytes(), belief.dashed, state


def _holds(belief: Belief, view: Outlook, at: int) -> bool:
    """Whether the paths still fit what is believed."""
    fit = [start for start, _ in belief.starts if start in view.paths]
    if not fit:
        return False
    next_steps = {view.path(start)[at : at + 1] for start in fit}
    if len(next_steps) > 1 or () in next_steps:
        return False
    path = view.path(fit[0])
    if any((a in belief.refused or (a[0], -1) in belief.refused) for a in path[at:]):
        return False
    if path[at] in belief.tired:
        return False
    return all(_as_expected(belief, view, view.expected(start, at)) for start in fit)


def _as_expected(belief: Belief, view: Outlook, expected: State) -> bool:
    flags = insight_of(belief.machine).rules.flags.values()
    if any(expected[flag] != (flag in belief.learnt) for flag in flags):
        return False
    known = belief.known
    for variable, value in enumerate(belief.state):
        if belief.machine.variables[variable].role in UNSEEN:
            continue
        if known[variable]:
            if value != expected[variable]:
                return False
        elif variable in view.hopes and expected[variable] not in belief.candidates(variable):
            return False
    return True


def _decide(moment: Moment) -> Decision:
    belief = moment.belief
    view, at = moment.outlook, moment.at
    if view is None:
        found = aimless if moment.barren == _gist(belief) else outlook
        view, at = found(belief, moment.before, moment.mood), 0
    starts = tuple(start for start, _ in belief.starts)
    start = view.lead(starts)
    path = view.path(start)

    def harmless(actions: list[Action]) -> list[Action]:
        fine = view.harmless(starts, at, actions) if at < len(path) else [True] * len(actions)
        return [action for action, good in zip(actions, fine, strict=True) if good]

    imagined = view.expected(start, at)
    if at < len(path) and nameable(belief, path[at]) and path[at] not in belief.tired:
        asked = None
        if moment.asked < ASKING and belief.left > len(path) - at + SPARE:
            asked = ask_first(belief, imagined, view.dangers, harmless)
        if asked is not None:
            return Decision(asked, spoken(belief, asked), "ask", view, start, at)
        return Decision(path[at], spoken(belief, path[at]), "plan", view, start, at)
    wanted = missing(belief, path[at]) if at < len(path) else ()
    if wanted:
        shown = showing(belief, imagined, wanted, harmless)
        if shown is not None:
            return Decision(shown, spoken(belief, shown), "ask", view, start, at)
        if path[at] not in belief.tired:
            if all(map(belief.worded, wanted)):
                return Decision(path[at], spoken(belief, path[at]), "plan", view, start, at)
            if not naming(belief, imagined, wanted):
                return Decision(path[at], spoken(belief, path[at]), "guess", view, start, at)
    choice = explore(belief, imagined, view.hopes, moment.mood, wanted, harmless)
    if choice is None:
        return Decision((-1, 0), "look", "again", view, start, at)
    command = spoken(belief, choice.action)
    return Decision(choice.action, command, choice.why, view, start, at)


def spoken(belief: Belief, action: Action) -> str:
    """The command that means an action, by the names that have been shown."""
    machine = belief.machine
    runtime = runtime_of(machine)
    text = runtime.matcher.canonical(*action)
    operator = machine.operators[action[0]]
    for parameter, value in zip(
        machine.schemas[operator.schema].parameters, operator.arguments, strict=True
    ):
        if parameter.type == "object" and machine.objects[value].role != "concept":
            name = belief.names.name(machine, value)
            if name is not None and name != machine.objects[value].name:
                text = text.replace(machine.objects[value].name, name)
    return text
