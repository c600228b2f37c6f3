"""A world put into a state that somebody describes by names.

In: a Machine, a variant, commands played first, values set after them. Out: a state.
Refused with `SituationError`, in a sentence: names that are no part of the state, values
that they cannot have, commands that are refused on the way.

Names are those of the state: `lamp.lit`, `player.in`, `told(anna, tea)`. Values are true and
false, numbers, names of objects and of values, `none` and `nowhere`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from worldengine.machine.schema import NONE, Machine, State, Variable

Value: TypeAlias = bool | int | str
Values: TypeAlias = Mapping[str, Value]


class SituationError(ValueError):
    """No such situation in this world; the message is for people."""


def situation(machine: Machine, variant: int, after: Sequence[str], given: Values) -> State:
    """See the module."""
    if not 0 <= variant < len(machine.variants):
        raise SituationError(f"there is no variant {variant}: there are {len(machine.variants)}")
    state = machine.start(variant)
    for number, command in enumerate(after, start=1):
        turn = machine.step(state, command)
        if not turn.accepted:
            raise SituationError(
                f"command {number} of the way there is refused: {command}: {turn.observation}"
            )
        state = turn.state
        if turn.status != "running" and number < len(after):
            raise SituationError(f"the game is {turn.status} after command {number}: {command}")
    return changed(machine, state, given)


def changed(machine: Machine, state: State, given: Values) -> State:
    """`state` with these values in it."""
    slots = {variable.name: index for index, variable in enumerate(machine.variables)}
    made = list(state)
    for name, value in given.items():
        if name not in slots:
            raise SituationError(_unknown(machine, name, tuple(slots)))
        index = slots[name]
        made[index] = number_of(machine, machine.variables[index], value)
    return tuple(made)


def value_at(machine: Machine, state: State, name: str) -> Value:
    """How a value of the state is called here; the reverse of what `changed` reads."""
    number = number_at(machine, state, name)
    variable = next(each for each in machine.variables if each.name == name)
    return called(machine, variable, number)


def number_at(machine: Machine, state: State, name: str) -> int:
    """The number that stands for a value of the state."""
    for index, variable in enumerate(machine.variables):
        if variable.name == name:
            return state[index]
    raise SituationError(_unknown(machine, name, tuple(v.name for v in machine.variables)))


def called(machine: Machine, variable: Variable, number: int) -> Value:
    if variable.kind == "bool":
        return bool(number)
    if variable.kind == "int":
        return number
    if number == NONE:
        return "nowhere" if variable.role == "location" else "none"
    if variable.kind == "enum":
        return machine.symbols[number].id
    return machine.objects[number].id if variable.kind == "ref" else machine.strings[number]


def number_of(machine: Machine, variable: Variable, value: Value) -> int:
    """A value as the state holds it."""
    if variable.kind == "bool" and isinstance(value, bool):
        return int(value)
    if variable.kind == "int" and isinstance(value, int) and not isinstance(value, bool):
        if variable.low <= value <= variable.high:
            return value
        raise SituationError(
            f"{variable.name} cannot be {value}: it is {variable.low} to {variable.high}"
        )
    if isinstance(value, str):
        for number in _values(machine, variable):
            if _fits(called(machine, variable, number), value):
                return number
    known = [str(called(machine, variable, number)) for number in _values(machine, variable)]
    raise SituationError(
        f"{variable.name} cannot be {value!r}: it is one of {', '.join(known) or 'no names'}"
    )


def _fits(name: Value, value: str) -> bool:
    return name == value or {name, value} == {"none", "nowhere"}


def _values(machine: Machine, variable: Variable) -> tuple[int, ...]:
    return variable.domain if variable.kind in ("enum", "ref", "text") else ()


def _unknown(machine: Machine, name: str, names: tuple[str, ...]) -> str:
    near = get_close_matches(name, names, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{name} is no part of the state of {machine.name} (or never changes){meant}"
