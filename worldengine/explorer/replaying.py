"""Playing lists of steps in imagined worlds, side by side: whole, shortened, or mended.

In: the engine of a world, states that are imagined, steps. Out: which steps are refused and
where a win comes, for every row; the way to a state in which one more step would be accepted.
All stepping is the batch engine's; rows are states, columns variables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from worldengine.batch import Engine
from worldengine.machine.schema import ACCEPTED, RUNNING, WON

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
States = npt.NDArray[np.signedinteger]
Action = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Played:
    """`won[row]` is the number of steps up to the win, 0 without one; `refused[row, step]`."""

    won: Ints
    refused: Bools
    running: Bools
    """Whether a row was still running before a step; `texts[row, step]` where asked for."""
    texts: npt.NDArray[np.int64]
    accepted: Ints
    """How many steps were accepted, by row."""


def _there(played: Played, last: bool) -> Bools:
    """Which rows win, or come to accept their last step."""
    if not last:
        return played.won > 0
    return ~played.refused[:, -1] & played.running[:, -1]


class Replayer:
    """Replays on one engine of one Machine."""

    def __init__(self, engine: Engine, status: int) -> None:
        self.engine = engine
        self.kind = engine.tables.state_type
        self.status = status

    def rows(self, start: tuple[int, ...], count: int) -> States:
        """The same state `count` times."""
        return np.repeat(np.array([start], self.kind), count, axis=0)

    def play(
        self, states: States, way: tuple[Action, ...], skip: Bools | None = None,
        texts: bool = False,
    ) -> Played:  # fmt: skip
        """Play a way in every row (states change in place); `skip[row, step]` leaves out."""
        count = len(states)
        worlds = np.zeros(count, np.int32)
        won = np.zeros(count, np.int32)
        refused = np.zeros((count, len(way)), np.bool_)
        accepted = np.zeros(count, np.int32)
        alive = np.zeros((count, len(way)), np.bool_)
        read = np.zeros((count, len(way) if texts else 0), np.int64)
        for at, (operator, number) in enumerate(way):
            running = states[:, self.status] == RUNNING
            if not running.any():
                break
            alive[:, at] = running
            operators = np.full(count, operator, np.int32)
            if skip is not None:
                operators[skip[:, at]] = -1
            done = self.engine.step(
                worlds, states, operators, np.full(count, number, np.int32), texts=texts
            )
            if texts:
                read[:, at] = done.texts
            fine = running & (operators >= 0) & (done.outcomes == ACCEPTED)
            refused[:, at] = running & (operators >= 0) & ~fine
            accepted += fine
            won[fine & (states[:, self.status] == WON)] = at + 1
        return Played(won, refused, alive, read, accepted)

    def wins(self, start: tuple[int, ...], way: tuple[Action, ...]) -> bool:
        return bool(self.play(self.rows(start, 1), way).won[0])

    def shortened(
        self, start: tuple[int, ...], way: tuple[Action, ...], last: bool = False
    ) -> tuple[Action, ...]:
        """The way without the steps that its win (or, if `last`, its last step) does not
        need; () if it does not get there. Each step is left out in turn, with all that is
        refused then."""
        played = self.play(self.rows(start, 1), way)
        if not _there(played, last)[0]:
            return ()
        end = len(way) if last else int(played.won[0])
        kept = [at for at in range(end) if not played.refused[0, at]]
        at = 0
        while at < len(kept):
            steps = tuple(way[each] for each in kept)
            count = len(kept) - at
            skip = np.zeros((count, len(kept)), np.bool_)
            skip[np.arange(count), np.arange(at, len(kept))] = True
            tried = self.play(self.rows(start, count), steps, skip)
            fitting = np.flatnonzero(_there(tried, last))
            if last:
                fitting = fitting[fitting < count - 1]
            if not len(fitting):
                break
            row = int(fitting[0])
            left = at + row
            kept = [
                each
                for place, each in enumerate(kept[: len(kept) if last else int(tried.won[row])])
                if place != left and not tried.refused[row, place]
            ]
            at = left
        return tuple(way[each] for each in kept)

    def states_of(
        self, start: tuple[int, ...], way: tuple[Action, ...]
    ) -> tuple[tuple[int, ...], ...]:
        """The state after every step."""
        state = self.rows(start, 1)
        found = []
        for step in way:
            self.play(state, (step,))
            found.append(tuple(state[0].tolist()))
        return tuple(found)

    def approach(
        self, start: tuple[int, ...], step: Action, operators: Ints, numbers: Ints,
        relevant: Ints, limit: int,
    ) -> tuple[Action, ...] | None:  # fmt: skip
        """The shortest way to a state in which a step is accepted, by the actions given;
        None if none is found within `limit` states."""
        frontier = self.rows(start, 1)
        ways: list[tuple[Action, ...]] = [()]
        met = {frontier[0, relevant].tobytes()}
        while len(frontier):
            tried = frontier.copy()
            count = len(tried)
            done = self.engine.step(
                np.zeros(count, np.int32), tried, np.full(count, step[0], np.int32),
                np.full(count, step[1], np.int32), texts=False,
            )  # fmt: skip
            fits = np.flatnonzero(done.outcomes == ACCEPTED)
            if len(fits):
                return ways[int(fits[0])]
            if len(met) >= limit:
                return None
            mask = self.engine.mask(np.zeros(count, np.int32), frontier)
            rows, columns = np.nonzero(mask[:, operators])
            following = frontier[rows]
            done = self.engine.step(
                np.zeros(len(rows), np.int32), following, operators[columns],
                numbers[columns], texts=False,
            )  # fmt: skip
            fine = (done.outcomes == ACCEPTED) & (following[:, self.status] == RUNNING)
            new: list[int] = []
            longer: list[tuple[Action, ...]] = []
            for row in np.flatnonzero(fine).tolist():
                key = following[row, relevant].tobytes()
                if key in met or len(met) >= limit:
                    continue
                met.add(key)
                new.append(row)
                action = int(operators[columns[row]]), int(numbers[columns[row]])
                longer.append((*ways[int(rows[row])], action))
            frontier, ways = following[new], longer
        return None

    def possible(
        self, start: tuple[int, ...], operators: Ints, numbers: Ints
    ) -> tuple[Ints, States]:
        """Which of the actions would be accepted, and the states that follow."""
        mask = self.engine.mask(np.zeros(1, np.int32), self.rows(start, 1))
        columns = np.flatnonzero(mask[0, operators])
        states = self.rows(start, len(columns))
        done = self.engine.step(
            np.zeros(len(columns), np.int32), states, operators[columns], numbers[columns],
            texts=False,
        )  # fmt: skip
        fine = done.outcomes == ACCEPTED
        return columns[fine].astype(np.int32), states[fine]
