"""The tree of what has been played from one start.

In: commands and the transitions they led to. Out: nodes, each of them one turn. A node is
never changed after it was made, but for the list of what was played after it; so going back
is choosing another node, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from worldengine.machine import State
from worldengine.runtime import Knowledge, Transition


@dataclass(eq=False, slots=True)
class Node:
    """One turn, or the start where `parent` is None.

    `command` is what was sent to the Machine, `typed` what the person typed for it.
    `status` is running, won, lost or truncated; `text` is what was read (the opening at the
    start). `place` is where the player is (-1: nowhere), `seen` all places on the way here,
    `reached` the milestones (index of their variable) with the turn of each: kept with the
    node, so that nothing that is drawn has to walk the whole way. `latest` is the child that
    was played last: redo goes there.
    """

    id: int
    parent: Node | None
    depth: int
    command: str
    typed: str
    state: State
    status: str
    text: str
    knowledge: Knowledge
    progress: float
    transition: Transition | None
    place: int = -1
    seen: frozenset[int] = frozenset()
    reached: tuple[tuple[int, int], ...] = ()
    children: list[Node] = field(default_factory=list)
    latest: Node | None = None

    @property
    def over(self) -> bool:
        return self.status != "running"

    def child(self, command: str) -> Node | None:
        """The turn that was already played with this command, if any."""
        return next((node for node in self.children if node.command == command), None)


class History:
    """All nodes of one tree, by number in the order in which they were played."""

    def __init__(self, root: Node) -> None:
        self.nodes: list[Node] = [root]

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def add(self, node: Node) -> None:
        """Hang a node under its parent. Its id must be the next one."""
        assert node.parent is not None and node.id == len(self.nodes)
        node.parent.children.append(node)
        self.nodes.append(node)

    def leaves(self) -> Iterator[Node]:
        """The last turns of all plays."""
        return (node for node in self.nodes if not node.children)


def path(node: Node) -> list[Node]:
    """The turns from the first to this one; the start itself is left out."""
    found: list[Node] = []
    at: Node | None = node
    while at is not None and at.parent is not None:
        found.append(at)
        at = at.parent
    found.reverse()
    return found


def commands(node: Node) -> tuple[str, ...]:
    """What was played up to this node."""
    return tuple(each.command for each in path(node))
