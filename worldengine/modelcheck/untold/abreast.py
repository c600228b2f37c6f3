"""Several starts abreast: what one program does to all of them, in sets.

In: a Machine, the values that each variable may have in the lanes side by side, a program. Out:
where each lane may come out, with which values, and which lanes have surely said the same.

A lane is one start's play; all lanes are given the same commands. A *row* holds a slot's value
in every lane, and a slot's rows are all that may occur together: that two lanes agree is kept,
while two slots forget one another. Lanes at the same step take it together. Where a test parts
them the one that is behind goes first, so they meet again where the program does.

**Why nothing is missed.** Every play of the lanes stays inside the rows, step by step: a test
keeps the rows that answer it so, an assignment makes every row it may make, ways that meet are
joined. Lanes count as told apart unless they surely said the same texts with the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product

from worldengine.machine.schema import IS_UNDEFINED, Assign, Machine, Test
from worldengine.modelcheck.programs.spoken import Line
from worldengine.modelcheck.programs.values import TooWide, true
from worldengine.modelcheck.untold.rows import (
    PRODUCTS,
    REFUSED,
    Point,
    Row,
    Rows,
    Trace,
    alike,
    numbered,
    stored_by,
)

APART = 16
"""Ways to one step that are kept apart because lanes differ in other things on them."""


class Abreast:
    """Programs over rows. `rows_of(slot, point)` gives those of a slot; `changed(slot)` the
    derived slots to forget once a variable is stored; `status` is always kept apart."""

    def __init__(
        self,
        machine: Machine,
        lanes: int,
        rows_of: Callable[[int, Point], Rows],
        changed: Callable[[int], Iterable[int]],
    ) -> None:
        self.machine, self.lanes = machine, lanes
        self.rows_of, self.changed = rows_of, changed
        self._words = numbered([(text.kind, text.parts) for text in machine.texts])

    def run(self, lines: Sequence[Line], begin: Sequence[Point], end: int) -> list[Point]:
        """All the ways from step 0 of lanes that stand at 0 until each has passed `end` or was
        refused. Lanes that stand elsewhere are left where they are."""
        waiting: dict[int, list[Point]] = {}
        done: list[Point] = []
        for point in begin:
            self._arrive(point, end, waiting, done)
        while waiting:
            first = min(waiting)
            for point in waiting.pop(first):
                lanes = tuple(lane for lane in range(self.lanes) if point.at[lane] == first)
                for after in self._stepped(lines[first], first, lanes, point):
                    self._arrive(after, end, waiting, done)
        return done

    def _arrive(
        self, point: Point, end: int, waiting: dict[int, list[Point]], done: list[Point]
    ) -> None:
        under_way = [at for at in point.at if at < end]
        first = min(under_way, default=end)
        here = [lane for lane, at in enumerate(point.at) if at != REFUSED]
        if here and len({point.at[lane] for lane in here}) == 1 and any(point.traces):
            point = self._met(point, here)
        self.joined(waiting.setdefault(first, []) if under_way else done, point)

    def _met(self, point: Point, lanes: Sequence[int]) -> Point:
        """Lanes that are at the same step again: what they said on the way counts now."""
        met = set(lanes)
        signs = [
            (True, sign, trace) if lane in met else (False, sign, ())
            for lane, (sign, trace) in enumerate(zip(point.classes, point.traces, strict=True))
        ]
        traces = tuple(() if lane in met else t for lane, t in enumerate(point.traces))
        return replace(point, classes=numbered(signs), traces=traces)

    def joined(self, points: list[Point], point: Point) -> None:
        """Add a point, to one of its like if there is one."""
        same = [
            index
            for index, other in enumerate(points)
            if (other.at, other.classes, other.traces) == (point.at, point.classes, point.traces)
        ]
        differs = self._differing(point)
        status = self.machine.status
        for index in same:
            other = points[index]
            fits = self.rows_of(status, other) == self.rows_of(status, point)
            if fits and (len(same) >= APART or self._differing(other) == differs):
                points[index] = self._merged(other, point)
                return
        if len(same) >= 2 * APART:
            raise TooWide("the starts differ in too many ways")
        points.append(point)

    def _differing(self, point: Point) -> dict[int, Rows]:
        known = point.known
        return {slot: known[slot] for slot in point.stored if not alike(known[slot])}

    def _merged(self, one: Point, other: Point) -> Point:
        stored = one.stored | other.stored
        known: dict[int, Rows] = {}
        for slot in dict.fromkeys((*one.known, *other.known)):
            mine, theirs = one.known.get(slot), other.known.get(slot)
            if mine is not None and theirs is not None:
                known[slot] = mine if mine is theirs else mine | theirs
            elif slot in stored:
                known[slot] = self.rows_of(slot, one) | self.rows_of(slot, other)
        return replace(one, known=known, stored=stored)

    # -- one step ------------------------------------------------------------------------

    def _stepped(
        self, line: Line, place: int, lanes: tuple[int, ...], point: Point
    ) -> Iterable[Point]:
        for holding, known in self._tested(line.tests, lanes, point):
            at = list(point.at)
            for lane in lanes:
                at[lane] = line.other
            after = replace(point, known=known)
            if holding:
                for assign in line.assigns:
                    after = self._assigned(assign, holding, after)
                traces = list(after.traces)
                if line.text >= 0:
                    self._say(line, place, holding, after, traces)
                for lane in holding:
                    at[lane] = REFUSED if line.refuse else line.then
                    if line.refuse:
                        traces[lane] = (*traces[lane], ("refused", line.refuse))
                after = replace(after, traces=tuple(traces))
            yield replace(after, at=tuple(at))

    def _tested(
        self, tests: tuple[Test, ...], lanes: tuple[int, ...], point: Point
    ) -> list[tuple[tuple[int, ...], dict[int, Rows]]]:
        """Which of the lanes may hold all the tests together, and what is known then."""
        ways: list[tuple[tuple[int, ...], dict[int, Rows]]] = [(lanes, dict(point.known))]
        for test in tests:
            more: list[tuple[tuple[int, ...], dict[int, Rows]]] = []
            for holding, known in ways:
                if holding:
                    more += self._answered(test, holding, replace(point, known=known))
                else:
                    more.append((holding, known))
            ways = more
        found: dict[tuple[int, ...], dict[int, Rows]] = {}
        for holding, known in ways:  # ways on which the same lanes hold are one
            if holding in found:
                one, other = replace(point, known=found[holding]), replace(point, known=known)
                found[holding] = self._merged(one, other).known
            else:
                found[holding] = known
        return list(found.items())

    def _answered(
        self, test: Test, lanes: tuple[int, ...], point: Point
    ) -> list[tuple[tuple[int, ...], dict[int, Rows]]]:
        lefts = self.rows_of(test.left, point)
        found: dict[tuple[int, ...], tuple[set[Row], set[Row]]] = {}
        if test.right < 0 or test.op == IS_UNDEFINED:
            for left in lefts:
                holds = tuple(lane for lane in lanes if true(test, left[lane]))
                found.setdefault(holds, (set(), set()))[0].add(left)
            return [
                (holds, {**point.known, test.left: frozenset(kept)})
                for holds, (kept, _) in found.items()
            ]
        rights = self.rows_of(test.right, point)
        if len(lefts) * len(rights) > PRODUCTS:
            if alike(lefts) and alike(rights):
                return [(lanes, point.known), ((), dict(point.known))]
            raise TooWide("too many values are compared")
        for left, right in product(lefts, rights):
            holds = tuple(lane for lane in lanes if true(test, left[lane], right[lane]))
            kept = found.setdefault(holds, (set(), set()))
            kept[0].add(left)
            kept[1].add(right)
        ways = []
        for holds, (left_rows, right_rows) in found.items():
            known = {**point.known, test.left: frozenset(left_rows)}
            if test.right != test.left:
                known[test.right] = frozenset(right_rows)
            ways.append((holds, known))
        return ways

    def _say(
        self,
        line: Line,
        place: int,
        lanes: tuple[int, ...],
        point: Point,
        traces: list[Trace],
    ) -> None:
        """Notes down what lanes say; nothing where all say the same at once."""
        values: list[tuple[object, ...]] = [() for _ in lanes]
        same = True
        for slot, constant in line.arguments:
            rows = self.rows_of(slot, point) if slot >= 0 else frozenset({(constant,) * self.lanes})
            shared = all(row[lanes[0]] == row[lane] for row in rows for lane in lanes)
            same = same and shared
            for index, lane in enumerate(lanes):
                single = {row[lane] for row in rows}
                if len(single) == 1:
                    token: object = single.pop()
                else:
                    token = (place, slot) if shared else (place, slot, lane)
                values[index] = (*values[index], token)
        if same and len(lanes) == self.lanes and not any(traces):
            return
        for index, lane in enumerate(lanes):
            traces[lane] = (*traces[lane], (self._words[line.text], values[index]))

    def _assigned(self, assign: Assign, lanes: tuple[int, ...], point: Point) -> Point:
        """An assignment in some of the lanes."""
        known = dict(point.known)
        known[assign.target] = stored_by(
            self.machine, assign, lanes, self.lanes, lambda slot: self.rows_of(slot, point)
        )
        for slot in self.changed(assign.target):
            known.pop(slot, None)
        return replace(point, known=known, stored=point.stored | {assign.target})
