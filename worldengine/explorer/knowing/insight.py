"""What can be worked out of a world before anybody plays it: tables, rooms, known ways.

In: a Machine. Out: `Insight`, kept by the Machine's hash. Nothing in it depends on where a
play starts, but for the ways: steps that have won from some start, in a useful order. What a
player makes of them depends on what it believes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from worldengine.batch import Engine
from worldengine.explorer.imagining.reading import Words
from worldengine.explorer.imagining.replaying import Ints, Replayer
from worldengine.explorer.knowing.augmented import Augmented, augmented
from worldengine.explorer.knowing.quieting import quiet_operators
from worldengine.explorer.knowing.sampling import sampled
from worldengine.explorer.ready import engine_for
from worldengine.explorer.ways import Action, places_of, ways_of
from worldengine.machine import Machine
from worldengine.machine.reads import reads, with_blocks, writes
from worldengine.machine.schema import CONST, State
from worldengine.memo import by_machine
from worldengine.modelcheck.programs.counters import counters
from worldengine.modelcheck.relaxation.actions import every_action

NODES = 250
"""Nodes of one search for the way to a step."""
FEW = 12
"""Numbers of one operator that are tried without having been shown."""


@dataclass(frozen=True)
class Insight:
    """See the module; parts are made when first asked for."""

    machine: Machine

    @cached_property
    def rules(self) -> Augmented:
        return augmented(self.machine)

    @cached_property
    def replayer(self) -> Replayer:
        """Plays ways in imagined worlds, with the variables of known rules."""
        made = self.rules.machine
        place = made.objects[made.player].location
        return Replayer(engine_for(made), made.status, place)

    @cached_property
    def samples(self) -> tuple[tuple[int, ...], ...]:
        """The values a player may think of, for each variable; () where it knows the value."""
        return sampled(self.machine)

    @cached_property
    def engine(self) -> Engine:
        """Steps hypotheses side by side."""
        return engine_for(self.machine)

    @cached_property
    def starts(self) -> tuple[tuple[int, State], ...]:
        """Every start once, with the first number it has."""
        found: dict[State, int] = {}
        for variant in range(len(self.machine.variants)):
            found.setdefault(self.machine.start(variant), variant)
        return tuple((variant, state) for state, variant in found.items())

    @cached_property
    def _reader(self) -> Words:
        return Words(self.engine)

    def words(self, ids: npt.NDArray[np.int64]) -> Ints:
        """What the ids of `engine`'s texts say: equal numbers for equal words."""
        return self._reader.numbers(ids)

    @cached_property
    def counters(self) -> frozenset[int]:
        return frozenset(counters(self.machine)) | {self.machine.turn}

    @cached_property
    def ways(self) -> tuple[tuple[Action, ...], ...]:
        """Plays that won from some start, as actions."""
        return ways_of(self.machine)

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """For every way the place of each step, as far as the map tells it."""
        return tuple(places_of(self.machine, way, self.moves) for way in self.ways)

    @cached_property
    def actions(self) -> tuple[np.ndarray, np.ndarray]:
        """Commands to try: operators and numbers, long ranges of numbers left out."""
        every = every_action(self.machine)
        kept = np.array(
            [self._short(int(operator)) for operator in every.operators], np.bool_
        ).reshape(-1)
        return every.operators[kept].astype(np.int32), every.numbers[kept].astype(np.int32)

    def _short(self, operator: int) -> bool:
        schema = self.machine.schemas[self.machine.operators[operator].schema]
        return all(p.type != "number" or p.high - p.low < FEW for p in schema.parameters)

    @cached_property
    def means(self) -> np.ndarray:
        """Which of `actions` may help on the way to a step: they are of a kind that a way
        uses, or that moves the player, things or doors, and about things a way is about."""
        machine = self.machine
        used = {operator for way in self.ways for operator, _ in way}
        schemas = {machine.operators[operator].schema for operator in used}
        about = {value for operator in used for value in machine.operators[operator].arguments}
        own = machine.objects[machine.player].location
        for operator in machine.operators:
            targets = writes(operator.program[operator.body :], machine)
            for slot in targets:
                if slot == own or (
                    slot < len(machine.variables) and machine.variables[slot].name.endswith(".open")
                ):
                    schemas.add(operator.schema)
        roles = ("place", "exit", "door", "concept")
        fits = [
            item in about or machine.objects[item].role in roles
            or "container" in machine.objects[item].kinds
            for item in range(len(machine.objects))
        ]  # fmt: skip
        operators, _ = self.actions
        kept = []
        for operator in operators.tolist():
            ground = machine.operators[operator]
            parameters = machine.schemas[ground.schema].parameters
            kept.append(
                ground.schema in schemas
                and operator not in self.rules.never
                and all(
                    parameter.type != "object" or fits[value]
                    for parameter, value in zip(parameters, ground.arguments, strict=True)
                )
            )
        return np.array(kept, np.uint8)

    @cached_property
    def quiet(self) -> frozenset[int]:
        """See `quieting`."""
        return quiet_operators(self.machine, self.rules.never)

    @cached_property
    def blank(self) -> frozenset[int]:
        """Operators that change nothing themselves."""
        return frozenset(
            index
            for index, operator in enumerate(self.machine.operators)
            if not any(True for _ in writes(operator.program[operator.body :], self.machine))
        )

    def achieved(self, way: tuple[Action, ...]) -> dict[int, int | None]:
        """The constants that the steps of a way store in variables, where they store no other;
        None for a fact that they count."""
        found: dict[int, int | None] = {}
        several: set[int] = set()
        for operator, _ in way:
            for variable, value in self._stores[operator].items():
                if found.setdefault(variable, value) != value:
                    several.add(variable)
        return {variable: value for variable, value in found.items() if variable not in several}

    @cached_property
    def deeds(self) -> dict[int, int | None]:
        """The same of all ways."""
        return self.achieved(tuple(action for way in self.ways for action in way))

    @cached_property
    def _stores(self) -> tuple[dict[int, int | None], ...]:
        machine = self.machine
        width = len(machine.variables)
        found: list[dict[int, int | None]] = []
        for operator in machine.operators:
            stored: dict[int, int | None] = {}
            for step in with_blocks(operator.program[operator.body :], machine):
                for assign in step.assigns:
                    if assign.target >= width:
                        continue
                    if assign.op == CONST:
                        stored[assign.target] = assign.constant
                    elif machine.variables[assign.target].role == "fact":
                        stored[assign.target] = None
            found.append(stored)
        return tuple(found)

    def vague(self, way: tuple[Action, ...]) -> npt.NDArray[np.bool_]:
        """Which steps are one of several exits that one command of a way may have meant."""
        named = [self._direction(operator) for operator, _ in way]
        found = np.zeros(len(way), np.bool_)
        for at in range(len(way) - 1):
            if named[at] and named[at] == named[at + 1] and way[at] != way[at + 1]:
                found[at : at + 2] = True
        return found

    def _direction(self, operator: int) -> str:
        """The direction of the exit that an action is about, "" for others."""
        about = self.machine.operators[operator].arguments
        return next((each.direction for each in self.machine.exits if each.object in about), "")

    def asked(self, operator: int) -> frozenset[int]:
        """The variables that the requirements of an operator ask about, by way of what is
        derived, too."""
        machine = self.machine
        ground = machine.operators[operator]
        width, base = len(machine.variables), machine.derived_base
        waiting = list(reads(ground.program[: ground.body], machine))
        met: set[int] = set()
        while waiting:
            slot = waiting.pop()
            if slot in met:
                continue
            met.add(slot)
            if slot >= base:
                waiting += reads(machine.derived[slot - base].program, machine)
        return frozenset(slot if slot < width else slot - width for slot in met if slot < 2 * width)

    @cached_property
    def moves(self) -> frozenset[int]:
        """Operators that take the player elsewhere."""
        own = self.machine.objects[self.machine.player].location
        return frozenset(
            index
            for index, operator in enumerate(self.machine.operators)
            if own in writes(operator.program[operator.body :], self.machine)
        )

    @cached_property
    def lids(self) -> tuple[int, ...]:
        """Variables that tell whether something is open."""
        return tuple(i for i, v in enumerate(self.machine.variables) if v.name.endswith(".open"))

    @cached_property
    def openers(self) -> frozenset[int]:
        """Operators that open something and do little else."""
        return frozenset(each for each in self.quiet if self.changes(each).intersection(self.lids))

    @cached_property
    def looks(self) -> tuple[Action, ...]:
        """The actions of `quiet` operators."""
        operators, numbers = self.actions
        return tuple(
            (operator, number)
            for operator, number in zip(operators.tolist(), numbers.tolist(), strict=True)
            if operator in self.quiet
        )

    @cached_property
    def relevant(self) -> np.ndarray:
        """Variables that tell states apart in a search."""
        return np.array(
            [v for v in range(len(self.machine.variables)) if v not in self.counters], np.int32
        )

    @cached_property
    def pause(self) -> Action | None:
        """Something that changes nothing and can be done anywhere, one that the ways use first;
        None if there is none."""
        used = {operator for way in self.ways for operator, _ in way}
        found = [
            index
            for index in self.blank
            if not self.machine.operators[index].arguments
            and not self.machine.operators[index].requirements
        ]
        return min(((each, 0) for each in found), key=lambda a: (a[0] not in used, a), default=None)

    def changes(self, operator: int) -> frozenset[int]:
        """The variables that an operator writes itself."""
        ground = self.machine.operators[operator]
        slots = writes(ground.program[ground.body :], self.machine)
        return frozenset(slot for slot in slots if slot < len(self.machine.variables))

    @cached_property
    def lasting(self) -> np.ndarray:
        """Variables that tell whether a step has changed anything."""
        return np.setdiff1d(self.relevant, self.noted)

    @cached_property
    def noted(self) -> np.ndarray:
        """Variables that only keep a note of what went on."""
        aside = ("turn", "once", "milestone")
        return np.array(
            [v for v, each in enumerate(self.machine.variables) if each.role in aside], np.int32
        )


@by_machine(4)
def insight_of(machine: Machine) -> Insight:
    """The insight into a Machine, made once."""
    return Insight(machine)
