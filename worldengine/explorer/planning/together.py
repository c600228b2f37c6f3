"""Ways that win from all starts at once, going by what is read.

In: supposed states, one a start, known ways, turns. Out: for every start the steps to its win;
starts that have read the same so far are given the same step. A known way is played in all of
them; where the words differ each part goes on by itself. Where a part has no way on, a step
that tells the starts apart is looked for before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from worldengine.explorer.believing.turnsleft import Left
from worldengine.explorer.imagining.replaying import Replayer, States
from worldengine.explorer.planning.parting import Paths, Way
from worldengine.explorer.ways import Action
from worldengine.machine.schema import ACCEPTED, LOST, WON

FOLLOWED = 300
"""Ways that are followed for one question at most."""
ENDS = 2
"""Ends of ways of each start that are followed by all."""
WALKS = 6
"""States from which ends elsewhere are looked for."""
STROLLS = 16
"""Places that are walked to for something that tells starts apart."""
PROBES = 24
"""Steps that tell starts apart which are tried for one group."""


Ends = dict[tuple[bytes, frozenset[Action]], list[Way]]
"""By a state and what was done before."""


class Together:
    """One question; see the module. `strict` allows no step that some start would refuse;
    `careful` prefers ways of which no step is left undone."""

    def __init__(
        self, replayer: Replayer, ways: tuple[Way, ...], strict: bool, done: frozenset[Action],
        moves: frozenset[int], looks: tuple[Action, ...], careful: bool,
        ends: Ends, others: Callable[[States, frozenset[Action]], list[Way]],
    ) -> None:  # fmt: skip
        """`ends` are those that were found before, by others with the same ways; `others` gives
        ways from a state that do not do again what was done."""
        self._replayer = replayer
        self._ways = ways
        self._strict = strict
        self._done = self._first = done
        self._others = others
        self._moves = moves
        self._careful = careful
        self._ends = ends
        self._left = FOLLOWED
        self._walks = WALKS
        self._steps = np.array(sorted(moves), np.int32)
        self._failed: dict[tuple[tuple[int, ...], bytes], Left] = {}
        self._actions = tuple(dict.fromkeys((*(a for way in ways for a in way), *looks)))
        self._looks = tuple(dict.fromkeys(looks))
        self._quiet = frozenset(operator for operator, _ in looks)
        self._asked: set[tuple[tuple[int, ...], bytes]] = set()

    def paths(
        self, starts: tuple[int, ...], rows: States, left: Left, rest: Way = ()
    ) -> Paths | None:
        """Steps for every start, None if no way was found for some. `rest` is tried first."""
        if left <= 0:
            return None
        if len(starts) == 1:
            return self._alone(starts[0], rows, left, rest)
        key = starts, rows.tobytes()
        failed = self._failed.get(key)
        if failed is not None and failed.more(left):
            return None
        trails: list[tuple[Way, States]] = [((), rows)]
        for whole in (True, False)[not self._careful :]:
            tried: set[Way] = set()
            for way in self._worth(rows, rest):
                if way and way not in tried and self._left > 0:
                    tried.add(way)
                    found = self._followed(starts, rows, way, left, trails, whole)
                    if found is not None:
                        return found
        found = self._probed(starts, trails, left, self._actions)
        if found is None:
            self._failed[key] = left
        return found

    def _worth(self, rows: States, rest: Way) -> Iterator[Way]:
        """The ways that are worth following, the likeliest first."""
        yield rest
        for at in range(len(rows)):
            yield from self.ends(rows[at])[:ENDS]
        yield from self._ways

    def _alone(self, start: int, rows: States, left: Left, rest: Way) -> Paths | None:
        spare: Way | None = None
        if rest:
            kept = self._replayer.kept(rows[0], rest)
            if kept is not None and len(kept) <= left:
                undone = {step for step in rest if step[0] not in self._moves} - {*kept}
                if not undone or not self._careful:
                    return {start: kept}
                spare = kept
        best = next((end for end in self.ends(rows[0]) if len(end) <= left), spare)
        return None if best is None else {start: best}

    def ends(self, row: States) -> list[Way]:
        """Ends of known ways that win from a state."""
        key = row.tobytes(), self._done
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._endings(row) or self._from_elsewhere(row)
        return found

    def _endings(self, row: States) -> list[Way]:
        ways = self._ways
        if self._careful and self._done is not self._first:
            ways = (*self._others(row, self._done), *ways)
        (found,) = self._replayer.endings(row[None], ways, self._done, self._moves, self._careful)
        return found

    def _from_elsewhere(self, row: States) -> list[Way]:
        """Ends that win from another place, with the walk there."""
        found: list[Way] = []
        self._walks -= 1
        if self._walks < 0:
            return found
        for walk, there in self._replayer.walks(row, self._moves):
            found += [(*walk, *end) for end in self._endings(there)[:1]]
            if len(found) >= ENDS:
                break
        return sorted(found, key=len)

    def _followed(
        self, starts: tuple[int, ...], rows: States, way: Way, left: Left,
        trails: list[tuple[Way, States]], whole: bool,
    ) -> Paths | None:  # fmt: skip
        """A way in all starts at once. What lies on it goes into `trails`. `whole`: no step
        is passed over that would be refused and was not done yet, moves aside."""
        self._left -= 1
        said: Way = ()
        for at, action in enumerate(way):
            if len(said) >= left:
                return None
            after, signs, outcomes = self._replayer.read(rows, action)
            ends = after[:, self._replayer.status]
            if (signs == signs[0]).all():
                if outcomes[0] != ACCEPTED:
                    if whole and action not in self._done and action[0] not in self._moves:
                        return None
                    continue
                if ends[0] == LOST:
                    return None
                said = (*said, action)
                if ends[0] == WON:
                    return dict.fromkeys(starts, said)
                rows = after
                trails.append((said, rows))
                continue
            if self._strict and (outcomes != ACCEPTED).any():
                return None
            if self._careful and action[0] not in self._quiet | self._moves:
                # what is done by one start's way may not be undone: what can be read comes first
                key = starts, rows.tobytes()
                if key not in self._asked:
                    self._asked.add(key)
                    found = self._probed(starts, trails, left, self._looks)
                    if found is not None:
                        return found
            return self._parts(starts, after, signs, (*said, action), left, way[at + 1 :])
        return None

    def _parts(
        self, starts: tuple[int, ...], after: States, signs: np.ndarray, said: Way, left: Left,
        rest: Way,
    ) -> Paths | None:  # fmt: skip
        """Every part that was told apart by itself; None if one has no way on."""
        ends = after[:, self._replayer.status]
        if (ends == LOST).any():
            return None
        found: Paths = {}
        for sign in dict.fromkeys(signs.tolist()):
            members = np.flatnonzero(signs == sign)
            who = tuple(starts[member] for member in members.tolist())
            if ends[members[0]] == WON:
                found |= dict.fromkeys(who, said)
                continue
            done = self._done
            if self._careful:
                self._done = done.union(said)
            part = self.paths(who, after[members], left - len(said), rest)
            self._done = done
            if part is None:
                return None
            found |= {start: (*said, *path) for start, path in part.items()}
        return found

    def _probed(
        self, starts: tuple[int, ...], trails: list[tuple[Way, States]], left: Left,
        actions: tuple[Action, ...],
    ) -> Paths | None:  # fmt: skip
        for tried, (said, rows, action) in enumerate(self._telling(trails, actions)):
            if tried >= PROBES or self._left <= 0:
                return None
            self._left -= 1
            if len(said) >= left:
                continue
            after, signs, _ = self._replayer.read(rows, action)
            found = self._parts(starts, after, signs, (*said, action), left, ())
            if found is not None:
                return found
        return None

    def _telling(
        self, trails: list[tuple[Way, States]], actions: tuple[Action, ...]
    ) -> Iterator[tuple[Way, States, Action]]:
        """Which of some steps would tell starts apart, after the steps that lead to them: those
        of known ways, and walks."""
        count = len(actions)
        operators = np.array([operator for operator, _ in actions], np.int32)
        numbers = np.array([number for _, number in actions], np.int32)
        met: set[bytes] = set()
        beliefs: dict[bytes, tuple[Way, States]] = {}
        # what can be read is looked for on the way alone: a walk may be what no rule allows
        walks = self._strolls(trails[0][1]) if actions is self._actions else ()
        for said, rows in (*walks, *trails):
            beliefs.setdefault(rows.tobytes(), (said, rows))
        for said, rows in sorted(beliefs.values(), key=lambda each: len(each[0])):
            tried = np.repeat(rows, count, axis=0)
            size = len(rows)
            after, signs, outcomes = self._replayer.read_each(
                tried, np.tile(operators, size), np.tile(numbers, size)
            )
            signs, outcomes = signs.reshape(size, count), outcomes.reshape(size, count)
            ends = after[:, self._replayer.status].reshape(size, count)
            fits = (signs != signs[:1]).any(axis=0) & (ends != LOST).all(axis=0)
            if self._strict:
                fits &= (outcomes == ACCEPTED).all(axis=0)
            for column in np.flatnonzero(fits).tolist():
                key = after.reshape(size, count, -1)[:, column].tobytes()
                if key not in met:
                    met.add(key)
                    yield said, rows, actions[column]

    def _strolls(self, rows: States) -> Iterator[tuple[Way, States]]:
        """Walks from here on which all starts read the same."""
        place = self._replayer.place
        met = {int(rows[0, place])}
        waiting: list[tuple[Way, States]] = [((), rows)]
        count, size = len(self._steps), len(rows)
        while waiting and count and len(met) < STROLLS:
            walk, here = waiting.pop(0)
            after, signs, outcomes = self._replayer.read_each(
                np.repeat(here, count, axis=0), np.tile(self._steps, size),
                np.zeros(count * size, np.int32),
            )  # fmt: skip
            signs, outcomes = signs.reshape(size, count), outcomes.reshape(size, count)
            after = after.reshape(size, count, -1)
            same = (signs == signs[:1]).all(axis=0) & (outcomes[0] == ACCEPTED)
            for at in np.flatnonzero(same & (after[0, :, self._replayer.status] == 0)).tolist():
                there = int(after[0, at, place])
                if there in met:
                    continue
                met.add(there)
                walked = (*walk, (int(self._steps[at]), 0)), np.ascontiguousarray(after[:, at])
                yield walked
                waiting.append(walked)
