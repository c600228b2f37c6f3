"""Lookups precomputed from a Machine, shared by every turn and never changed.

In: a validated Machine. Out: `Tables`. It answers, in one index operation each: which
bounds a stored value stops at, which derived variables go stale when a variable changes,
which derived variables make up a recursive group, and where a scope is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from worldengine.machine.reads import reads, writes
from worldengine.machine.schema import REGISTERS, SATURATION, Machine, Program

MANY = 48
"""With more dependents than this, marking everything stale at once is the cheaper way."""

Bounds = tuple[int, int]
Rows = Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Tables:
    """See the module. Slots are numbered as `worldengine.machine.schema` lays them out."""

    machine: Machine
    variables: int
    register_base: int
    derived_base: int
    rest: tuple[int, ...]
    bounds: tuple[Bounds, ...]
    dependents: tuple[tuple[int, ...] | None, ...]
    programs: tuple[Program, ...]
    blocks: tuple[Program, ...]
    groups: tuple[int, ...]
    members: Mapping[int, tuple[int, ...]]
    uses: tuple[tuple[int, ...], ...]
    readers: tuple[tuple[int, ...], ...]
    scratch: tuple[bool, ...]
    scopes: Mapping[str, Rows]
    operator_scopes: tuple[tuple[tuple[str, int], ...], ...]
    number_parameters: tuple[int, ...]


def tables_of(machine: Machine) -> Tables:
    """Everything the interpreter looks up, from a machine that has been validated."""
    base = machine.derived_base
    direct = [reads(derived.program, machine) for derived in machine.derived]
    uses = tuple(tuple(slot - base for slot in slots if slot >= base) for slots in direct)
    members: dict[int, list[int]] = {}
    for index, derived in enumerate(machine.derived):
        if derived.group >= 0:
            members.setdefault(derived.group, []).append(index)
    return Tables(
        machine=machine,
        variables=len(machine.variables),
        register_base=machine.register_base,
        derived_base=base,
        rest=(0,) * (1 + REGISTERS + len(machine.derived)),
        bounds=_bounds(machine),
        dependents=_dependents(machine, direct, uses),
        programs=tuple(derived.program for derived in machine.derived),
        blocks=tuple(block.program for block in machine.blocks),
        groups=tuple(derived.group for derived in machine.derived),
        members={group: tuple(indices) for group, indices in members.items()},
        uses=uses,
        readers=_readers(uses),
        scratch=tuple(_uses_registers(derived.program, machine) for derived in machine.derived),
        scopes={
            scope.word: {row.object: (row.slot, row.constant) for row in scope.rows}
            for scope in machine.scopes
        },
        operator_scopes=tuple(
            scoped_arguments(machine, index) for index in range(len(machine.operators))
        ),
        number_parameters=tuple(number_parameter(machine, i) for i in range(len(machine.schemas))),
    )


def scoped_arguments(machine: Machine, operator: int) -> tuple[tuple[str, int], ...]:
    """(scope word, object) of every argument of an operator that has to be in a scope."""
    schema = machine.schemas[machine.operators[operator].schema]
    pairs = zip(schema.parameters, machine.operators[operator].arguments, strict=True)
    return tuple(
        (parameter.scope, value)
        for parameter, value in pairs
        if parameter.type == "object" and parameter.scope not in ("", "anywhere")
    )


def number_parameter(machine: Machine, schema: int) -> int:
    """The position of the number parameter of a schema, or -1."""
    for position, parameter in enumerate(machine.schemas[schema].parameters):
        if parameter.type == "number":
            return position
    return -1


def _bounds(machine: Machine) -> tuple[Bounds, ...]:
    """Where a stored value stops, by slot; references and symbols are stored as they are."""
    anything = (-SATURATION, SATURATION)
    bounds = [anything] * machine.slots
    for slot, variable in enumerate(machine.variables):
        if variable.kind in ("bool", "int"):
            bounds[slot] = (variable.low, variable.high)
    for index, derived in enumerate(machine.derived):
        if derived.kind in ("bool", "int"):
            bounds[machine.derived_base + index] = (derived.low, derived.high)
    return tuple(bounds)


def _uses_registers(program: Program, machine: Machine) -> bool:
    registers = range(machine.register_base, machine.derived_base)
    return any(slot in registers for slot in writes(program, machine))


def _readers(uses: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """For every derived variable, those whose programs read it."""
    readers: list[list[int]] = [[] for _ in uses]
    for index, used in enumerate(uses):
        for other in used:
            readers[other].append(index)
    return tuple(tuple(found) for found in readers)


def _dependents(
    machine: Machine, direct: list[tuple[int, ...]], uses: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...] | None, ...]:
    """For the variables and the number slot: the derived variables that a change makes
    stale, through any number of others; None where there are so many that all may go."""
    count, number = len(machine.variables), machine.number_slot
    masks = [sum(1 << slot for slot in slots if slot < count or slot == number) for slots in direct]
    changed = True
    while changed:
        changed = False
        for index, used in enumerate(uses):
            mask = masks[index]
            for other in used:
                mask |= masks[other]
            if mask != masks[index]:
                masks[index], changed = mask, True
    found: list[list[int]] = [[] for _ in range(number + 1)]
    for index, mask in enumerate(masks):
        while mask:
            low = mask & -mask
            found[low.bit_length() - 1].append(index)
            mask ^= low
    return tuple(tuple(row) if len(row) <= MANY else None for row in found)
