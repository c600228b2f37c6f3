"""What hangs on a few slots of a state, found once for all states that agree in them.

In: something that decides by asking whether slots hold, such as what a command means by what is
in scope. Out: what it decides; for a state whose answers were met before, without asking it
again. Kept is a tree of answers for every subject; when too many are kept all are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Subject = TypeVar("Subject")
Found = TypeVar("Found")
Holds = Callable[[int], bool]
"""Whether a slot is other than 0."""

DEEPEST = 24
"""Slots that one subject is remembered by; where it asks for more, every state is asked."""
MEMORY = 100_000
"""Nodes remembered before all are forgotten."""


class _Asked(Exception):
    """A slot is asked for that is not known yet."""

    def __init__(self, slot: int) -> None:
        self.slot = slot


class Node(Generic[Found]):
    """What is decided after some answers: a slot to ask for, or the end of asking. `found` is
    empty at the end where it is too deep: then every state has to be asked."""

    __slots__ = ("branches", "found", "known", "slot")

    def __init__(self, known: dict[int, bool], slot: int, found: tuple[Found, ...]) -> None:
        self.known, self.slot, self.found = known, slot, found
        self.branches: dict[bool, Node[Found]] = {}


class Decisions(Generic[Subject, Found]):
    """See the module. `decide` must hang on its subject and on what holds, and nothing else."""

    def __init__(self, decide: Callable[[Subject, Holds], Found]) -> None:
        self.decide = decide
        self._roots: dict[Subject, Node[Found]] = {}
        self._made = 0

    def of(self, subject: Subject, holds: Holds) -> Found:
        """What is decided in a state."""
        node = self.root(subject)
        while node.slot >= 0:
            node = self.after(subject, node, holds(node.slot))
        return node.found[0] if node.found else self.decide(subject, holds)

    def root(self, subject: Subject) -> Node[Found]:
        """Where asking begins."""
        found = self._roots.get(subject)
        if found is None:
            if self._made >= MEMORY:
                self._roots.clear()
                self._made = 0
            found = self._roots[subject] = self._grown(subject, {})
        return found

    def after(self, subject: Subject, node: Node[Found], side: bool) -> Node[Found]:
        """Where asking goes on when the slot of a node holds, or does not."""
        found = node.branches.get(side)
        if found is None:
            grown = self._grown(subject, {**node.known, node.slot: side})
            found = node.branches[side] = grown
        return found

    def _grown(self, subject: Subject, known: dict[int, bool]) -> Node[Found]:
        def holds(slot: int) -> bool:
            if slot not in known:
                raise _Asked(slot)
            return known[slot]

        self._made += 1
        try:
            return Node(known, -1, (self.decide(subject, holds),))
        except _Asked as asked:
            deep = len(known) >= DEEPEST
            return Node(known, -1 if deep else asked.slot, ())
