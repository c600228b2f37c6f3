"""What a player believes: hypotheses about the world that nothing it saw has ruled out.

In: a world, its start, what was done and read. Out: a frozen `Belief`. A hypothesis is
another of the world's starts, or the world with one variable otherwise that no start sets.
All hypotheses take every turn that the world takes, and those whose words differ from the
words that were read are out. A variable is known once every hypothesis left agrees on it; so
a value becomes known exactly by observations whose wording depended on it, and follows what
is done even where nobody says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from worldengine.explorer.insight import Insight, insight_of
from worldengine.machine import Machine
from worldengine.machine.schema import PARAMETER, State
from worldengine.runtime import Knowledge, Transition
from worldengine.runtime import begin as first_knowledge

States = npt.NDArray[np.signedinteger]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Belief:
    """`rows[i]` is a hypothesis's state now; hypothesis i differs in variable `changed[i]`, or
    is the start -1 - `changed[i]` where that is negative. `state` is what only the world
    knows: nothing may be decided by a value of it that is not `known`. `start` is the world's
    own, one of `starts`. `learnt` are rules by their variables; `refused` are (operator,
    number) that are never accepted, number -1 for all."""

    machine: Machine
    start: int
    state: State
    rows: States
    changed: Ints
    sampled: npt.NDArray[np.bool_]
    learnt: frozenset[int]
    refused: frozenset[tuple[int, int]]
    names: Knowledge
    done: frozenset[tuple[int, int, int]]
    places: frozenset[int]
    left: int
    """Turns that are left."""

    words: frozenset[str]
    """Every word that was read."""
    tired: frozenset[tuple[int, int]] = frozenset()
    """What was refused since the last turn that was accepted."""

    dashed: frozenset[tuple[int, int]] = frozenset()
    """Values that a whole plan had hoped for, in vain."""

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which variables are known."""
        width = len(self.machine.variables)
        if not len(self.rows):
            return np.ones(width, np.bool_)
        own = np.array(self.state, self.rows.dtype)
        agreed: npt.NDArray[np.bool_] = ~(self.rows[:, :width] != own).any(axis=0)
        return agreed

    @property
    def starts(self) -> tuple[tuple[int, State], ...]:
        """The starts that still fit, with their states now, whichever is the world's own."""
        found = {self.start: self.state}
        for row in np.flatnonzero(self.changed < 0).tolist():
            found[-1 - int(self.changed[row])] = tuple(self.rows[row].tolist())
        by_state: dict[State, int] = {}
        for start, state in sorted(found.items()):
            by_state.setdefault(state, start)
        return tuple((start, state) for state, start in by_state.items())

    def candidates(self, variable: int) -> tuple[int, ...]:
        """The values that an unknown variable may have, in ascending order."""
        found = set(self.rows[:, variable].tolist())
        if self.sampled[variable]:
            found.add(self.state[variable])
        left = tuple(sorted(each for each in found if (variable, each) not in self.dashed))
        return left or tuple(sorted(found))

    def worded(self, thing: int) -> bool:
        """Whether the name of a thing can be put together from words that were read."""
        return not self.lacking((thing,))

    def lacking(self, things: tuple[int, ...]) -> frozenset[str]:
        """Words of the names of some things that were not read yet."""
        names = (words_of(self.machine.objects[thing].name) for thing in things)
        return frozenset().union(*names) - self.words

    def place(self) -> int:
        """Where the player is."""
        return self.state[self.machine.objects[self.machine.player].location]


def first(machine: Machine, variant: int, opening: str, learnt: frozenset[int],
          refused: frozenset[tuple[int, int]]) -> Belief:  # fmt: skip
    """The belief of a player that has read the prompt and the opening."""
    insight = insight_of(machine)
    state = machine.start(variant)
    rows: list[State] = []
    changed: list[int] = []
    own = variant
    for other, begun in insight.starts:
        if begun == state:
            own = other
            continue
        rows.append(begun)
        changed.append(-1 - other)
    sampled = np.zeros(len(state), np.bool_)
    for variable, values in enumerate(insight.samples):
        role = machine.variables[variable].role
        if role == "location" and state[variable] == machine.player:
            continue  # what one carries one knows
        sampled[variable] = state[variable] in values
        for value in values:
            if value != state[variable]:
                rows.append((*state[:variable], value, *state[variable + 1 :]))
                changed.append(variable)
    kind = insight.engine.tables.state_type
    table = np.array([*rows, state], kind).reshape(-1, len(state))
    worlds = np.zeros(len(table), np.int32)
    texts = insight.engine.openings(worlds, table, np.ones(len(table), np.bool_))
    words = insight.words(texts)
    alive = words[:-1] == words[-1]
    location = machine.objects[machine.player].location
    return Belief(
        machine,
        own,
        state,
        table[:-1][alive],
        np.array(changed, np.int32)[alive],
        sampled,
        learnt,
        refused,
        first_knowledge(machine).seen(opening),
        frozenset(),
        frozenset({state[location]} if location >= 0 else ()),
        machine.turns,
        words_of(f"{machine.goal}\n{opening}"),
    )


def after(belief: Belief, transition: Transition, meant: tuple[int, int]) -> Belief:
    """The belief after a turn that has been read. `meant` is the action that was meant, where
    the world did not understand one; (-1, 0) if none was."""
    belief = replace(belief, left=belief.left - 1)
    operator, number = transition.operator, transition.number
    if operator < 0:
        if meant[0] < 0 or transition.outcome == PARAMETER:
            return belief
        operator, number = meant
    machine = belief.machine
    insight = insight_of(machine)
    rows, changed = _followed(insight, belief, operator, number)
    names = belief.names
    if transition.operator >= 0:
        names = names.seen(transition.observation)
        belief = replace(belief, words=belief.words | words_of(transition.observation))
    if transition.refusal is not None:
        found = replace(
            belief,
            rows=rows,
            changed=changed,
            names=names,
            tired=belief.tired | {(operator, number)},
        )
        return _taught(insight, found, transition)
    here = transition.state[machine.objects[machine.player].location]
    own = np.array(transition.state, rows.dtype)
    apart = (rows != own).any(axis=1)
    merged = -1 - changed[~apart & (changed < 0)]
    return replace(
        belief,
        start=min([belief.start, *merged.tolist()]),
        state=transition.state,
        rows=rows[apart],
        changed=changed[apart],
        names=names,
        done=belief.done | {(operator, number, belief.place())},
        places=belief.places | {here},
        tired=frozenset(),
    )


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(re.findall(r"\w+", text.lower()))


def _followed(
    insight: Insight, belief: Belief, operator: int, number: int
) -> tuple[States, npt.NDArray[np.int32]]:
    """The hypotheses after a turn, without those that would have read differently."""
    table = np.vstack([belief.rows, np.array([belief.state], belief.rows.dtype)])
    count = len(table)
    step = insight.engine.step(
        np.zeros(count, np.int32),
        table,
        np.full(count, operator, np.int32),
        np.full(count, number, np.int32),
    )
    status = insight.machine.status
    words = insight.words(step.texts)
    alive = (words[:-1] == words[-1]) & (step.outcomes[:-1] == step.outcomes[-1])
    alive &= table[:-1, status] == table[-1, status]
    return table[:-1][alive], belief.changed[alive]


def _taught(insight: Insight, belief: Belief, transition: Transition) -> Belief:
    """What a refusal teaches: the rule that was broken, or that this never works."""
    refusal = transition.refusal
    assert refusal is not None
    if refusal.requirement < 0:
        return belief
    rule = insight.rules.rule_of[refusal.operator][refusal.requirement]
    if rule is not None:
        return replace(belief, learnt=belief.learnt | {insight.rules.flags[rule]})
    number = -1 if refusal.operator in insight.rules.never else refusal.number
    return replace(belief, refused=belief.refused | {(refusal.operator, number)})
