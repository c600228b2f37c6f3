"""Known ways: the plays that a script brings along, as actions, whatever the start.

In: a Machine. Out: lists of actions. Commands are read by their words alone: no start is
played, so nothing of what is hidden there is in a way that the words do not say. Only where
words mean an exit of the place one is in is the place kept track of, by the map.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.runtime import runtime_of

Action = tuple[int, int]


def ways_of(machine: Machine) -> tuple[tuple[Action, ...], ...]:
    """Every proof once, without the commands that cannot be read."""
    location = machine.objects[machine.player].location
    begins = machine.start(0)[location] if location >= 0 else -1
    found: dict[tuple[Action, ...], None] = {}
    for proof in machine.proofs:
        place = begins
        way: list[Action] = []
        for command in proof:
            action = _read(machine, command, place)
            if action is not None:
                way.append(action)
                place = _led(machine, action[0], place)
        if way:
            found[tuple(way)] = None
    return tuple(found)


def _read(machine: Machine, command: str, place: int) -> Action | None:
    """The first action that the words mean, of exits the one that starts here."""
    matcher = runtime_of(machine).matcher
    for reading in matcher.readings(command):
        if not reading.in_range:
            continue

        def here(word: str, item: int) -> bool:
            exits = [each for each in machine.exits if each.object == item]
            return not exits or exits[0].place == place

        meant, _ = matcher._meant(reading, here)
        if meant:
            return meant[0], reading.number
    return None


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
