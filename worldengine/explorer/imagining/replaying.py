"""Playing lists of steps in imagined worlds, side by side.

In: the engine of a world, states that are imagined, steps. Out: which steps are refused, what
is read and where a win comes, for every row; the way to a state in which one more step would
be accepted. All stepping is the batch engine's; rows are states, columns variables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from worldengine.batch import Engine
from worldengine.batch.tables.layout import FINISHED
from worldengine.explorer.imagining.playing import gone, keys_of, padded
from worldengine.explorer.imagining.reading import Words
from worldengine.explorer.imagining.stepping import Action as Action
from worldengine.explorer.imagining.stepping import States as States
from worldengine.explorer.imagining.stepping import Stepper
from worldengine.explorer.imagining.stepping import Way as Way
from worldengine.machine.schema import ACCEPTED, RUNNING, WON

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
REMEMBERED = 4_000
"""Ways to a step that are remembered before all are forgotten."""
TOGETHER = 2_048
"""Rows that take one step side by side: more would not fit into fast memory."""


@dataclass(frozen=True, slots=True)
class Played:
    """`won[row]` is the number of steps up to the win, 0 without one; `refused[row, step]`."""

    won: Ints
    refused: Bools
    running: Bools
    """Whether a row was still running before a step; `texts[row, step]` where asked for."""
    texts: Ints
    accepted: Ints
    """How many steps were accepted, by row."""


class Replayer(Stepper):
    """Replays on one engine of one Machine."""

    def __init__(self, engine: Engine, status: int, place: int) -> None:
        super().__init__(engine, status, place)
        self.words = Words(engine)
        self._approached: dict[tuple[object, ...], Way | None] = {}

    def read(self, rows: States, action: Action) -> tuple[States, Ints, npt.NDArray[np.int8]]:
        """One step in every row: the states after it, signs that are equal where what is read
        and whether it is over are, the outcomes."""
        count = len(rows)
        return self.read_each(
            rows.copy(), np.full(count, action[0], np.int32), np.full(count, action[1], np.int32)
        )

    def read_each(
        self, rows: States, operators: Ints, numbers: Ints
    ) -> tuple[States, Ints, npt.NDArray[np.int8]]:
        """The same with a step for each row; the rows change in place."""
        done = self.engine.step(np.zeros(len(rows), np.int32), rows, operators, numbers)
        signs = self.words.numbers(done.texts) * 3 + rows[:, self.status].astype(np.int32)
        return rows, signs, done.outcomes

    def apart(self, rows: States, actions: list[Action]) -> Bools:
        """(action, row but the last): whether after one step it reads otherwise than in the
        last row, or is over where that is not."""
        size = len(rows)
        found = np.empty((len(actions), size - 1), np.bool_)
        some = max(TOGETHER // size, 1)
        for at in range(0, len(actions), some):
            part = np.array(actions[at : at + some], np.int32)
            steps = np.repeat(part, size, axis=0)
            _, signs, _ = self.read_each(
                np.tile(rows, (len(part), 1)), np.ascontiguousarray(steps[:, 0]),
                np.ascontiguousarray(steps[:, 1]),
            )  # fmt: skip
            signs = signs.reshape(len(part), size)
            found[at : at + some] = signs[:, :-1] != signs[:, -1:]
        return found

    def accepted(self, start: tuple[int, ...], way: Way) -> list[bool]:
        """Which steps of a way are accepted; one that is refused, or comes after the end, leaves
        all as it was."""
        steps = np.array(way, np.int32).reshape(-1, 1, 2)
        operators, numbers = (
            np.ascontiguousarray(steps[..., 0]),
            np.ascontiguousarray(steps[..., 1]),
        )
        went = gone(self.engine, self.rows(start, 1), operators, numbers, self.status, False)
        return [outcome == ACCEPTED for outcome in went.outcomes[:, 0].tolist()]

    def told(self, start: tuple[int, ...], actions: list[Action]) -> list[str]:
        """What each of some actions would tell."""
        if not actions:
            return []
        steps = np.array(actions, np.int32)
        rows = self.rows(start, len(actions))
        done = self.engine.step(
            np.zeros(len(actions), np.int32), rows, np.ascontiguousarray(steps[:, 0]),
            np.ascontiguousarray(steps[:, 1]),
        )  # fmt: skip
        return self.words.texts(done.texts)

    def play(self, states: States, way: Way, texts: bool = False) -> Played:
        """Play a way in every row; states change in place."""
        count = len(states)
        steps = np.array(way, np.int32).reshape(-1, 1, 2)
        return self._played(states, np.repeat(steps, count, axis=1), texts)

    def play_each(self, states: States, ways: list[Way], texts: bool = False) -> Played:
        """Play a way of its own in every row; states change in place."""
        return self._played(states, padded(ways, max(map(len, ways), default=0)), texts)

    def _played(self, states: States, steps: Ints, texts: bool) -> Played:
        """`steps` is (step, row, 2)."""
        operators = np.ascontiguousarray(steps[:, :, 0])
        numbers = np.ascontiguousarray(steps[:, :, 1])
        went = gone(self.engine, states, operators, numbers, self.status, texts)
        alive = went.outcomes != FINISHED
        meant = alive & (operators >= 0)
        fine = meant & (went.outcomes == ACCEPTED)
        ended = fine & (went.ends == WON)
        won = np.where(ended.any(axis=0), ended.argmax(axis=0) + 1, 0).astype(np.int32)
        read = self.words.numbers(went.texts)
        return Played(won, (meant & ~fine).T, alive.T, read.T, fine.sum(axis=0, dtype=np.int32))

    def wins(self, start: tuple[int, ...], way: Way) -> bool:
        return bool(self.play(self.rows(start, 1), way).won[0])

    def kept(self, row: States, way: Way) -> Way | None:
        """What is accepted of a way up to its win, None if it does not win."""
        played = self.play(row[None].copy(), way)
        if not played.won[0]:
            return None
        return tuple(way[at] for at in range(int(played.won[0])) if not played.refused[0, at])

    def endings(
        self, rows: States, ways: tuple[Way, ...], done: frozenset[Action],
        moves: frozenset[int], careful: bool = False,
    ) -> list[list[Way]]:  # fmt: skip
        """For each row: of every way the end that wins from there, what is refused left out,
        which passes over the fewest steps that have not been `done`, moves aside; the shortest
        of those. The best way first. Who is `careful` counts what is refused on the way, too,
        and does what was done again only where there is nothing else."""
        found: list[list[Way]] = [[] for _ in rows]
        begins = self._begins(rows, ways)
        if not begins:
            return found
        ends = [ways[index][at:] for _, index, at, _ in begins]
        played = self.play_each(rows[[row for row, _, _, _ in begins]], ends)
        passed = [_passed(way, done, moves) for way in ways]
        best: dict[tuple[int, int], tuple[int, int, int, int, int]] = {}
        for place in np.flatnonzero(played.won).tolist():
            row, index, _, skipped = begins[place]
            over, again = passed[index][skipped], 0
            if careful:
                for k, step in enumerate(ends[place][: played.won[place]]):
                    if step[0] not in moves:
                        over += bool(played.refused[place, k]) and step not in done
                        again += not played.refused[place, k] and step in done
            score = over, again, int(played.accepted[place]), index, place
            best[row, index] = min(best.get((row, index), score), score)
        for (row, _), (*_, place) in sorted(best.items(), key=lambda each: each[1]):
            won, end = int(played.won[place]), ends[place]
            found[row].append(tuple(end[k] for k in range(won) if not played.refused[place, k]))
        return found

    def _begins(self, rows: States, ways: tuple[Way, ...]) -> list[tuple[int, int, int, int]]:
        """Where an end of a way may begin: (row, way, step, the first of the steps before it
        that are refused there, which changes nothing)."""
        actions = tuple(dict.fromkeys(action for way in ways for action in way))
        if not actions:
            return []
        count, size = len(actions), len(rows)
        steps = np.tile(np.array(actions, np.int32), (size, 1))
        done = self.engine.step(
            np.zeros(count * size, np.int32), np.repeat(rows, count, axis=0),
            np.ascontiguousarray(steps[:, 0]), np.ascontiguousarray(steps[:, 1]), texts=False,
        )  # fmt: skip
        taken = done.outcomes.reshape(size, count) == ACCEPTED
        number = {action: at for at, action in enumerate(actions)}
        found: list[tuple[int, int, int, int]] = []
        for index, way in enumerate(ways):
            fits = taken[:, [number[action] for action in way]]
            for row in range(size):
                skipped = 0
                for at in np.flatnonzero(fits[row]).tolist():
                    found.append((row, index, at, skipped))
                    skipped = at + 1
        return found

    def states_of(self, start: tuple[int, ...], way: Way) -> tuple[tuple[int, ...], ...]:
        """The state after every step."""
        return self.states_of_each(self.rows(start, 1), [way])[0]

    def states_of_each(self, rows: States, ways: list[Way]) -> list[tuple[tuple[int, ...], ...]]:
        """For each row, the state after every step of its way."""
        longest = max(map(len, ways), default=0)
        steps = padded(ways, longest)
        passed = np.zeros((longest, *rows.shape), rows.dtype)
        gone(
            self.engine, rows.copy(), np.ascontiguousarray(steps[:, :, 0]),
            np.ascontiguousarray(steps[:, :, 1]), self.status, False, passed,
        )  # fmt: skip
        return [tuple(map(tuple, passed[: len(way), row].tolist())) for row, way in enumerate(ways)]

    def approach(
        self, start: tuple[int, ...], step: Action, operators: Ints, numbers: Ints,
        relevant: Ints, limit: int,
    ) -> Way | None:  # fmt: skip
        """The shortest way to a state in which a step is accepted, by the actions given;
        None if none is found within `limit` states."""
        key = (
            np.array(start, self.kind).tobytes(), step, operators.tobytes(), numbers.tobytes(),
            limit,
        )  # fmt: skip
        if len(self._approached) >= REMEMBERED:
            self._approached.clear()
        if key not in self._approached:
            self._approached[key] = self._approach(start, step, operators, numbers, relevant, limit)
        return self._approached[key]

    def _approach(
        self, start: tuple[int, ...], step: Action, operators: Ints, numbers: Ints,
        relevant: Ints, limit: int,
    ) -> Way | None:  # fmt: skip
        frontier = self.rows(start, 1)
        ways: list[Way] = [()]
        met = set(keys_of(frontier, relevant))
        while len(frontier):
            tried = frontier.copy()
            count = len(tried)
            worlds = np.zeros(count, np.int32)
            done = self.engine.step(
                worlds, tried, np.full(count, step[0], np.int32),
                np.full(count, step[1], np.int32), texts=False,
            )  # fmt: skip
            fits = np.flatnonzero(done.outcomes == ACCEPTED)
            if len(fits):
                return ways[int(fits[0])]
            if len(met) >= limit:
                return None
            rows, columns = np.nonzero(self.engine.mask(worlds, frontier)[:, operators])
            following = frontier[rows]
            done = self.engine.step(
                np.zeros(len(rows), np.int32), following, operators[columns],
                numbers[columns], texts=False,
            )  # fmt: skip
            fine = (done.outcomes == ACCEPTED) & (following[:, self.status] == RUNNING)
            new: list[int] = []
            for row, key in zip(
                np.flatnonzero(fine).tolist(), keys_of(following[fine], relevant), strict=True
            ):
                if key not in met and len(met) < limit:
                    met.add(key)
                    new.append(row)
            begun, last = rows[new].tolist(), columns[new]
            actions = zip(operators[last].tolist(), numbers[last].tolist(), strict=True)
            ways = [(*ways[row], action) for row, action in zip(begun, actions, strict=True)]
            frontier = following[new]
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


def _passed(way: Way, done: frozenset[Action], moves: frozenset[int]) -> list[int]:
    """How many steps that have not been done are passed over by who begins at each step."""
    found = [0]
    for action in way:
        found.append(found[-1] + (action not in done and action[0] not in moves))
    return found
