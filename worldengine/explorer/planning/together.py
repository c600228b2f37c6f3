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
from worldengine.explorer.planning.strolling import strolls
from worldengine.explorer.ways import Action
from worldengine.machine.schema import ACCEPTED, LOST, WON

FOLLOWED = 300
"""Ways that are followed for one question at most."""
ENDS = 2
"""Ends of ways of each start that are followed by all."""
WALKS = 6
"""States from which ends elsewhere are looked for."""
PROBES = 24
"""Steps that tell starts apart which are tried for one group."""


Ends = dict[tuple[bytes, frozenset[Action], int], list[Way]]
"""By a state, what was done before, and the start that has ways of its own, -1 for none."""
Own = dict[int, tuple[Way, ...]]
"""By start the ways that are taken to be its own."""


class Together:
    """One question; see the module. `strict` allows no step that some start would refuse;
    `careful` prefers ways of which no step is left undone."""

    def __init__(
        self, replayer: Replayer, ways: tuple[Way, ...], strict: bool, done: frozenset[Action],
        moves: frozenset[int], looks: tuple[Action, ...], careful: bool,
        ends: Ends, others: Callable[[int, States, frozenset[Action]], list[Way]], own: Own,
    ) -> None:  # fmt: skip
        """`ends` are those that were found before, by others with the same ways; `others` gives
        ways of a start from a state that do not do again what was done. A start that has `own`
        ways goes to its win by no other."""
        self._replayer = replayer
        self._ways = ways
        self._strict = strict
        self._done = self._first = done
        self._others = others
        self._own = own
        self._whose: dict[Way, frozenset[int]] = {}
        for start, mine in own.items():
            for way in mine:
                self._whose[way] = self._whose.get(way, frozenset()) | {start}
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
        self, starts: tuple[int, ...], rows: States, left: Left, rest: Way = (),
        whose: frozenset[int] | None = None,
    ) -> Paths | None:  # fmt: skip
        """Steps for every start, None if no way was found for some. `rest` is tried first; it
        leads only the starts that it is `whose` to a win."""
        if left <= 0:
            return None
        if len(starts) == 1:
            mine = whose is None or starts[0] in whose
            return self._alone(starts[0], rows, left, rest if mine else ())
        key = starts, rows.tobytes()
        failed = self._failed.get(key)
        if failed is not None and failed.more(left):
            return None
        trails: list[tuple[Way, States]] = [((), rows)]
        for whole in (True, False)[not self._careful :]:
            tried: set[Way] = set()
            for way, of in self._worth(starts, rows, rest, whose):
                theirs = of is None or not of.isdisjoint(starts)
                if way and theirs and way not in tried and self._left > 0:
                    tried.add(way)
                    found = self._followed(starts, rows, way, left, trails, whole, of)
                    if found is not None:
                        return found
        found = None
        if self._own:
            found = self._probed(starts, trails, left, self._looks)
        if found is None:
            found = self._probed(starts, trails, left, self._actions)
        if found is None:
            self._failed[key] = left
        return found

    def _worth(
        self, starts: tuple[int, ...], rows: States, rest: Way, whose: frozenset[int] | None
    ) -> Iterator[tuple[Way, frozenset[int] | None]]:
        """The ways that are worth following, the likeliest first, and the starts that each
        leads to a win, None for all."""
        yield rest, whose
        for at, start in enumerate(starts):
            of = frozenset({start}) if start in self._own else None
            for end in self.ends(start, rows[at])[:ENDS]:
                yield end, self._whose.get(end, of)
        for way in self._ways:
            yield way, self._whose.get(way)

    def _alone(self, start: int, rows: States, left: Left, rest: Way) -> Paths | None:
        spare: Way | None = None
        if rest:
            kept = self._replayer.kept(rows[0], rest)
            if kept is not None and len(kept) <= left:
                undone = {step for step in rest if step[0] not in self._moves} - {*kept}
                if not undone or not self._careful:
                    return {start: kept}
                spare = kept
        best = next((end for end in self.ends(start, rows[0]) if len(end) <= left), spare)
        return None if best is None else {start: best}

    def ends(self, start: int, row: States) -> list[Way]:
        """Ends of known ways that win a start from a state."""
        key = row.tobytes(), self._done, start if start in self._own else -1
        found = self._ends.get(key)
        if found is None:
            found = self._endings(start, row) or self._from_elsewhere(start, row)
            self._ends[key] = found
        return found

    def _endings(self, start: int, row: States) -> list[Way]:
        ways = self._own.get(start, self._ways)
        again = ways[:1]
        if self._careful and self._done is not self._first:
            again = tuple(self._others(start, row, self._done))
            ways = (*again, *ways)
        (found,) = self._replayer.endings(row[None], ways, self._done, self._moves, self._careful)
        if start not in self._own:
            return found
        wholly = [each for way in again if (each := self._wholly(row, way)) is not None]
        return list(dict.fromkeys((*wholly, *found)))

    def _wholly(self, row: States, way: Way) -> Way | None:
        """What wins of a way of which no step is left undone, moves aside."""
        kept = self._replayer.kept(row, way)
        if kept is None or {step for step in way if step[0] not in self._moves} - {*kept}:
            return None
        return kept

    def _from_elsewhere(self, start: int, row: States) -> list[Way]:
        """Ends that win from another place, with the walk there."""
        found: list[Way] = []
        self._walks -= 1
        if self._walks < 0:
            return found
        for walk, there in self._replayer.walks(row, self._moves):
            found += [(*walk, *end) for end in self._endings(start, there)[:1]]
            if len(found) >= ENDS:
                break
        return sorted(found, key=len)

    def _followed(
        self, starts: tuple[int, ...], rows: States, way: Way, left: Left,
        trails: list[tuple[Way, States]], whole: bool, whose: frozenset[int] | None,
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
                    mine = whose is None or whose.issuperset(starts)
                    return dict.fromkeys(starts, said) if mine else None
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
            rest = way[at + 1 :]
            return self._parts(starts, after, signs, (*said, action), left, rest, whose)
        return None

    def _parts(
        self, starts: tuple[int, ...], after: States, signs: np.ndarray, said: Way, left: Left,
        rest: Way, whose: frozenset[int] | None,
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
            part = self.paths(who, after[members], left - len(said), rest, whose)
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
            found = self._parts(starts, after, signs, (*said, action), left, (), None)
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
        walks = (
            strolls(self._replayer, self._steps, trails[0][1]) if actions is self._actions else ()
        )
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
