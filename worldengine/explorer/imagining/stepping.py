"""Single steps and walks in states of one world, remembered.

In: an engine of one Machine, states, actions. Out: the states after them, whether they were
accepted. Plans are tried from many states that have most of their steps in common.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from worldengine.batch import Engine
from worldengine.machine.schema import ACCEPTED, RUNNING

States = npt.NDArray[np.signedinteger]
Action = tuple[int, int]
"""An operator and its number."""
Way = tuple[Action, ...]
MOST_TRIED = 20_000
"""Steps, and walks, that are remembered before all are forgotten."""
ONE_MACHINE = np.zeros(1, np.int32)


class Stepper:
    """Steps on one engine of one Machine. `status` and `place` are variables."""

    def __init__(self, engine: Engine, status: int, place: int) -> None:
        self.engine = engine
        self.kind = engine.tables.state_type
        self.status = status
        self.place = place
        self._tried: dict[tuple[bytes, Action], tuple[States, bool]] = {}
        self._walked: dict[tuple[bytes, int], tuple[Way, States] | None] = {}

    def rows(self, start: tuple[int, ...], count: int) -> States:
        """The same state `count` times."""
        return np.repeat(np.array([start], self.kind), count, axis=0)

    def tried(self, row: States, action: Action) -> tuple[States, bool]:
        """One step in one state: the state after it, not to be written to, and whether it is
        accepted. What is known already is not stepped again."""
        key = row.tobytes(), action
        found = self._tried.get(key)
        if found is None:
            after = row[None].copy()
            done = self.engine.step(
                ONE_MACHINE, after, np.array(action[:1], np.int32),
                np.array(action[1:], np.int32), texts=False,
            )  # fmt: skip
            after.flags.writeable = False
            if len(self._tried) >= MOST_TRIED:
                self._tried.clear()
            found = self._tried[key] = after[0], bool(done.outcomes[0] == ACCEPTED)
        return found

    def walk(self, row: States, place: int, moves: frozenset[int]) -> tuple[Way, States] | None:
        """The shortest walk to a place and the state there, None where it cannot be reached.
        `moves` are always the same."""
        key = row.tobytes(), place
        if key not in self._walked:
            if len(self._walked) >= MOST_TRIED:
                self._walked.clear()
            walks = self.walks(row, moves)
            self._walked[key] = next((to for to in walks if to[1][self.place] == place), None)
        return self._walked[key]

    def walks(self, row: States, moves: frozenset[int]) -> Iterator[tuple[Way, States]]:
        """Walks to every other place, the shortest first, and the state there."""
        operators = np.array(sorted(moves), np.int32)
        count = len(operators)
        met = {row[self.place]}
        waiting: list[tuple[Way, States]] = [((), row)]
        while waiting and count:
            walk, here = waiting.pop(0)
            rows = np.repeat(here[None], count, axis=0)
            done = self.engine.step(
                np.zeros(count, np.int32), rows, operators, np.zeros(count, np.int32), texts=False
            )
            for at in np.flatnonzero(done.outcomes == ACCEPTED).tolist():
                if rows[at, self.status] != RUNNING or rows[at, self.place] in met:
                    continue
                met.add(rows[at, self.place])
                further = (*walk, (int(operators[at]), 0))
                yield further, rows[at]
                waiting.append((further, rows[at]))
