"""Known command sets in bulk: what each player of a batch can know, slot by slot.

In: a `BatchEnv`, and its turns. Out: the known commands of a slot, or a mask over operators.
What a text shows is worked out once a text and knowledge; a slot holds a number. A command
that was not understood shows nothing: its answer echoes the player's own words. It never sees a
state: known sets come from texts alone, as `runtime.knowledge` defines them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from worldengine.batch import BatchEnv, Turn
from worldengine.batch.tables.arrays import Integers
from worldengine.machine import Machine
from worldengine.machine.schema import ACCEPTED
from worldengine.runtime import Knowledge, begin, known


class KnownSets:
    """See the module. Call `reset` with what `BatchEnv.reset` gave, `step` with every turn."""

    def __init__(self, env: BatchEnv) -> None:
        self._env = env
        self._worlds = [_World(machine) for machine in env.tables.machines]
        self._at = np.zeros(env.size, np.int64)

    def reset(self, openings: Integers) -> None:
        """New episodes began where `openings` (n,) is not 0."""
        self._read(np.flatnonzero(openings), openings, anew=True)

    def step(self, turn: Turn) -> None:
        """A step was made."""
        shows = ((turn.outcomes == ACCEPTED) | (turn.failed >= 0)) & ~turn.began
        self._read(np.flatnonzero(shows), turn.texts, anew=False)
        self._read(np.flatnonzero(turn.began), turn.texts, anew=True)

    def _read(self, rows: NDArray[np.int64], texts: Integers, anew: bool) -> None:
        worlds, at = self._env.worlds, self._at
        for row in rows.tolist():
            world, text = self._worlds[worlds[row]], int(texts[row])
            before = 0 if anew else int(at[row])
            after = world.after.get((before, text))
            if after is None:
                (shown,) = self._env.texts(np.array([text], np.int64))
                after = world.read(before, text, shown)
            at[row] = after

    def knowledge(self, slot: int) -> Knowledge:
        """What the player of a slot has been shown."""
        return self._worlds[int(self._env.worlds[slot])].held[int(self._at[slot])]

    def commands(self, slot: int) -> tuple[str, ...]:
        """The known commands of a slot, as `runtime.known` lists them."""
        return self._worlds[int(self._env.worlds[slot])].commands(int(self._at[slot]))

    def mask(self) -> NDArray[np.uint8]:
        """(n, operators): 1 where all that an operator is about has been shown."""
        found = np.zeros((self._env.size, self._env.tables.operators), np.uint8)
        for row, (index, at) in enumerate(
            zip(self._env.worlds.tolist(), self._at.tolist(), strict=True)
        ):
            own = self._worlds[index].mask(at)
            found[row, : len(own)] = own
        return found


class _World:
    """What is known of one Machine's knowledges: each under a number, 0 the prompt alone."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        first = begin(machine)
        self.held = [first]
        self.numbers = {first: 0}
        self.after: dict[tuple[int, int], int] = {}
        self._commands: dict[int, tuple[str, ...]] = {}
        self._masks: dict[int, NDArray[np.uint8]] = {}
        self._about = _about(machine)

    def read(self, before: int, text: int, shown: str) -> int:
        """The number of what is known after a text."""
        knowledge = self.held[before].seen(shown)
        number = self.numbers.setdefault(knowledge, len(self.held))
        if number == len(self.held):
            self.held.append(knowledge)
        self.after[before, text] = number
        return number

    def commands(self, at: int) -> tuple[str, ...]:
        if at not in self._commands:
            self._commands[at] = known(self.machine, self.held[at])
        return self._commands[at]

    def mask(self, at: int) -> NDArray[np.uint8]:
        found = self._masks.get(at)
        if found is None:
            shown = np.zeros(len(self.machine.objects) + 1, np.uint8)
            shown[[index for index, _ in self.held[at].names]] = 1
            shown[[i for i, item in enumerate(self.machine.objects) if item.role == "concept"]] = 1
            shown[-1] = 1
            found = self._masks[at] = shown[self._about].min(axis=1, initial=1)
        return found


def _about(machine: Machine) -> NDArray[np.int64]:
    """(operators, most objects): the objects each operator is about, -1 where there are fewer."""
    rows = [
        [
            value
            for value, parameter in zip(
                operator.arguments, machine.schemas[operator.schema].parameters, strict=True
            )
            if parameter.type == "object"
        ]
        for operator in machine.operators
    ]
    most = max(map(len, rows), default=0)
    found = [row + [-1] * (most - len(row)) for row in rows]
    return np.array(found, np.int64).reshape(len(rows), most)
