"""Objects that can stand for one another: four logs, two equal strings of beads.

In: a Machine and what matters in it. Out: `Alike`: sets of objects, and for each object the
variables that are its own, in the same order for all objects of a set.

**Argument.** Let two objects change places: each variable of the one changes values with the
same variable of the other, all else stays. If that maps the Machine to itself, that is, if every
derived variable computes what its counterpart computes with the places changed, if every command
is accepted where its counterpart is and stores the same, and if every rule is its own
counterpart, then it maps plays to plays of the same length that win and lose alike. So of all
states that come from one another by such changes of place one is enough: the objects of a set are
kept sorted by what they are. A set is made of objects each of which may change places with the
first of them, which lets them take any order. Whether the objects begin alike does not matter,
and nothing is asked about states: it is the programs that are compared.

That two programs do the same is shown by their diagrams (see `diagrams`), which do not hang on
the order in which things are counted. A variable that tells one object of a set by name (`the
one that is worn`) keeps them apart, as constants are never renamed. Where a program is too large
for a diagram, nothing is concluded and nothing left out.

Verdicts and shortest lengths are kept, as is whether a state is a dead end; the number of states
is not (that is the point). A plan is found by following the sorted states with unsorted ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from worldengine.machine.schema import Machine
from worldengine.modelcheck.programs.diagrams import Diagrams, Reading, Term, TooLarge
from worldengine.modelcheck.programs.silence import reads_of
from worldengine.modelcheck.programs.units import DERIVED, OPERATOR, RULE, Unit, scopes_of, units_of
from worldengine.modelcheck.reductions.cone import Cone

_WORD: Final = re.compile(r"[A-Za-z0-9_]+")
PAIRS = 200
"""Pairs of objects that are compared."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Objects, and the variables of each, column by column."""

    objects: tuple[int, ...]
    variables: tuple[tuple[int, ...], ...]


def alike_of(machine: Machine, cone: Cone) -> tuple[Alike, ...]:
    """See the module."""
    if cone.idle < 0:
        return ()
    work = _Work(machine, cone)
    found: list[Alike] = []
    left = PAIRS
    for candidates in work.candidates():
        sets: list[list[int]] = []
        for each in candidates:
            for members in sets:
                left -= 1
                if left < 0:
                    return tuple(found)
                if work.exchanged(members[0], each):
                    members.append(each)
                    break
            else:
                sets.append([each])
        for members in sets:
            if len(members) > 1:
                columns = tuple(tuple(work.own[m][p] for p in sorted(work.own[m])) for m in members)
                found.append(Alike(tuple(members), columns))
    return tuple(found)


class _Differs(Exception):
    """Two objects that cannot change places."""


@dataclass(slots=True)
class _Work:
    machine: Machine
    cone: Cone
    units: tuple[Unit, ...] = field(init=False)
    matters: frozenset[int] = field(init=False)
    own: dict[int, dict[str, int]] = field(init=False)
    derived: dict[str, int] = field(init=False)
    ground: dict[tuple[int, tuple[int, ...]], Unit] = field(init=False)
    support: dict[int, frozenset[int]] = field(init=False)

    def __post_init__(self) -> None:
        machine = self.machine
        self.units = units_of(machine)
        self.matters = frozenset(self.cone.variables)
        self.own = self._owned()
        self.derived = {d.name: machine.derived_base + i for i, d in enumerate(machine.derived)}
        acting = frozenset(self.cone.operators)
        self.ground = {
            (machine.operators[u.index].schema, machine.operators[u.index].arguments): u
            for u in self.units
            if u.kind == OPERATOR and u.index in acting
        }
        self.support = self._supports()

    def _owned(self) -> dict[int, dict[str, int]]:
        """For each object its variables, by their names with its own left out. Names only
        propose; what they propose is then proven."""
        ids = {each.id: index for index, each in enumerate(self.machine.objects)}
        found: dict[int, dict[str, int]] = {}
        for variable in self.cone.variables:
            name = self.machine.variables[variable].name
            for word in dict.fromkeys(_WORD.findall(name)):
                if word in ids:
                    found.setdefault(ids[word], {})[_renamed(name, {word: "*"})] = variable
        return found

    def _supports(self) -> dict[int, frozenset[int]]:
        """The variables, as they are now, that each derived one depends on."""
        machine, count = self.machine, len(self.machine.variables)
        direct = {
            machine.derived_base + u.index: frozenset(
                s for q in u.program for s in reads_of(q, machine)
            )
            for u in self.units
            if u.kind == DERIVED
        }
        found: dict[int, frozenset[int]] = {}
        for slot in direct:
            seen, waiting = {slot}, [slot]
            while waiting:
                for other in direct.get(waiting.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            found[slot] = frozenset(other for other in seen if other < count)
        return found

    def candidates(self) -> Iterator[list[int]]:
        """Objects whose variables have the same names and ranges, in the order of the Machine."""
        found: dict[object, list[int]] = {}
        for each in sorted(self.own):
            sign = tuple(
                (pattern, self._range(variable))
                for pattern, variable in sorted(self.own[each].items())
            )
            found.setdefault((self.machine.objects[each].role, sign), []).append(each)
        yield from (objects for objects in found.values() if len(objects) > 1)

    def _range(self, variable: int) -> object:
        part = self.machine.variables[variable]
        alike = self.cone.classes.get(variable, {})
        return part.kind, part.low, part.high, part.domain, tuple(sorted(alike.items()))

    # -- one pair --------------------------------------------------------------------------

    def exchanged(self, one: int, other: int) -> bool:
        """Whether the Machine is the same when two objects change places."""
        try:
            _Exchange(self, one, other).prove()
        except (_Differs, TooLarge):
            return False
        return True


class _Exchange:
    """Two objects changing places."""

    def __init__(self, work: _Work, one: int, other: int) -> None:
        self.work, self.machine = work, work.machine
        names = (self.machine.objects[one].id, self.machine.objects[other].id)
        self.words = dict(zip(names, reversed(names), strict=True))
        self.objects = {one: other, other: one}
        self.moved: dict[int, int] = {}
        count = len(self.machine.variables)
        for pattern, variable in work.own[one].items():
            twin = work.own[other][pattern]
            for slot, to in ((variable, twin), (twin, variable)):
                self.moved[slot], self.moved[slot + count] = to, to + count
        for name, slot in work.derived.items():
            twin_name = _renamed(name, self.words)
            if twin_name != name:
                self.moved[slot] = work.derived.get(twin_name, -1)

    def slot(self, slot: int) -> int:
        """The slot that changes places with this one, or itself."""
        found = self.moved.get(slot, slot)
        if found < 0 <= slot:
            raise _Differs(f"slot {slot} has no counterpart")
        return found

    def prove(self) -> None:
        """Every program against its counterpart."""
        asked: list[int] = []
        for unit in self.work.units:
            if unit.kind == OPERATOR:
                ground = self.machine.operators[unit.index]
                if self.work.ground.get((ground.schema, ground.arguments)) is not unit:
                    continue
                arguments = tuple(self.objects.get(a, a) for a in ground.arguments)
                twin = self.work.ground.get((ground.schema, arguments))
                if twin is None:
                    raise _Differs(f"operator {unit.index} has no counterpart")
                scopes = [sorted((self.slot(s), c) for s, c in scopes_of(self.machine, unit.index))]
                scopes.append(sorted(scopes_of(self.machine, twin.index)))
                if scopes[0] != scopes[1]:
                    raise _Differs(f"operator {unit.index} asks for another scope")
                asked += [s for s, _ in scopes_of(self.machine, unit.index)]
                self._same(unit, twin)
                asked += self._read(unit)
            elif unit.kind == RULE and self._stores(unit):
                self._same(unit, unit)
                asked += self._read(unit)
        self._formulas(asked)

    def _formulas(self, asked: list[int]) -> None:
        """Every derived variable that something asks for, directly or through others."""
        base = self.machine.derived_base
        formulas = {base + u.index: u for u in self.work.units if u.kind == DERIVED}
        waiting = [slot for slot in dict.fromkeys(asked) if slot in formulas]
        seen = set(waiting)
        while waiting:
            slot = waiting.pop()
            twin = self.slot(slot)
            parts = self.machine.derived[slot - base], self.machine.derived[twin - base]
            signs = [(part.kind, part.low, part.high, part.group) for part in parts]
            if signs[0] != signs[1]:
                raise _Differs(f"{parts[0].name} is of another kind")
            self._same(formulas[slot], formulas[twin])
            for other in self._read(formulas[slot]):
                if other in formulas and other not in seen:
                    seen.add(other)
                    waiting.append(other)

    def _read(self, unit: Unit) -> list[int]:
        return [slot for step in unit.program for slot in reads_of(step, self.machine)]

    def _stores(self, unit: Unit) -> bool:
        return any(a.target in self.work.matters for step in unit.program for a in step.assigns)

    def _touches(self, unit: Unit) -> bool:
        slots = [*self._read(unit), *(a.target for step in unit.program for a in step.assigns)]
        return any(slot in self.moved for slot in slots)

    def _same(self, unit: Unit, twin: Unit) -> None:
        if unit is twin and not self._touches(unit):
            return
        kept = self.work.matters
        base = self.machine.derived_base
        own = base + twin.index if unit.kind == DERIVED else -1

        def wanted(env: dict[int, Term], refused: bool) -> object:
            if refused:
                return "refused"
            left = (
                (slot, term) for slot, term in sorted(env.items()) if slot in kept or slot == own
            )
            return tuple((slot, term) for slot, term in left if term != ("slot", slot))

        room = Diagrams(self.machine, self.work.support)
        mapped = Reading(room, unit.program, self.slot, wanted).diagram()  # type: ignore[arg-type]
        plain = Reading(room, twin.program, lambda slot: slot, wanted).diagram()  # type: ignore[arg-type]
        if mapped != plain:
            raise _Differs(f"program {unit.index} differs from {twin.index}")


def _renamed(name: str, words: dict[str, str]) -> str:
    return _WORD.sub(lambda match: words.get(match[0], match[0]), name)
