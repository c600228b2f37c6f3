"""Headless play: one person, one world, one start, a tree of turns.

In: a Machine, a variant, what a person types. Out: nodes of a history tree, notices for the
person, questions ("which key?"). The Machine sees plain commands only; everything people
add to them (g, it, undo, numbered answers) is worked out in `shorthand`. Nothing is drawn,
read or written here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from worldengine.machine import Machine
from worldengine.rollout.showing import first_knowledge, learnt
from worldengine.runtime import Runtime, known, runtime_of

from . import shorthand
from .history import History, Node, commands, path
from .whereabouts import position


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of something typed: turns that were played, words for the person.

    `moved` tells that the present node changed without a turn (undo, redo)."""

    played: tuple[Node, ...] = ()
    notice: str = ""
    question: shorthand.Question | None = None
    moved: bool = False


class Session:
    """See the module. `at` is the present node."""

    def __init__(self, machine: Machine, variant: int = 0) -> None:
        self.machine = machine
        self.variant = variant
        self.runtime: Runtime = runtime_of(machine)
        state = machine.start(variant)
        opening = self.runtime.opening(state)
        knowledge = first_knowledge(machine, opening)
        place = position(machine, state)
        root = Node(0, None, 0, "", "", state, "running", opening, knowledge, 0.0, None, place)
        root.seen, root.reached = _seen(root.seen, place), _reached(machine, root)
        self.history = History(root)
        self.at: Node = root
        self.question: shorthand.Question | None = None
        self._known: tuple[Node, tuple[str, ...]] | None = None

    # -- looking -----------------------------------------------------------------------

    @property
    def path(self) -> list[Node]:
        """The turns up to the present one."""
        return path(self.at)

    @property
    def commands(self) -> tuple[str, ...]:
        return commands(self.at)

    @property
    def turns_left(self) -> int:
        return max(0, self.machine.turns - self.at.depth)

    def known(self) -> tuple[str, ...]:
        """Commands that this player can know, worked out once a node."""
        if self._known is None or self._known[0].knowledge is not self.at.knowledge:
            self._known = self.at, known(self.machine, self.at.knowledge)
        return self._known[1]

    def applicable(self) -> tuple[str, ...]:
        """Commands that would be accepted now: an oracle's list, a spoiler."""
        return () if self.at.over else self.runtime.applicable_texts(self.at.state)

    @cached_property
    def title(self) -> str:
        return self.machine.title or self.machine.name

    # -- playing -----------------------------------------------------------------------

    def type(self, text: str) -> Reply:
        """Anything a person may type."""
        meant = shorthand.read(self, text)
        self.question = None
        if isinstance(meant, shorthand.Chain):
            return self._chain(meant.parts)
        if isinstance(meant, shorthand.Move):
            return self._move(meant)
        if not isinstance(meant, shorthand.Commands):
            return self._told(meant)
        if self.at.over:
            return Reply(notice=over_words(self.at))
        return Reply(tuple([self.play(command, text) for command in meant.commands]))

    def _chain(self, parts: tuple[str, ...]) -> Reply:
        """One command after another, each read where the one before it has led. Where one
        has to be asked about, or the play ends, the rest is not played."""
        played: list[Node] = []
        for done, part in enumerate(parts):
            if self.at.over:
                left = len(parts) - done
                return Reply(tuple(played), over_words(self.at, left if played else 0))
            meant = shorthand.step(self, part)
            if not isinstance(meant, shorthand.Commands):
                return self._told(meant, tuple(played), len(parts) - done - 1)
            played += [self.play(command, command) for command in meant.commands]
        return Reply(tuple(played))

    def _told(
        self,
        meant: shorthand.Question | shorthand.Notice,
        played: tuple[Node, ...] = (),
        left: int = 0,
    ) -> Reply:
        """A question or a notice, and how many commands of a chain it keeps from being played."""
        rest = f" {left} of the commands were not played." if left else ""
        if isinstance(meant, shorthand.Question):
            self.question = meant
            return Reply(played, meant.words + rest, meant)
        return Reply(played, meant.words + rest)

    def play(self, command: str, typed: str = "") -> Node:
        """One turn from a plain command. A turn that was played before is found again, so
        that playing a line a second time makes no second branch. The end refuses
        (ValueError): ask `at.over` first."""
        here = self.at
        if here.over:
            raise ValueError(over_words(here))
        node = here.child(command)
        if node is None:
            node = self._turn(here, command, typed or command)
            self.history.add(node)
        here.latest = self.at = node
        return node

    def _turn(self, here: Node, command: str, typed: str) -> Node:
        transition = self.runtime.step(here.state, command)
        status, text = transition.status, transition.observation
        if status == "running" and here.depth + 1 >= self.machine.turns:
            status = "truncated"
            text = "\n".join(filter(None, (text, self.machine.timeout)))
        place = position(self.machine, transition.state)
        node = Node(
            id=len(self.history.nodes),
            parent=here,
            depth=here.depth + 1,
            command=command,
            typed=typed,
            state=transition.state,
            status=status,
            text=text,
            knowledge=learnt(self.machine, here.knowledge, transition),
            progress=transition.progress,
            transition=transition,
            place=place,
            seen=_seen(here.seen, place),
        )
        node.reached = _reached(self.machine, node)
        return node

    # -- going about in the tree ---------------------------------------------------------

    def undo(self, turns: int = 1) -> int:
        """Back by up to so many turns; how many it was."""
        done = 0
        while done < turns and self.at.parent is not None:
            self.at = self.at.parent
            done += 1
        return done

    def redo(self, turns: int = 1) -> int:
        """Forward to what was played last from here; how many turns it was."""
        done = 0
        while done < turns and self.at.latest is not None:
            self.at = self.at.latest
            done += 1
        return done

    def jump(self, node: Node) -> None:
        """To any node of the tree. Redo from an earlier one leads here again."""
        self.at = node
        while node.parent is not None:
            node.parent.latest = node
            node = node.parent

    def _move(self, move: shorthand.Move) -> Reply:
        if move.kind == "restart":
            self.jump(self.history.root)
            return Reply(notice="Back at the start. Redo leads forward again.", moved=True)
        done = self.undo(move.turns) if move.kind == "undo" else self.redo(move.turns)
        if not done:
            return Reply(notice=f"There is nothing to {move.kind}.")
        return Reply(notice=f"{move.kind}: {done} turn{'s' if done > 1 else ''}", moved=True)


def _seen(before: frozenset[int], place: int) -> frozenset[int]:
    """The places seen so far; the very same set where nothing is new."""
    return before if place < 0 or place in before else before | {place}


def _reached(machine: Machine, node: Node) -> tuple[tuple[int, int], ...]:
    """The milestones of the way with their turns; those of the turn before come first."""
    before = node.parent.reached if node.parent is not None else ()
    if len(before) == len(machine.milestones):
        return before
    have = {index for index, _ in before}
    fresh = [i for i in machine.milestones if node.state[i] and i not in have]
    return (*before, *((index, node.depth) for index in fresh)) if fresh else before


def over_words(node: Node, left: int = 0) -> str:
    """What to tell somebody who types after the end."""
    ended = {"won": "has been won", "lost": "is lost"}.get(node.status, "has run out of turns")
    rest = f" {left} of the commands were not played." if left else ""
    return f"This play {ended}.{rest} Type undo to step back, restart to begin again."
