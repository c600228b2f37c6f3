"""Things that one name may mean at once: told where they begin side by side.

In: the finished Machine, for it knows where each thing can be. Two things of one display name
that can both be in scope are an error if a start puts them together, else a warning; an alias
that is another's name in the same place is a warning.
"""

from __future__ import annotations

from worldengine.compiler.reporter import Reporter
from worldengine.compiler.tables import Tables
from worldengine.diagnostics import Label
from worldengine.machine.schema import NONE, Machine, State
from worldengine.matching.normal import normalise, without_article

NAMED = frozenset({"thing", "person", "door", "concept", "place"})
Rooms = frozenset[int]


def check_names(machine: Machine, tables: Tables, reporter: Reporter) -> None:
    """Report namesakes; see the module."""
    bearers: dict[str, list[tuple[int, bool]]] = {}
    for index, item in enumerate(machine.objects):
        if item.role in NAMED:
            bearers.setdefault(_plain(item.name), []).append((index, True))
            for alias in item.aka:
                bearers.setdefault(_plain(alias), []).append((index, False))
    contested = {name: who for name, who in bearers.items() if len(who) > 1}
    if not contested:
        return
    rooms = _Rooms(machine)
    for name, who in contested.items():
        for place, (index, is_name) in enumerate(who):
            for other, other_is_name in who[:place]:
                if other != index and (is_name or other_is_name):
                    both = is_name and other_is_name
                    _pair(tables, reporter, rooms, name, (other, index), both)


def _plain(name: str) -> str:
    """A name as it is typed: "the gem" is found as "gem" too."""
    return without_article(normalise(name))


def _pair(
    tables: Tables,
    reporter: Reporter,
    rooms: _Rooms,
    name: str,
    pair: tuple[int, int],
    both: bool,
) -> None:
    first, second = (tables.objects[index] for index in pair)
    together = rooms.begin_together(*pair)
    label = [Label(first.span, "the other one")]
    if both and together:
        reporter.error(
            "name-shared",
            second.span,
            f'`{first.id}` and `{second.id}` are both called "{name}" and '
            f"{'are reached from' if first.role == 'place' else 'are in'} one place",
            "a player could name neither: give one another name",
            label,
        )
    elif both and rooms.can_meet(*pair):
        reporter.warning(
            "name-shared-later",
            second.span,
            f'`{first.id}` and `{second.id}` are both called "{name}" and may meet',
            "where they do, a player can name neither: give one another name",
            label,
        )
    elif together:
        reporter.warning(
            "alias-is-a-name",
            second.span,
            f'"{name}" means `{first.id}` as well as `{second.id}`, in one place',
            "one bears it as its name, the other as an alias: drop the alias",
            label,
        )


class _Rooms:
    """Where each object can be: places, the player, or -2 for what is everywhere."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.starts = tuple(machine.start(index) for index in range(len(machine.variants)))[:64]
        self._possible: dict[int, Rooms] = {}

    def begin_together(self, first: int, second: int) -> bool:
        return any(self._room(first, state) & self._room(second, state) for state in self.starts)

    def can_meet(self, first: int, second: int) -> bool:
        return bool(self._all_rooms(first) & self._all_rooms(second))

    def _room(self, index: int, state: State) -> Rooms:
        seen: set[int] = set()
        while index not in seen and index != NONE:
            seen.add(index)
            item = self.machine.objects[index]
            if item.role in ("place", "concept", "door", "player"):
                return self._ends(index, len(seen) == 1)
            index = item.fixed if item.location < 0 else state[item.location]
        return frozenset()

    def _ends(self, index: int, named: bool = False) -> Rooms:
        item = self.machine.objects[index]
        if item.role == "place" and named:  # a place is named from those beside it
            return frozenset(e.place for e in self.machine.exits if e.target == index)
        if item.role == "door":
            exits = [e for e in self.machine.exits if e.door == index]
            return frozenset(e.place for e in exits)
        return frozenset({-2} if item.role == "concept" else {index})

    def _all_rooms(self, start: int) -> Rooms:
        if start not in self._possible:
            found: set[int] = set()
            seen: set[int] = set()
            todo = [start]
            while todo:
                index = todo.pop()
                if index in seen or index == NONE:
                    continue
                seen.add(index)
                item = self.machine.objects[index]
                if item.role in ("place", "concept", "door", "player"):
                    found |= self._ends(index, index == start)
                elif item.location < 0:
                    todo.append(item.fixed)
                else:
                    todo.extend(self.machine.variables[item.location].domain)
            self._possible[start] = frozenset(found)
        return self._possible[start]
