"""Typed commands of a whole batch, down to those that only a state can decide.

In: texts, one a slot, and the states they are typed in. Out: operators and numbers, and for
what nobody understands the refusal and its words. Both engines read commands through this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.engine import Engine
from worldengine.batch.slots.trees import decide_rows
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.deciding import Decisions, Holds, Node
from worldengine.batch.tables.tables import Tables
from worldengine.batch.texts.commands import UNSURE, Commands
from worldengine.matching import Misunderstood, Understood

MEMORY = 200_000
"""Nodes of trees remembered before all are forgotten."""
ENDS, ASKS = -1, -2
"""Instead of a node's slot: what the text means is known, or every row is asked by itself."""

StatesOf = Callable[[list[int]], Integers]
"""Rows of the batch to their states on the host, (rows, width)."""
Answer = Understood | Misunderstood
Subject = tuple[int, str]
"""A machine and a command."""


@dataclass(frozen=True)
class Typed:
    """What a step is asked for. `refused` has the rows that nobody understood: the class of
    the refusal and its words; their operator is -1."""

    operators: NDArray[np.int32]  # (n,)
    numbers: NDArray[np.int32]  # (n,)
    refused: dict[int, tuple[int, str]] = field(default_factory=dict)


class Typing:
    """Reads commands for the machines of some tables."""

    def __init__(self, tables: Tables, engine: Engine) -> None:
        self.commands = Commands(tables)
        self._engine = engine
        self._forget()

    def _forget(self) -> None:
        self._decisions: Decisions[Subject, Answer] = Decisions(self._meaning)
        self._roots: dict[Subject, int] = {}
        self._nodes: list[tuple[Subject, Node[Answer]]] = []
        self._trees = np.full((1_024, 3), -1, np.int32)  # see `trees`; a row for each of `_nodes`
        self._means = np.zeros((1_024, 2), np.int32)  # operator (-1 if refused) and number

    def read(self, worlds: Integers, commands: Sequence[str], states_of: StatesOf) -> Typed:
        """One command in every slot. States are asked for where they decide, and only there."""
        operators, numbers = self.commands.read(worlds, commands)
        typed = Typed(operators, numbers)
        unsure = np.flatnonzero(operators == UNSURE)
        if len(unsure):
            rows = unsure.tolist()
            nodes, refused = self._decide(worlds, commands, rows, states_of)
            operators[unsure], numbers[unsure] = nodes[:, 0], nodes[:, 1]
            typed.refused.update(refused)
        return typed

    def explain(
        self, worlds: Integers, commands: Sequence[str], rows: list[int], states_of: StatesOf
    ) -> dict[int, tuple[int, str]]:
        """The words for rows whose arguments were out of scope; their states have not changed."""
        return self._decide(worlds, commands, rows, states_of)[1] if rows else {}

    def _decide(
        self, worlds: Integers, commands: Sequence[str], rows: list[int], states_of: StatesOf
    ) -> tuple[NDArray[np.int32], dict[int, tuple[int, str]]]:
        """What commands mean in states now: (rows, 2) operators and numbers, and what is refused
        and why. All rows go down their trees together; where a tree ends too early it grows."""
        if len(self._nodes) >= MEMORY:
            self._forget()
        machines, states = worlds[rows], states_of(rows)
        asked = list(zip(machines.tolist(), map(commands.__getitem__, rows), strict=True))
        begun = list(map(self._roots.get, asked))
        if None in begun:
            begun = [self._root(each) for each in asked]
        nodes = np.array(begun, np.int32)
        sides, waiting = np.zeros(len(rows), np.int8), np.arange(len(rows))
        while len(waiting):
            self._go_down(machines, states, waiting, nodes, sides)
            waiting = waiting[self._trees[nodes[waiting], 0] >= 0]
            missing = set(zip(nodes[waiting].tolist(), sides[waiting].tolist(), strict=True))
            for node, side in sorted(missing):
                self._branch(node, side)
        means, refused = self._means[nodes], dict[int, tuple[int, str]]()
        for at in np.flatnonzero(means[:, 0] < 0).tolist():
            node = int(nodes[at])
            if self._trees[node, 0] == ENDS:
                answer = self._nodes[node][1].found[0]
            else:
                answer = self._answer(*asked[at], states, at)
            if isinstance(answer, Misunderstood):
                refused[rows[at]] = answer.refusal, answer.words
            else:
                means[at] = answer.operator, answer.number
        return means, refused

    def _go_down(
        self, machines: Integers, states: Integers, rows: Integers, nodes: Integers, sides: Integers
    ) -> None:
        """Take rows down their trees as far as these go."""
        tables, room = self._engine.tables, self._engine.room()
        decide_rows(
            tables.head, tables.code, tables.wide, tables.bits, room.slots, room.fresh, room.marks,
            room.stack, room.said, machines, states, rows, self._trees, nodes, sides,
        )  # fmt: skip

    def _root(self, subject: Subject) -> int:
        """Where the tree of a command begins."""
        found = self._roots.get(subject)
        if found is None:
            found = self._roots[subject] = self._place(subject, self._decisions.root(subject))
        return found

    def _branch(self, place: int, side: int) -> None:
        """Let a tree grow where a row has come to its end and it is not the end of asking."""
        subject, node = self._nodes[place]
        grown = self._place(subject, self._decisions.after(subject, node, bool(side)))
        self._trees[place, 1 + side] = grown

    def _place(self, subject: Subject, node: Node[Answer]) -> int:
        """A row for a node."""
        place = len(self._nodes)
        if place == len(self._trees):
            self._trees = np.concatenate([self._trees, np.full_like(self._trees, -1)])
            self._means = np.concatenate([self._means, np.zeros_like(self._means)])
        self._nodes.append((subject, node))
        last = ENDS if node.found else ASKS
        self._trees[place, 0], self._means[place] = node.slot if node.slot >= 0 else last, (-1, 0)
        if node.found and isinstance(node.found[0], Understood):
            self._means[place] = node.found[0].operator, node.found[0].number
        return place

    def _answer(self, machine: int, command: str, states: Integers, row: int) -> Answer:
        """What a command means in a state now."""
        engine = self._engine
        return self._meaning(
            (machine, command), lambda slot: engine.value(machine, states, row, slot) != 0
        )

    def _meaning(self, subject: Subject, holds: Holds) -> Answer:
        return self.commands.meaning(*subject, holds)
