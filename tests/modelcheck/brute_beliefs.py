"""Beliefs searched by the interpreter alone, in texts: the judge of the belief game.

Nothing of the model checker is used: texts are made from the forms here, turns are those of
`runtime.step`, and values are found by going over all beliefs until nothing changes.
"""

from __future__ import annotations

from itertools import product

from worldengine.machine.schema import Machine, State
from worldengine.matching.vocabulary import object_names
from worldengine.runtime import Runtime, runtime_of

NEVER = 1 << 30
ARTICLES = ("", "the ", "a ", "an ", "some ", "my ")
Belief = tuple[tuple[int, State], ...]


def texts(machine: Machine) -> tuple[str, ...]:
    """Every form with every name of every candidate, bare and with every article, and every
    number in range."""
    found: dict[str, None] = {}
    for schema in machine.schemas:
        names: list[list[str]] = []
        for parameter in schema.parameters:
            if parameter.type == "number":
                names.append([str(n) for n in range(parameter.low, parameter.high + 1)])
            else:
                objects = [machine.objects[value] for value in parameter.candidates]
                bare = [name for each in objects for name in object_names(each)]
                names.append([article + name for article in ARTICLES for name in bare])
        for form in schema.forms:
            for chosen in product(*names):
                pieces = (chosen[p] if isinstance(p, int) else p for p in form.template)
                found["".join(pieces)] = None
    return tuple(found)


def opening_beliefs(machine: Machine) -> tuple[Belief, ...]:
    """What the openings tell apart."""
    runtime = runtime_of(machine)
    groups: dict[str, list[tuple[int, State]]] = {}
    for variant in range(len(machine.variants)):
        state = machine.start(variant)
        groups.setdefault(runtime.opening(state), []).append((variant, state))
    return tuple(tuple(group) for group in groups.values())


def least_turns(machine: Machine, root: Belief, limit: int) -> int | None:
    """Turns of the best policy from a belief, NEVER if there is none; None if more than
    `limit` beliefs can be reached."""
    commands, runtime = texts(machine), runtime_of(machine)
    ways: dict[Belief, list[list[Belief]]] = {}
    waiting = [root]
    while waiting:
        belief = waiting.pop()
        if belief in ways:
            continue
        if len(ways) >= limit:
            return None
        ways[belief] = []
        for command in commands:
            parts = answered(runtime, belief, command)
            if parts is not None and parts != [belief]:
                ways[belief].append(parts)
                waiting.extend(parts)
    values = dict.fromkeys(ways, NEVER)
    changed = True
    while changed:
        changed = False
        for belief, choices in ways.items():
            for parts in choices:
                value = 1 + max((values[part] for part in parts), default=0)
                if value < values[belief]:
                    values[belief], changed = value, True
    return values[root]


def answered(runtime: Runtime, belief: Belief, command: str) -> list[Belief] | None:
    """The running beliefs that a command's answers tell apart; None if some variant loses."""
    groups: dict[tuple[str, str], list[tuple[int, State]]] = {}
    for variant, state in belief:
        turn = runtime.step(state, command)
        if turn.status == "lost":
            return None
        groups.setdefault((turn.observation, turn.status), []).append((variant, turn.state))
    return [tuple(group) for (_, status), group in groups.items() if status == "running"]
