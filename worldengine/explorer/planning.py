"""Planning over a belief: the world as one hopes it is, and steps that win it.

In: a `Belief`. Out: an `Outlook`: an imagined state, in which everything known is as it is
and everything else as it might be, and a plan for it. A plan is made from a known way of the
world: played in the imagined world, mended where a step is refused there, and then stripped
of every step that the win does not need *by the rules known so far*. So a player that knows
no rules goes straight for what it wants, and learns by being refused; one that has learnt a
rule does what the rule asks for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from worldengine.explorer.belief import Belief
from worldengine.explorer.insight import NODES, Insight, insight_of
from worldengine.explorer.replaying import Ints, States
from worldengine.explorer.ways import Action
from worldengine.machine.schema import State

IMAGININGS = 3
"""Ways to fill what is unknown that are tried before a plan goes without its end."""
ROUNDS, SUITED = 3, 6
"""Times a way is mended anew, and things supposed otherwise for it each time."""
MENDS = 4
"""Refused steps of a way that are mended at most."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """`imagined` includes the variables of known rules; `hopes` are the unknown variables
    on whose imagined value the win depends. `states[i]` follows step i of the plan."""

    imagined: State
    hopes: tuple[int, ...]
    plan: tuple[Action, ...]
    complete: bool
    states: tuple[State, ...]


def outlook(belief: Belief, mood: int) -> Outlook:
    """The best plan that can be imagined; an empty one where there is none."""
    insight = insight_of(belief.machine)
    allowed = _allowed(insight, belief)
    for attempt in range(IMAGININGS):
        imagined = imagine(belief, mood, attempt)
        for way in _turned(insight.ways, mood):
            found = _plan(insight, belief, imagined, way, allowed)
            if found is not None:
                return found
    return aimless(belief, mood)


def aimless(belief: Belief, mood: int) -> Outlook:
    """The outlook where no plan is found: only what might be."""
    return Outlook(imagine(belief, mood, 0), (), (), False, ())


def _turned(ways: tuple[tuple[Action, ...], ...], mood: int) -> tuple[tuple[Action, ...], ...]:
    """Two of the ways, beginning with the mood's."""
    if not ways:
        return ()
    at = mood % len(ways)
    return (ways[at:] + ways[:at])[:2]


def _allowed(insight: Insight, belief: Belief) -> Ints:
    """Positions of the actions that may be put in to mend a way."""
    operators, numbers = insight.actions
    allowed = insight.means.astype(np.bool_)
    for operator, number in belief.refused:
        hit = operators == operator
        if number != -1:
            hit &= numbers == number
        allowed &= ~hit
    return np.flatnonzero(allowed).astype(np.int32)


def imagine(belief: Belief, mood: int, attempt: int) -> State:
    """The world as it might be. What is known is as it is; rules count if they are learnt."""
    known = belief.known.tolist()
    values = [
        value if known[variable] else _supposed(belief, variable, mood, attempt)
        for variable, value in enumerate(belief.state)
    ]
    flags = insight_of(belief.machine).rules.flags.values()
    return (*values, *(int(flag in belief.learnt) for flag in flags))


def _supposed(belief: Belief, variable: int, mood: int, attempt: int) -> int:
    """A value for something unknown: things lie anywhere, nothing is done yet."""
    values = belief.candidates(variable)
    kind = belief.machine.variables[variable].kind
    if kind == "bool":
        return values[0]
    if kind == "int":
        middle = values[len(values) // 2]
        return (values[0], values[0], middle, values[-1], values[0], middle)[attempt % 6]
    if belief.machine.variables[variable].role == "location":
        there = [v for v in values if v < 0 or _open_to(belief, v)] or list(values)
        return _shuffled(tuple(there), variable, mood + attempt)[0]
    if attempt == 0:
        return values[0]
    return _shuffled(values, variable, mood + attempt)[0]


def _open_to(belief: Belief, holder: int) -> bool:
    """Whether something might well be there: a place not seen yet, or a thing that is."""
    role = belief.machine.objects[holder].role
    if role == "place":
        return holder not in belief.places
    return belief.names.name(belief.machine, holder) is not None


def _shuffled(values: tuple[int, ...], variable: int, mood: int) -> list[int]:
    """The values in an order of the mood's own."""
    return sorted(values, key=lambda v: ((v + 3) * 7919 + variable * 3571 + mood * 104729) % 1009)


def _plan(
    insight: Insight, belief: Belief, imagined: State, way: tuple[Action, ...], allowed: Ints
) -> Outlook | None:
    way = tuple(
        action
        for action in way
        if action not in belief.refused and (action[0], -1) not in belief.refused
    )
    replayer = insight.replayer
    for _ in range(ROUNDS):
        if replayer.wins(imagined, way):
            break
        way = _mended(insight, imagined, way, allowed)
        if replayer.wins(imagined, way):
            break
        suited = _suited(insight, belief, imagined, way)
        if suited == imagined:
            return None
        imagined = suited
    plan = replayer.shortened(imagined, way)
    if not plan:
        return None
    hopes = _hopes(insight, belief, imagined, plan)
    seeing = _seeing(insight, belief, imagined, way, hopes)
    if seeing and seeing[-1] not in plan:
        states = replayer.states_of(imagined, seeing)
        return Outlook(imagined, hopes, seeing, False, states)
    return Outlook(imagined, hopes, plan, True, replayer.states_of(imagined, plan))


def _seeing(
    insight: Insight, belief: Belief, imagined: State, way: tuple[Action, ...],
    hopes: tuple[int, ...],
) -> tuple[Action, ...]:  # fmt: skip
    """The steps up to the first of the way that would tell of a hope without any harm; ()
    where there is none."""
    pairs = [
        (variable, value)
        for variable, value in _unknown(belief, places=False)
        if variable in hopes and value != imagined[variable]
    ]
    if not pairs:
        return ()
    states = _otherwise(insight, imagined, pairs)
    played = insight.replayer.play(states, way, texts=True)
    for at in range(len(way)):
        safe = at + 1 >= len(way) or played.running[:, at + 1].all()
        if not safe or not played.running[:, at].all():
            return ()
        if played.refused[-1, at]:
            continue
        if (played.texts[:-1, at] != played.texts[-1, at]).any():
            return insight.replayer.shortened(imagined, way[: at + 1], last=True)
    return ()


def _unknown(belief: Belief, places: bool) -> list[tuple[int, int]]:
    """Unknown variables with each value they may have."""
    return [
        (variable, value)
        for variable, known in enumerate(belief.known.tolist())
        if not known and (places or belief.machine.variables[variable].role != "location")
        for value in belief.candidates(variable)
    ]


def _otherwise(insight: Insight, start: State, pairs: list[tuple[int, int]]) -> States:
    """The state with each one value changed, and last as it is."""
    states = insight.replayer.rows(start, len(pairs) + 1)
    states[np.arange(len(pairs)), [v for v, _ in pairs]] = [w for _, w in pairs]
    return states


def _suited(insight: Insight, belief: Belief, imagined: State, way: tuple[Action, ...]) -> State:
    """Things that nobody knows are let be so that more of the steps work."""
    changes = _changes(belief)
    for _ in range(SUITED if changes else 0):
        states = insight.replayer.rows(imagined, len(changes) + 1)
        for row, (variables, value) in enumerate(changes):
            states[row, variables] = value
        played = insight.replayer.play(states, way)
        score = played.accepted + 1000 * (played.won > 0)
        best = int(np.argmax(score[:-1]))
        if score[best] <= score[-1]:
            break
        variables, value = changes[best]
        imagined = tuple(
            value if variable in variables else old for variable, old in enumerate(imagined)
        )
        if score[best] >= 1000:
            break
    return imagined


def _changes(belief: Belief) -> list[tuple[list[int], int]]:
    """What may be supposed otherwise: one thing, or one attribute of all that have it."""
    groups: dict[tuple[str, int], list[int]] = {}
    found: list[tuple[list[int], int]] = []
    for variable, value in _unknown(belief, places=False):
        found.append(([variable], value))
        attribute = belief.machine.variables[variable].name.rpartition(".")[2]
        groups.setdefault((attribute, value), []).append(variable)
    found += [(members, value) for (_, value), members in groups.items() if len(members) > 1]
    return found


def _mended(
    insight: Insight, state: State, way: tuple[Action, ...], allowed: Ints
) -> tuple[Action, ...]:
    """The way with what it takes, in this world, to get to the steps that are refused."""
    operators, numbers = insight.actions
    replayer = insight.replayer
    found: list[Action] = []
    failed = 0
    for at, step in enumerate(way):
        limit = NODES if failed < MENDS else 1
        inserted = replayer.approach(
            state, step, operators[allowed], numbers[allowed], insight.relevant, limit
        )
        if inserted is None:
            failed += 1
            found.append(step)
            continue
        found += (*inserted, step)
        row = replayer.rows(state, 1)
        replayer.play(row, (*inserted, step))
        state = tuple(row[0].tolist())
        if state[insight.machine.status]:
            return (*found, *way[at + 1 :])
    return tuple(found)


def _hopes(
    insight: Insight, belief: Belief, imagined: State, plan: tuple[Action, ...]
) -> tuple[int, ...]:
    """The unknown variables on whose imagined value the win depends."""
    pairs = [(v, w) for v, w in _unknown(belief, places=True) if imagined[v] != w]
    if not pairs:
        return ()
    played = insight.replayer.play(_otherwise(insight, imagined, pairs), plan)
    return tuple(
        dict.fromkeys(v for (v, _), won in zip(pairs, played.won[:-1], strict=True) if not won)
    )
