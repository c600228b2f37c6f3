"""Which mechanics a Machine has, read off the Machine itself, whoever wrote the world.

In: a Machine. Out: names of mechanics, sorted. A mechanic counts if something in the world can
make use of it, not if the language's library would allow it.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.machine import Machine
from worldengine.machine.schema import LOGIC, PLACE

LIMITED_CARRYING = 12
"""Fewer things in hand than this are a limit; more are none."""


def mechanics_of(machine: Machine) -> tuple[str, ...]:
    """See the module."""
    return tuple(sorted(set(_found(machine))))


def _found(machine: Machine) -> Iterator[str]:
    yield from _things(machine)
    yield from _commands(machine)
    yield from _time(machine)
    if any(item.role == "fact" for item in machine.variables):
        yield "facts"
    if any(item.group >= 0 for item in machine.derived):
        yield "networks"
    if len(machine.variants) > 1:
        yield "variants"
    if any(rule.kind == "lose" for rule in machine.rules):
        yield "losing"
    yield from _numbers(machine)


def _things(machine: Machine) -> Iterator[str]:
    roles = [item.role for item in machine.objects]
    kinds = {kind for item in machine.objects for kind in (item.kind, *item.kinds)}
    if roles.count("place") > 1:
        yield "map"
    if "door" in roles:
        yield "doors"
    if any(item.conditional for item in machine.exits):
        yield "conditional exits"
    if "person" in roles:
        yield "persons"
    for kind, name in (("container", "containers"), ("surface", "surfaces"), ("device", "devices")):
        if kind in kinds:
            yield name
    names = {variable.name.rsplit(".", 1)[-1]: variable for variable in machine.variables}
    for attribute, name in (("locked", "locks"), ("worn", "wearing"), ("light", "light")):
        if attribute in names:
            yield name
    if any(role == "concept" for role in roles):
        yield "topics and modes"


def _commands(machine: Machine) -> Iterator[str]:
    own = [schema for schema in machine.schemas if schema.own]
    if any(parameter.type == "number" for schema in own for parameter in schema.parameters):
        yield "number commands"
    if any(len(schema.parameters) > 1 for schema in own):
        yield "two-object commands"
    if any(parameter.type == "symbol" for schema in own for parameter in schema.parameters):
        yield "settings"
    refused = {
        step.refuse
        for operator in machine.operators
        if machine.schemas[operator.schema].own
        for step in operator.program
    }
    if LOGIC in refused:
        yield "refusals of state"
    if PLACE in refused:
        yield "refusals of place"


def _time(machine: Machine) -> Iterator[str]:
    if any(rule.kind == "rule" for rule in machine.rules):
        yield "processes"
    if machine.turn >= 0:
        yield "clock"
    if any(variable.role == "once" for variable in machine.variables):
        yield "events"


def _numbers(machine: Machine) -> Iterator[str]:
    own = [item for item in machine.variables if item.role == "attribute"]
    if any(item.kind == "int" for item in own):
        yield "counters"
    if any(item.kind == "enum" for item in own):
        yield "stages"
    if any(item.kind == "ref" for item in own):
        yield "references"
