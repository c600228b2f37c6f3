"""The game of a player who does not know the variant: beliefs, commands, what is read.

In: `Sights`, the starts of some variants, bounds on how far each single variant is from a win.
Out: `Game.bounds()`: between which numbers of turns a win from all of them lies. A belief is
the states that the variants are in after the same commands were answered with the same words;
it splits where the words differ and nowhere else. An ending is seen.

**Argument.** A policy is a tree of commands that branches on what is read. Its value is the
number of turns of its longest branch. The least value of a belief is 0 where it is won, and
else 1 + the least, over commands, of the greatest value among the beliefs that the answers
tell apart (Bonet and Geffner, "Planning with incomplete information as heuristic search in
belief space", 2000). All beliefs that can be reached are made, and values are settled from
the least up, each belief once (Knuth, "A generalization of Dijkstra's algorithm", 1977).
Where making them stopped short, the beliefs left open count as won for the lower bound and as
never won for the upper; so both bounds hold at any time. A refused command takes a turn and
may tell something, as everywhere.

**Which commands.** Where all states of a belief have the same things in scope, a text means
the same in all of them, and one command stands for all texts that mean it. Where they differ,
the texts themselves are tried in the interpreter: every form, with every name, of every
command whose scope differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from worldengine.machine.schema import LOST, RUNNING, WON, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.guessing.sights import Array, Seen, Sights
from worldengine.modelcheck.guessing.typed import Typed

NEVER = 1 << 30
"""The value of a belief that is never won."""

Support = tuple[int, ...]
"""The variants of a belief, ascending."""
Single = Callable[[int, State], tuple[int, int]]
"""Least and greatest number of turns to a win of one variant in a state."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A command in a belief. `action` is a ground command, or -1 - a typed text. `parts` are
    the beliefs that may follow, `least` and `most` the bounds of what follows besides them."""

    source: int
    action: int
    parts: tuple[int, ...]
    least: int
    most: int


class Game:
    """See the module. Beliefs are numbered in the order of discovery; belief 0 is the root."""

    def __init__(self, sights: Sights, typed: Typed, single: Single) -> None:
        self.sights, self.typed, self._single = sights, typed, single
        self.supports: list[Support] = []
        self.states: list[Array] = []
        self.arcs: list[Arc] = []
        self.stopped = ""
        self._numbers: dict[tuple[Support, bytes], int] = {}
        self._singles: dict[tuple[int, bytes], tuple[int, int]] = {}
        self._expanded = 0
        self._bytes = sights.room()

    # -- making beliefs ------------------------------------------------------------------

    def enter(self, support: Support, states: Array) -> int:
        """The number of a belief, `states` (k, v) by variant; made if it is new."""
        key = support, states.tobytes()
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.states)
            self.supports.append(support)
            self.states.append(states.copy())
            self._bytes += 3 * states.nbytes + 400
        return found

    def explore(self, clock: Clock, beliefs: int, memory: int) -> bool:
        """Make all beliefs that can be reached; False if the budget ran out first, which
        `stopped` names."""
        while self._expanded < len(self.states):
            if clock.left <= 0:
                self.stopped = "seconds"
            elif len(self.states) > beliefs:
                self.stopped = "states"
            elif self._bytes > memory:
                self.stopped = "bytes"
            if self.stopped:
                return False
            self._expand()
        return True

    def _expand(self) -> None:
        """The next few beliefs, all of one support."""
        begin, support = self._expanded, self.supports[self._expanded]
        end = begin + 1
        most = max(1, self.sights.chunk() // len(support))
        while end < len(self.states) and end - begin < most and self.supports[end] == support:
            end += 1
        joint = np.stack(self.states[begin:end])
        seen = self.sights.see(joint.reshape(-1, joint.shape[2]))
        self._expanded = end
        self._arcs_of(begin, support, joint, seen)

    def _arcs_of(self, begin: int, support: Support, joint: Array, seen: Seen) -> None:
        count, members = joint.shape[:2]
        status = self.sights.machine.status
        after = seen.after.reshape(count, members, -1, joint.shape[2])
        ends = after[..., status]
        signs = seen.texts.reshape(count, members, -1).astype(np.int64) * 3 + ends
        scopes = seen.scopes.reshape(count, members, -1)
        alike = (scopes == scopes[:, :1]).all(1)
        same = (signs == signs[:, :1]).all(1)
        changed = (after != joint[:, :, None, :]).any((1, 3))
        for row, action in np.argwhere(alike & same & changed & (ends[:, 0] != LOST)).tolist():
            if ends[row, 0, action] == WON:
                self._arc(begin + row, action, [])
            else:
                whole = [(support, after[row, :, action])]
                self._arc(begin + row, action, whole)
        told: set[tuple[int, bytes]] = set()
        for row, action in np.argwhere(alike & ~same).tolist():
            groups = _groups(signs[row, :, action].tolist())
            key = row, after[row, :, action].tobytes() + bytes(groups)
            if key not in told:
                told.add(key)
                self._split(begin + row, action, support, groups, after[row, :, action])
        for row in np.flatnonzero(~alike.all(1)).tolist():
            self._typed_arcs(begin + row, support, joint[row], np.flatnonzero(~alike[row]))

    def _typed_arcs(self, node: int, support: Support, states: Array, actions: Array) -> None:
        """Arcs of the texts of commands that are in scope in some of the states only."""
        for text in self.typed.texts_of(actions.tolist()):
            answers = [self.typed.answer(tuple(state.tolist()), text) for state in states]
            groups = _groups([answer.sign for answer in answers])
            after = np.array([answer.state for answer in answers], states.dtype)
            if max(groups) == 0 and np.array_equal(after, states):
                continue
            self._split(node, -1 - self.typed.number(text), support, groups, after)

    def _split(
        self, node: int, action: int, support: Support, groups: list[int], after: Array
    ) -> None:
        parts: list[tuple[Support, Array]] = []
        for group in range(max(groups) + 1):
            members = [place for place, other in enumerate(groups) if other == group]
            ending = int(after[members[0], self.sights.machine.status])
            if ending == LOST:
                return
            if ending == RUNNING:
                parts.append((tuple(support[place] for place in members), after[members]))
        self._arc(node, action, parts)

    def _arc(self, node: int, action: int, parts: list[tuple[Support, Array]]) -> None:
        least = most = 0
        numbers: list[int] = []
        for support, states in parts:
            if len(support) == 1:
                low, high = self._bounds_of(support[0], states[0])
                least, most = max(least, low), max(most, high)
            else:
                numbers.append(self.enter(support, states))
        if least < NEVER:
            self.arcs.append(Arc(node, action, tuple(numbers), least, most))
            self._bytes += 200

    def _bounds_of(self, variant: int, state: Array) -> tuple[int, int]:
        key = variant, state.tobytes()
        found = self._singles.get(key)
        if found is None:
            found = self._singles[key] = self._single(variant, tuple(state.tolist()))
        return found

    # -- values --------------------------------------------------------------------------

    def bounds(self) -> tuple[int, int]:
        """Least and greatest number of turns in which the root can surely be won."""
        return self.values(True)[0], self.values(False)[0]

    def values(self, hopeful: bool) -> list[int]:
        """The value of every belief; what is not known counts as won if `hopeful`, else as
        never won."""
        return self._settled(hopeful)[0]

    def choices(self) -> list[Arc | None]:
        """For every belief that is surely won the command that does it soonest."""
        return self._settled(False)[1]

    def _settled(self, hopeful: bool) -> tuple[list[int], list[Arc | None]]:
        values = [NEVER] * len(self.states)
        chosen: list[Arc | None] = [None] * len(self.states)
        users: list[list[int]] = [[] for _ in self.states]
        waiting = [len(arc.parts) for arc in self.arcs]
        worst = [arc.least if hopeful else arc.most for arc in self.arcs]
        queue: list[tuple[int, int, int]] = []
        for index, arc in enumerate(self.arcs):
            for part in arc.parts:
                users[part].append(index)
            if not arc.parts and worst[index] < NEVER:
                heappush(queue, (worst[index] + 1, arc.source, index))
        if hopeful:
            for node in range(self._expanded, len(self.states)):
                heappush(queue, (0, node, -1))
        while queue:
            value, node, index = heappop(queue)
            if values[node] < NEVER:
                continue
            values[node] = value
            chosen[node] = self.arcs[index] if index >= 0 else None
            for user in users[node]:
                waiting[user] -= 1
                worst[user] = max(worst[user], value)
                if waiting[user] == 0 and worst[user] < NEVER:
                    heappush(queue, (worst[user] + 1, self.arcs[user].source, user))
        return values, chosen


def _groups(signs: list[int]) -> list[int]:
    """The same signs by the same small number, in order of their first place."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(sign, len(numbers)) for sign in signs]


def partition(signs: list[int]) -> Iterator[tuple[int, ...]]:
    """The places of equal signs, in order of the first."""
    groups = _groups(signs)
    for group in range(max(groups, default=-1) + 1):
        yield tuple(place for place, other in enumerate(groups) if other == group)
