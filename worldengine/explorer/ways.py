"""Known ways: the plays that a script brings along, as actions, whatever the start.

In: a Machine. Out: lists of actions. Commands are read by their words alone: no start is
played, so nothing of what is hidden there is in a way that the words do not say. Only where
words mean an exit of the place one is in is the place kept track of, by the map.
"""

from __future__ import annotations

from itertools import product

from worldengine.machine import Machine
from worldengine.machine.schema import Parameter
from worldengine.memo import by_machine
from worldengine.runtime import runtime_of

WORLDS = 8

Action = tuple[int, int]
Way = tuple[Action, ...]


def ways_of(machine: Machine) -> tuple[Way, ...]:
    """Every proof once, without the commands that cannot be read."""
    return tuple(dict.fromkeys(way for proof in machine.proofs if (way := _way(machine, proof))))


@by_machine(WORLDS)
def own_ways(machine: Machine) -> tuple[Way, ...]:
    """The way of every start, where a script has as many proofs as starts: they stand in one
    order. Nothing is played for it. () for other scripts."""
    if len(machine.proofs) != len(machine.variants):
        return ()
    return tuple(_way(machine, proof) for proof in machine.proofs)


def _way(machine: Machine, proof: tuple[str, ...]) -> Way:
    """The commands of a proof, as far as they can be read."""
    location = machine.objects[machine.player].location
    place = machine.start(0)[location] if location >= 0 else -1
    way: list[Action] = []
    for command in proof:
        action = _read(machine, command, place)
        if action is not None:
            way.append(action)
            place = _led(machine, action[0], place)
            continue
        # Something else moved the player. Of all exits of that name only the one that
        # is there will be accepted; the others are passed over.
        exits = _anywhere(machine, command)
        way += exits
        place = -1 if exits else place
    return tuple(way)


def places_of(machine: Machine, way: tuple[Action, ...], moves: frozenset[int]) -> tuple[int, ...]:
    """The place at which each step of a way is done, going by the map; -1 where the map does
    not tell, once something else than an exit has moved the player. `moves` are the operators
    that may."""
    location = machine.objects[machine.player].location
    place = machine.start(0)[location] if location >= 0 else -1
    found: list[int] = []
    exits = {each.object: each.place for each in machine.exits}
    for operator, _ in way:
        if place < 0:  # where an exit is taken one must have been
            about = machine.operators[operator].arguments
            place = next((exits[each] for each in about if each in exits), -1)
        found.append(place)
        if operator not in moves:
            continue
        led = _led(machine, operator, place)
        about = machine.operators[operator].arguments
        if led == place and not any(each.object in about for each in machine.exits):
            led = -1
        place = led
    return tuple(found)


def _read(machine: Machine, command: str, place: int) -> Action | None:
    """The first action that the words mean, of exits the one that starts here."""
    matcher = runtime_of(machine).matcher
    for reading in matcher.readings(command):
        if not reading.in_range:
            continue
        if reading.operator >= 0:
            return reading.operator, reading.number
        kept = [
            [value for value in values if _starts_here(machine, value, parameter, place)]
            for values, parameter in zip(
                reading.choices, machine.schemas[reading.schema].parameters, strict=True
            )
        ]
        for values in product(*kept):
            operator = matcher.operators.get((reading.schema, values))
            if operator is not None:
                return operator, reading.number
    return None


def _anywhere(machine: Machine, command: str) -> list[Action]:
    """The actions of all exits that the words may mean."""
    matcher = runtime_of(machine).matcher
    for reading in matcher.readings(command):
        found = [
            (operator, reading.number)
            for values in product(*reading.choices)
            if (operator := matcher.operators.get((reading.schema, values))) is not None
        ]
        if found:
            return found
    return []


def _starts_here(machine: Machine, value: int, parameter: Parameter, place: int) -> bool:
    """Whether a value is no exit of another place."""
    if parameter.type != "object":
        return True
    return all(each.place == place for each in machine.exits if each.object == value)


def _led(machine: Machine, operator: int, place: int) -> int:
    """The place after an action, going by the map."""
    ground = machine.operators[operator]
    for value, parameter in zip(
        ground.arguments, machine.schemas[ground.schema].parameters, strict=True
    ):
        if parameter.type != "object":
            continue
        for each in machine.exits:
            if each.object == value and each.place == place:
                return each.target
        role = machine.objects[value].role
        if role == "place" and parameter.scope == "adjacent":
            return value
    return place
