"""What a player believes: what nothing it saw has ruled out, and what refusals taught it.

In: hypotheses about the world, what was done and read. Out: a frozen `Belief`. A variable is
known once every hypothesis left agrees on it; so a value becomes known exactly by observations
whose wording depended on it, and follows what is done even where nobody says so. Nothing in a
belief names the true value of what is not known; which hypotheses are left may depend on it, as
each differs from the true world in one thing only. Equal beliefs are one object.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from worldengine.explorer.believing.hypotheses import Fit, Hypotheses
from worldengine.explorer.believing.turnsleft import NONE_TOLD, Left
from worldengine.explorer.knowing.insight import insight_of
from worldengine.machine import Machine
from worldengine.machine.schema import PARAMETER, State
from worldengine.players.shown.figures import numbers
from worldengine.runtime import Knowledge, Transition
from worldengine.runtime import begin as first_knowledge


@dataclass(frozen=True)
class Belief:
    """`fit` is what the hypotheses say. `learnt` are rules by their variables; `refused` are
    (operator, number) that are never accepted, number -1 for all."""

    machine: Machine = field(compare=False)
    fit: Fit
    learnt: frozenset[int]
    refused: frozenset[tuple[int, int]]
    names: Knowledge
    done: frozenset[tuple[int, int, int]]
    places: frozenset[int]
    words: frozenset[str]
    """Every word that was read."""
    figures: frozenset[int] = frozenset()
    """Every number that was read, in figures or in words."""
    tired: frozenset[tuple[int, int]] = frozenset()
    """What was refused since the last turn that was accepted."""

    dashed: frozenset[tuple[int, int]] = frozenset()
    """Values that a whole plan had hoped for, in vain."""

    taught: int = 0
    """How many refusals taught something."""

    left: Left = field(default=NONE_TOLD, compare=False)
    """Turns that are left."""

    @property
    def state(self) -> State:
        """What is known, 0 for everything else."""
        return self.fit.state

    @cached_property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which variables are known."""
        return np.frombuffer(self.fit.known, np.bool_)

    @property
    def starts(self) -> tuple[tuple[int, State], ...]:
        """The starts that still fit, with their states now, whichever is the world's own."""
        return self.fit.starts

    @cached_property
    def naive(self) -> bool:
        """Whether some rule is not known."""
        return len(self.learnt) < len(insight_of(self.machine).rules.flags)

    @cached_property
    def _values(self) -> Mapping[int, tuple[int, ...]]:
        return dict(self.fit.values)

    def candidates(self, variable: int) -> tuple[int, ...]:
        """The values that a variable may have, in ascending order."""
        found = self._values.get(variable) or (self.state[variable],)
        if not self.dashed:
            return found
        return tuple(each for each in found if (variable, each) not in self.dashed) or found

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


def first(truth: Hypotheses, opening: str, learnt: frozenset[int],
          refused: frozenset[tuple[int, int]]) -> Belief:  # fmt: skip
    """The belief of a player that has read the prompt and the opening."""
    machine = truth.machine
    location = machine.objects[machine.player].location
    return Belief(
        machine,
        truth.fit,
        learnt,
        refused,
        first_knowledge(machine).seen(opening),
        frozenset(),
        frozenset({truth.state[location]} if location >= 0 else ()),
        words_of(f"{machine.goal}\n{opening}"),
        numbers(machine.goal) | numbers(opening),
    )


def after(
    belief: Belief, truth: Hypotheses, transition: Transition, meant: tuple[int, int]
) -> tuple[Belief, Hypotheses]:
    """The belief after a turn that has been read, and what fits then. `meant` is the action
    that was meant, where the world did not understand one; (-1, 0) if none was."""
    operator, number = transition.operator, transition.number
    if operator < 0:
        if meant[0] < 0 or transition.outcome == PARAMETER:
            return belief, truth
        operator, number = meant
    machine = belief.machine
    truth = truth.after((operator, number), transition)
    names, words, figures = belief.names, belief.words, belief.figures
    if transition.operator >= 0:
        names = names.seen(transition.observation)
        words = words | words_of(transition.observation)
        figures = figures | numbers(transition.observation)
    found = replace(belief, fit=truth.fit, names=names, words=words, figures=figures)
    if transition.refusal is not None:
        tired = replace(found, tired=belief.tired | {(operator, number)})
        return _taught(tired, transition), truth
    here = transition.state[machine.objects[machine.player].location]
    return replace(
        found,
        done=belief.done | {(operator, number, belief.place())},
        places=belief.places | {here},
        tired=frozenset(),
    ), truth


@lru_cache(8_000)
def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(re.findall(r"\w+", text.lower()))


def _taught(belief: Belief, transition: Transition) -> Belief:
    """What a refusal teaches: the rule that was broken, or that this never works."""
    refusal = transition.refusal
    assert refusal is not None
    if refusal.requirement < 0:
        return belief
    rules = insight_of(belief.machine).rules
    rule = rules.rule_of[refusal.operator][refusal.requirement]
    belief = replace(belief, taught=belief.taught + 1)
    if rule is not None:
        return replace(belief, learnt=belief.learnt | {rules.flags[rule]})
    number = -1 if refusal.operator in rules.never else refusal.number
    return replace(belief, refused=belief.refused | {(refusal.operator, number)})
