"""What every command does to starts that are played abreast, from one belief.

In: a `World`, the rows of every variable. Out: for every way that a command may go the parts
that it may leave, what was lost or is doomed left out. See `proof` for what a belief is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import prod

from worldengine.machine.reads import reads
from worldengine.machine.schema import LOST, RUNNING, Machine
from worldengine.modelcheck.programs.spoken import spoken, spoken_halves
from worldengine.modelcheck.programs.units import number_range, scopes_of, units_of
from worldengine.modelcheck.programs.values import TooWide
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.untold.abreast import Abreast
from worldengine.modelcheck.untold.rows import (
    PRODUCTS,
    REFUSED,
    Point,
    Row,
    Rows,
    alike,
    numbered,
)

SINGLE = 64
"""Ways in which values are kept apart after one turn."""

Support = tuple[int, ...]
"""Starts."""
Parts = list[tuple[Support, dict[int, Rows]]]
"""What is still played by several starts, with their rows."""


class World:
    """The programs of a Machine as they are run here. `needs` are the slots that each derived
    value rests on, `users` the derived values that rest on a slot."""

    def __init__(self, reach: Reach) -> None:
        machine = self.machine = reach.machine
        self.reach, self.units = reach, units_of(machine)
        self.needs = _needs(machine)
        self.users: dict[int, list[int]] = {}
        for index, slots in enumerate(self.needs):
            for slot in slots:
                self.users.setdefault(slot, []).append(machine.derived_base + index)
        self.derived = [spoken(machine, each.program) for each in machine.derived]
        self.acts = [spoken_halves(machine, each) for each in machine.operators]
        self.rules = [spoken(machine, rule.program) for rule in machine.rules]


class Turns:
    """Turns of some starts in one belief: `rows` are those of every variable, `derived` those of
    derived values that were worked out. Values of the slots `apart` are kept apart."""

    def __init__(
        self,
        world: World,
        support: Support,
        rows: dict[int, Rows],
        derived: dict[int, Rows],
        apart: tuple[int, ...],
        doomed: Callable[[tuple[frozenset[int], ...]], bool],
    ) -> None:
        self.world, self.machine, self.support = world, world.machine, support
        self.rows, self.derived, self.apart, self.doomed = rows, derived, apart, doomed
        self.lanes = len(self.support)
        self.zero: Rows = frozenset({(0,) * self.lanes})
        self.abreast = Abreast(self.machine, self.lanes, self.rows_of, self.changed)

    # -- what is known -------------------------------------------------------------------

    def changed(self, slot: int) -> Iterable[int]:
        return self.world.users.get(slot, ())

    def rows_of(self, slot: int, point: Point) -> Rows:
        """What a slot may hold at a point."""
        known = point.known.get(slot)
        if known is not None:
            return known
        count = len(self.machine.variables)
        if slot < 2 * count:
            return self.rows[slot % count]
        if slot < self.machine.derived_base:
            return self.zero
        if self.world.needs[slot - self.machine.derived_base] & point.stored:
            found = point.known[slot] = self._derived(slot, point)
            return found
        kept = self.derived.get(slot)
        if kept is None:
            kept = self.derived[slot] = self._derived(slot, self._start())
        return kept

    def _start(self) -> Point:
        return Point((0,) * self.lanes, {}, frozenset(), (0,) * self.lanes, ((),) * self.lanes)

    def _derived(self, slot: int, point: Point) -> Rows:
        index = slot - self.machine.derived_base
        if self.machine.derived[index].group >= 0:
            return self._circular(slot, point)
        lines = self.world.derived[index]
        scratch = range(self.machine.register_base, self.machine.derived_base)
        known = {each: rows for each, rows in point.known.items() if each not in scratch}
        known[slot] = self.zero
        none = self._start()
        begin = replace(none, known=known, stored=point.stored - set(scratch))
        found: set[Row] = set()
        for end in self.abreast.run(lines, [begin], len(lines)):
            found |= end.known[slot]
        return frozenset(found)

    def _circular(self, slot: int, point: Point) -> Rows:
        """Values that depend on one another: the same in all lanes where what they rest on is."""
        values = sorted(self.world.reach.values[slot])
        needed = self.world.needs[slot - self.machine.derived_base]
        if all(alike(self.rows_of(each, point)) for each in needed):
            return frozenset((value,) * self.lanes for value in values)
        if len(values) ** self.lanes > PRODUCTS:
            raise TooWide("too many values that rest on one another")
        return frozenset(product(values, repeat=self.lanes))

    # -- turns ---------------------------------------------------------------------------

    def one_scope(self) -> bool:
        """Whether what is in scope is surely the same in all lanes."""
        start = self._start()
        slots = {row.slot for scope in self.machine.scopes for row in scope.rows if row.slot >= 0}
        return all(
            len({value != 0 for value in row}) == 1
            for slot in sorted(slots)
            for row in self.rows_of(slot, start)
        )

    def outcomes(self, operator: int) -> Iterator[Parts]:
        """What a command may leave, without what is lost: the parts of several starts that are
        still played, with their rows."""
        begin = self._begun(operator)
        if begin is None:
            return
        head, body = self.world.acts[operator]
        points: list[Point] = []
        for point in self.abreast.run(head, [begin], len(head)):
            self._act(point, points)
        for lines in (body, *self.world.rules):
            points = self.abreast.run(lines, [self._fresh(point) for point in points], len(lines))
        for point in points:
            for single in self._apart(point):
                yield from self._parts(single)

    def _begun(self, operator: int) -> Point | None:
        known: dict[int, Rows] = {}
        start = self._start()
        for slot, constant in scopes_of(self.machine, operator):
            if slot < 0 and constant == 0:
                return None
            if slot >= 0:
                rows = known.get(slot) or self.rows_of(slot, start)
                known[slot] = frozenset(row for row in rows if row[0] != 0)
                if not known[slot]:
                    return None
        number = self.machine.number_slot
        low, high = number_range(self.machine, operator) or (0, 0)
        known[number] = frozenset((value,) * self.lanes for value in range(low, high + 1))
        return Point((0,) * self.lanes, known, frozenset({number}), start.classes, start.traces)

    def _act(self, point: Point, points: list[Point]) -> None:
        """A point at the end of the requirements, where some lanes may be refused."""
        lanes = range(self.lanes)
        refused = [at == REFUSED for at in point.at]
        signs = [
            (refused[lane], point.classes[lane], point.traces[lane] if refused[lane] else ())
            for lane in lanes
        ]
        at = tuple(REFUSED if refused[lane] else 0 for lane in lanes)
        known, stored = dict(point.known), point.stored
        turn = self.machine.turn
        if turn >= 0 and not all(refused):
            high = self.machine.variables[turn].high
            known[turn] = frozenset(
                tuple(v if refused[lane] else min(v + 1, high) for lane, v in enumerate(row))
                for row in self.rows_of(turn, point)
            )
            stored |= {turn}
            for slot in self.changed(turn):
                known.pop(slot, None)
        begun = Point(at, known, stored, numbered(signs), ((),) * self.lanes)
        if not all(refused) or len(set(begun.classes)) > 1:
            self.abreast.joined(points, begun)

    def _fresh(self, point: Point) -> Point:
        """A point at the beginning of the next program."""
        scratch = range(self.machine.register_base, self.machine.derived_base)
        at = tuple(each if each == REFUSED else 0 for each in point.at)
        known = {slot: rows for slot, rows in point.known.items() if slot not in scratch}
        return Point(at, known, point.stored - set(scratch), point.classes, point.traces)

    def _apart(self, point: Point) -> Iterator[Point]:
        """A point for each of the values that are kept apart."""
        several = {
            slot: sorted(rows)
            for slot in self.apart
            if len(rows := self.rows_of(slot, point)) > 1 and alike(rows)
        }
        if prod(map(len, several.values())) > SINGLE:
            raise TooWide("too much is to be kept apart")
        for single in product(*several.values()):
            chosen = {slot: frozenset({row}) for slot, row in zip(several, single, strict=True)}
            known = {**point.known, **chosen}
            for slot in chosen:
                for user in self.changed(slot):
                    known.pop(user, None)
            yield replace(point, known=known, stored=point.stored | set(chosen))

    def _parts(self, point: Point) -> Iterator[Parts]:
        status = self.machine.status
        signs = numbered(list(zip(point.classes, point.traces, strict=True)))
        for ending in sorted(self.rows_of(status, point)):
            if LOST in ending:
                continue
            groups: dict[tuple[int, int], list[int]] = {}
            for lane in range(self.lanes):
                if ending[lane] == RUNNING:
                    groups.setdefault((signs[lane], ending[lane]), []).append(lane)
            told = len(groups) > 1 or any(ending) or self._news(point)
            parts = []
            for lanes in groups.values():
                rows = self._left(point, ending, lanes)
                if told and any(self._doomed(rows, place) for place in range(len(lanes))):
                    break
                if len(lanes) > 1:
                    parts.append((tuple(self.support[lane] for lane in lanes), rows))
            else:
                yield parts

    def _news(self, point: Point) -> bool:
        """Whether lanes differ in something new."""
        return any(
            not alike(point.known[slot]) and point.known[slot] != self.rows[slot]
            for slot in point.stored
            if slot < len(self.machine.variables)
        )

    def _left(self, point: Point, ending: Row, lanes: list[int]) -> dict[int, Rows]:
        """The rows of some lanes after a turn."""
        found: dict[int, Rows] = {}
        whole = len(lanes) == self.lanes
        for slot in range(len(self.machine.variables)):
            rows = self.rows_of(slot, point)
            found[slot] = (
                rows if whole else frozenset(tuple(row[lane] for lane in lanes) for row in rows)
            )
        found[self.machine.status] = frozenset({tuple(ending[lane] for lane in lanes)})
        return found

    def _doomed(self, rows: dict[int, Rows], place: int) -> bool:
        values = tuple(
            frozenset(row[place] for row in rows[slot])
            for slot in range(len(self.machine.variables))
        )
        return self.doomed(values)


def _needs(machine: Machine) -> list[frozenset[int]]:
    """The slots that each derived value rests on, through others too; prior ones as they are."""
    base = machine.derived_base
    direct = [frozenset(reads(each.program, machine)) for each in machine.derived]
    found = [set(each) for each in direct]
    changed = True
    while changed:
        changed = False
        for each in found:
            more = {s for d in each if d >= base for s in found[d - base]} - each
            if more:
                each |= more
                changed = True
    scratch = range(machine.register_base, base)
    return [frozenset(s for s in each if s < base and s not in scratch) for each in found]
