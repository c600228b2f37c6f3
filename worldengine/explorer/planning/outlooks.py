"""What is meant to be done: the worlds that are supposed, a path for each, what they hang on.

In: paths, supposed states. Out: an `Outlook`, with what follows each step and the unknown
variables on whose supposed value the win depends.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.imagining.replaying import Action, Replayer, Way
from worldengine.explorer.knowing.insight import Insight
from worldengine.explorer.planning.parting import Paths
from worldengine.explorer.planning.resuming import Goals
from worldengine.explorer.planning.supposing import Supposed
from worldengine.machine.schema import LOST, State


@dataclass(frozen=True, slots=True)
class Before:
    """What was expected to be now, and what was meant to be done from here."""

    state: State
    rest: Way
    goals: Goals = ()
    """What the whole way still has to be done, what was left out of it, too."""

    paths: tuple[tuple[int, Way, Goals], ...] = ()
    """Every start that still fits, its path from here, its goals."""
    told: bool = False
    """Whether a start was ruled out that was expected to read the same as those."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """`supposed` are the worlds, `paths` what to do in each of them, `states` what follows
    each step; `hopes` are the unknown variables on whose supposed value the win depends,
    `dangers` those of them that may lose it without a word."""

    supposed: Supposed
    hopes: tuple[int, ...]
    paths: Paths
    states: dict[int, tuple[State, ...]]
    replayer: Replayer
    dangers: tuple[int, ...] = ()
    goals: dict[int, Goals] = field(default_factory=dict)
    """The steps of every path before any was left out."""

    def path(self, start: int) -> Way:
        return self.paths.get(start, ())

    def expected(self, start: int, at: int) -> State:
        """What a start should be after so many steps of its path."""
        return self.states[start][at - 1] if at else self.supposed.of(start)

    def harmless(self, starts: tuple[int, ...], at: int, actions: list[Action]) -> list[bool]:
        """Whether the paths of some starts still win if something else is done first."""
        if not actions or not self.paths:
            return [True] * len(actions)
        who = [start for start in starts if start in self.paths]
        replayer = self.replayer
        rows = np.array([self.expected(start, at) for start in who], replayer.kind)
        ways = [(action, *self.paths[start][at:]) for action in actions for start in who]
        played = replayer.play_each(np.tile(rows, (len(actions), 1)), ways)
        won = played.won.reshape(len(actions), len(who))
        return [bool(row.all()) for row in won]

    def lead(self, starts: tuple[int, ...]) -> int:
        """The first of some starts that has a path; else the first."""
        return next((start for start in starts if start in self.paths), starts[0])


def hopes_of(
    insight: Insight, belief: Belief, supposed: Supposed, paths: Paths
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The unknown variables on whose supposed value the win of the first path depends; and
    those of them with a value that would lose it without a word before."""
    start = next(iter(paths))
    state = supposed.of(start)
    pairs = [
        (variable, value)
        for variable in supposed.unsure
        for value in belief.candidates(variable)
        if value != state[variable]
    ]
    if not pairs:
        return (), ()
    replayer = insight.replayer
    rows = replayer.rows(state, len(pairs) + 1)
    rows[np.arange(len(pairs)), [v for v, _ in pairs]] = [w for _, w in pairs]
    played = replayer.play(rows, paths[start], texts=True)
    hopes: dict[int, None] = {}
    dangers: dict[int, None] = {}
    apart = played.texts != played.texts[-1]
    for row, (variable, _) in enumerate(pairs):
        if played.won[row]:
            continue
        hopes[variable] = None
        until = int(played.running[row].sum())
        if rows[row, replayer.status] == LOST and not apart[row, : until - 1].any():
            dangers[variable] = None
    return tuple(hopes), tuple(dangers)
