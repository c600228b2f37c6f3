"""What to do where no plan goes on: look, open, ask, and go where one has not been.

In: a belief and what is imagined. Out: an action and why. Only things whose names have been
shown are taken up. What an action would tell is judged by the hypotheses alone: one whose
words differ between them is worth doing, whatever the answer will be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from worldengine.explorer.believing.belief import Belief, words_of
from worldengine.explorer.knowing.insight import Insight, insight_of
from worldengine.explorer.ways import Action
from worldengine.machine.schema import LOST, State

Harmless = Callable[[list[Action]], list[Action]]
"""Of some actions those that do not stand in the way of what is planned."""
FAR_AWAY = 8
"""Places that are walked through at most to get to a new one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`why`: ask (it would tell something), new (a place not seen yet), way (on the way to
    one), try (not done yet), again."""

    action: Action
    why: str


def nameable(belief: Belief, action: Action) -> bool:
    """Whether everything that an action is about has been shown."""
    machine = belief.machine
    operator = machine.operators[action[0]]
    for parameter, value in zip(
        machine.schemas[operator.schema].parameters, operator.arguments, strict=True
    ):
        if parameter.type != "object" or machine.objects[value].role == "concept":
            continue
        if belief.names.name(machine, value) is None:
            return False
    return True


def missing(belief: Belief, action: Action) -> tuple[int, ...]:
    """What an action is about that has not been shown."""
    machine = belief.machine
    operator = machine.operators[action[0]]
    return tuple(
        value
        for parameter, value in zip(
            machine.schemas[operator.schema].parameters, operator.arguments, strict=True
        )
        if parameter.type == "object"
        and machine.objects[value].role != "concept"
        and belief.names.name(machine, value) is None
    )


def showing(
    belief: Belief, imagined: State, wanted: tuple[int, ...], harmless: Harmless
) -> Action | None:
    """What would show the names of things that are wanted, as the world is supposed to be;
    what stands in the way of nothing first."""
    insight = insight_of(belief.machine)
    there = [
        action
        for action, _ in possible(insight, belief, imagined)
        if action[0] in insight.quiet and (*action, belief.place()) not in belief.done
    ]
    texts = insight.replayer.told(imagined, there)
    fits = [
        action
        for action, text in zip(there, texts, strict=True)
        if all(belief.names.seen(text).name(belief.machine, each) for each in wanted)
    ]
    return next(iter((*harmless(fits), *fits)), None)


def explore(
    belief: Belief,
    imagined: State,
    hopes: tuple[int, ...],
    mood: int,
    wanted: tuple[int, ...],
    harmless: Harmless,
) -> Choice | None:
    """The next thing to find out, None where nothing can be done at all."""
    insight = insight_of(belief.machine)
    there = possible(insight, belief, imagined)
    here = belief.place()
    fresh = [each for each in there if (*each[0], here) not in belief.done]
    place = belief.machine.objects[belief.machine.player].location
    quiet = harmless([each[0] for each in fresh if each[0][0] in insight.quiet])
    told = telling(belief, imagined, quiet, hopes)
    if told is not None and told[1] and not wanted:
        return Choice(told[0], "ask")
    if wanted:
        names = naming(belief, imagined, wanted)
        if names is not None:
            return Choice(names, "ask")
    for action, state in _ordered(there, mood):
        if state[place] not in belief.places:
            return Choice(action, "new")
    if told is not None:
        return Choice(told[0], "ask")
    way = _way(insight, belief, imagined, mood)
    if way is not None:
        return Choice(way, "way")
    useful = [each[0] for each in fresh]
    for steps in insight.ways:
        for step in steps:
            if step in useful:
                return Choice(step, "try")
    if quiet:
        return Choice(min(quiet, key=lambda each: (_words(belief, each), each)), "try")
    if fresh:
        return Choice(_ordered(fresh, mood)[0][0], "try")
    return Choice(_ordered(there, mood)[0][0], "again") if there else None


def naming(belief: Belief, imagined: State, wanted: tuple[int, ...]) -> Action | None:
    """What may show names here: something to open, words of a name that is wanted, any name.
    None where all that is at hand was read."""
    insight = insight_of(belief.machine)
    there = possible(insight, belief, imagined)
    here = belief.place()
    quiet = [
        (action, state)
        for action, state in there
        if action[0] in insight.quiet and (*action, here) not in belief.done
    ]
    lids = insight.lids
    opened = [action for action, state in quiet if any(state[lid] > imagined[lid] for lid in lids)]
    if opened:
        return min(opened)
    actions = [action for action, _ in quiet]
    texts = insight.replayer.told(imagined, actions)
    for action, text in zip(actions, texts, strict=True):
        if belief.lacking(wanted) & words_of(text):
            return action
    for action, text in zip(actions, texts, strict=True):
        if belief.names.seen(text) is not belief.names:
            return action
    return None


def ask_first(
    belief: Belief, imagined: State, hopes: tuple[int, ...], harmless: Harmless
) -> Action | None:
    """What would tell, here and now, of something that a plan counts on."""
    location = "location"
    unsure = tuple(
        h for h in hopes
        if belief.machine.variables[h].role != location and len(belief.candidates(h)) > 1
    )  # fmt: skip
    if not unsure:
        return None
    insight = insight_of(belief.machine)
    here = belief.place()
    there = [
        action
        for action, _ in possible(insight, belief, imagined)
        if (*action, here) not in belief.done and action[0] in insight.quiet
    ]
    told = telling(belief, imagined, harmless(there), unsure, True)
    return told[0] if told is not None else None


def _words(belief: Belief, action: Action) -> int:
    return len(belief.machine.operators[action[0]].arguments)


def _ordered(found: list[tuple[Action, State]], mood: int) -> list[tuple[Action, State]]:
    return sorted(found, key=lambda each: ((each[0][0] + 1) * 7919 + mood * 104729) % 1013)


def possible(insight: Insight, belief: Belief, state: State) -> list[tuple[Action, State]]:
    """What would be accepted in an imagined state and does not lose, with what follows."""
    operators, numbers = insight.actions
    columns, states = insight.replayer.possible(state, operators, numbers)
    found: list[tuple[Action, State]] = []
    for column, following in zip(columns.tolist(), states.tolist(), strict=True):
        action = int(operators[column]), int(numbers[column])
        if following[belief.machine.status] == LOST or not nameable(belief, action):
            continue
        banned = (action[0], -1)
        if action in belief.refused or banned in belief.refused or action in belief.tired:
            continue
        found.append((action, tuple(following)))
    return found


def telling(
    belief: Belief,
    imagined: State,
    actions: list[Action],
    hopes: tuple[int, ...],
    strictly: bool = False,
) -> tuple[Action, bool] | None:
    """The action that would tell most, and whether it tells of a hope; None if none tells."""
    insight = insight_of(belief.machine)
    # What might be is told from what is imagined, not from what is: nothing true is looked at.
    pairs = [
        (variable, value)
        for variable, known in enumerate(belief.known.tolist())
        if not known and (variable in hopes or not strictly)
        for value in belief.candidates(variable)
        if value != imagined[variable]
    ]
    if not actions or not pairs:
        return None
    # By the rules that are known: a refusal that nobody foresees tells nothing beforehand.
    table = insight.replayer.rows(imagined, len(pairs) + 1)
    table[np.arange(len(pairs)), [v for v, _ in pairs]] = [w for _, w in pairs]
    of_hope = np.array([variable in hopes for variable, _ in pairs], np.bool_)
    best: tuple[int, int, Action] | None = None
    for action, apart in zip(actions, insight.replayer.apart(table, actions), strict=True):
        score = int((apart & of_hope).sum()), int(apart.sum()), action
        if score[1] and (best is None or score[:2] > best[:2]):
            best = score
    return None if best is None else (best[2], best[0] > 0)


def _way(insight: Insight, belief: Belief, imagined: State, mood: int) -> Action | None:
    """The first step of the shortest walk to a place not seen yet."""
    place = belief.machine.objects[belief.machine.player].location
    if place < 0:
        return None
    met = {imagined[place]}
    waiting: list[tuple[State, Action | None, int]] = [(imagined, None, 0)]
    while waiting:
        state, begun, depth = waiting.pop(0)
        for action, following in _ordered(possible(insight, belief, state), mood):
            if following[place] in met:
                continue
            met.add(following[place])
            if following[place] not in belief.places:
                return begun or action
            if depth < FAR_AWAY:
                waiting.append((following, begun or action, depth + 1))
    return None
