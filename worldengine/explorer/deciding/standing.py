"""What to do where one stands: a step of a plan, something to ask first, something to explore.

In: a `Stand`. Out: a `Decision`. Nothing else goes into it: neither chance nor what the world
is in truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.deciding.exploring import (
    ask_first,
    explore,
    missing,
    nameable,
    naming,
    showing,
)
from worldengine.explorer.deciding.figuring import telling_number, told
from worldengine.explorer.imagining.replaying import Action, Way
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.planning.outlooks import Before, Outlook
from worldengine.explorer.planning.winning import aimless
from worldengine.machine.schema import State
from worldengine.runtime import runtime_of

ASKING = 4
"""Turns that may go into asking before doing."""
SPARE = 8
"""Turns that must be left over for it."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a player stands, but for the turns that are left: one belief; `outlook` and `at`
    are the paths it came with and how far they have got."""

    belief: Belief
    mood: int
    daring: int
    outlook: Outlook | None = None
    at: int = 0
    before: Before | None = None
    asked: int = 0
    barren: tuple[object, ...] = ()
    """What was believed when no plan was found last; nothing is tried again until it changes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`why`: plan, guess (a step of the plan about something that nobody has named, by the
    name it has in the known way, or with a number that nobody has told), or a `Choice`'s
    word. `start` is one that still fits, whose path in the outlook is followed, `at` how many
    steps of it are done."""

    action: Action
    command: str
    why: str
    outlook: Outlook
    start: int
    at: int
    instead_of: Action | None = None
    """The step of the known way whose number nothing tells, where another one follows."""

    @property
    def plan(self) -> Way:
        """The path that is followed; () without one."""
        return self.outlook.path(self.start)

    @property
    def expected(self) -> State:
        """The world as it is supposed to be now."""
        return self.outlook.expected(self.start, self.at)


Planned = Callable[[Stand, Belief], Outlook]


def gist(belief: Belief) -> tuple[object, ...]:
    """What a plan depends on, apart from where one stands and what the clocks say."""
    machine = belief.machine
    aside = insight_of(machine).counters | {machine.objects[machine.player].location}
    state = tuple(value for index, value in enumerate(belief.state) if index not in aside)
    return belief.learnt, belief.refused, belief.known.tobytes(), belief.dashed, state


def decide(stand: Stand, belief: Belief, planned: Planned) -> Decision:
    """What to do; `belief` is the stand's, with the turns that are left. `planned` gives the
    outlook where none is followed."""
    view, at = stand.outlook, stand.at
    if view is None:
        at = 0
        if stand.barren == gist(belief):
            view = aimless(belief, stand.before)
        else:
            view = planned(stand, belief)
    starts = tuple(start for start, _ in belief.starts)
    start = view.lead(starts)
    path = view.path(start)

    def harmless(actions: list[Action]) -> list[Action]:
        fine = view.harmless(starts, at, actions) if at < len(path) else [True] * len(actions)
        return [action for action, good in zip(actions, fine, strict=True) if good]

    imagined = view.expected(start, at)
    if at < len(path) and nameable(belief, path[at]) and path[at] not in belief.tired:
        asked = None
        if stand.asked < ASKING and belief.left > len(path) - at + SPARE:
            asked = ask_first(belief, imagined, view.dangers, harmless)
        if asked is not None:
            return Decision(asked, spoken(belief, asked), "ask", view, start, at)
        if told(belief, path[at]):
            return Decision(path[at], spoken(belief, path[at]), "plan", view, start, at)
        figure = telling_number(belief, imagined, path[at], harmless)
        if figure is not None:
            return Decision(figure, spoken(belief, figure), "ask", view, start, at)
        return Decision(path[at], spoken(belief, path[at]), "guess", view, start, at)
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
    choice = explore(belief, imagined, view.hopes, stand.mood, wanted, harmless)
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
