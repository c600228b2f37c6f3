"""What the tables need to know about a Machine beyond its parts.

In: a validated Machine. Out: plain numbers, tuples and sets: which derived variables depend on
what, whether the state at the beginning of the turn is ever read, how much room a turn needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.machine.reads import reads, writes
from worldengine.machine.schema import REGISTERS, Machine, Operator, Program

SAID_BY_ENGINES = 4
"""Integers of what is said for an operator that does not exist, and the like."""
SHARE = 4
"""What is derived and read by one operator in so many is worth working out for all lanes."""


def scoped_arguments(machine: Machine, operator: Operator) -> tuple[tuple[str, int], ...]:
    """(scope word, object) of every argument that has to be within a scope, in order."""
    schema = machine.schemas[operator.schema]
    return tuple(
        (parameter.scope, value)
        for parameter, value in zip(schema.parameters, operator.arguments, strict=True)
        if parameter.type == "object" and parameter.scope not in ("", "anywhere")
    )


def depend_on_number(machine: Machine) -> set[int]:
    """The slots of the derived variables that depend on the number of a command."""
    column = dependents(machine)[len(machine.variables)]
    base = machine.derived_base
    return {base + index for index in range(len(machine.derived)) if column >> index & 1}


def registers_of(program: Program, machine: Machine) -> int:
    """How many registers have to be put aside for a program: those up to the last it uses."""
    base = machine.register_base
    slots: Iterable[int] = (*reads(program, machine), *writes(program, machine))
    return max((slot - base + 1 for slot in slots if base <= slot < base + REGISTERS), default=0)


def turn_registers(machine: Machine) -> int:
    """How many registers any operator or rule uses."""
    programs = [*(each.program for each in machine.operators), *(r.program for r in machine.rules)]
    return max((registers_of(program, machine) for program in programs), default=0)


def dependents(machine: Machine) -> list[int]:
    """For every variable, and last for the number slot: which derived variables a change
    makes stale, through any number of others, as bits."""
    count, number, base = len(machine.variables), machine.number_slot, machine.derived_base
    direct = [reads(derived.program, machine) for derived in machine.derived]
    sources = [
        sum(
            1 << (slot if slot < count else count)
            for slot in slots
            if slot < count or slot == number
        )
        for slots in direct
    ]
    changed = True
    while changed:
        changed = False
        for index, slots in enumerate(direct):
            mask = sources[index]
            for slot in slots:
                if slot >= base:
                    mask |= sources[slot - base]
            if mask != sources[index]:
                sources[index], changed = mask, True
    found = [0] * (count + 1)
    for index, mask in enumerate(sources):
        for source in range(count + 1):
            if mask >> source & 1:
                found[source] |= 1 << index
    return found


def read_by_operators(machine: Machine) -> list[int]:
    """For every operator: the variables that its scopes and requirements hang on, through any
    derived variables, as bits. What a variable was before a turn counts as the variable."""
    count, base = len(machine.variables), machine.derived_base
    direct = [reads(derived.program, machine) for derived in machine.derived]
    scopes = {(scope.word, row.object): row.slot for scope in machine.scopes for row in scope.rows}
    found = []
    for operator in machine.operators:
        waiting = [scopes.get(pair, -1) for pair in scoped_arguments(machine, operator)]
        waiting += reads(operator.program[: operator.body], machine)
        variables, met = 0, set[int]()
        while waiting:
            slot = waiting.pop()
            if 0 <= slot < 2 * count:
                variables |= 1 << slot % count
            elif slot >= base and slot - base < len(direct) and slot not in met:
                met.add(slot)
                waiting += direct[slot - base]
        found.append(variables)
    return found


def read_by_many(machine: Machine) -> tuple[int, ...]:
    """The derived variables that one operator in SHARE or more reads before it acts, itself or
    through others, ascending; none that depend on the number of a command."""
    base = machine.derived_base
    direct = [reads(derived.program, machine) for derived in machine.derived]
    scopes = {(scope.word, row.object): row.slot for scope in machine.scopes for row in scope.rows}
    readers = [0] * len(machine.derived)
    for operator in machine.operators:
        waiting = [scopes.get(pair, -1) for pair in scoped_arguments(machine, operator)]
        waiting += reads(operator.program[: operator.body], machine)
        met = set[int]()
        while waiting:
            index = waiting.pop() - base
            if 0 <= index < len(readers) and index not in met:
                met.add(index)
                readers[index] += 1
                waiting += direct[index]
    numbered = depend_on_number(machine)
    return tuple(
        index
        for index, count in enumerate(readers)
        if count * SHARE >= len(machine.operators) and base + index not in numbered
    )


def prior_reads(machine: Machine) -> tuple[int, ...]:
    """The slots of the state as it was when the turn began that anything reads, ascending."""
    programs = [
        *(block.program for block in machine.blocks),
        *(rule.program for rule in machine.rules),
        *(operator.program for operator in machine.operators),
        *(derived.program for derived in machine.derived),
    ]
    found = {row.slot for scope in machine.scopes for row in scope.rows}
    found.update(row.slot for table in machine.tables for row in table)
    for program in programs:
        found.update(reads(program, machine))
    prior = range(len(machine.variables), 2 * len(machine.variables))
    return tuple(sorted(slot for slot in found if slot in prior))


def call_depth(machine: Machine) -> int:
    """How many calls may be nested in one another."""
    depth = [0] * len(machine.blocks)
    for _ in machine.blocks:
        for index, block in enumerate(machine.blocks):
            inner = [depth[s.call] for s in block.program if s.call >= 0]
            depth[index] = 1 + max(inner, default=0)
    return max(depth, default=0)


def longest_saying(machine: Machine) -> int:
    """The integers that one turn's texts need at most, with what engines say themselves and two
    to spare: what is said on the longest way through an operator and then through every rule.
    Ways only lead forward, and blocks call none that call them."""
    blocks: dict[int, int] = {}

    def longest(program: Program) -> list[int]:
        """What is said from each step on."""
        after = [0] * (len(program) + 1)
        for at in range(len(program) - 1, -1, -1):
            step = program[at]
            own = 2 + len(step.arguments) if step.text >= 0 else 0
            own += block(step.call) if step.call >= 0 else 0
            ways = [each if at < each < len(program) else -1 for each in (step.then, step.other)]
            # Where tests fail nothing is said; a way to nowhere ends at the last place, at 0.
            after[at] = max(own + after[ways[0]], after[ways[1]])
        return after

    def block(index: int) -> int:
        if index not in blocks:
            blocks[index] = longest(machine.blocks[index].program)[0]
        return blocks[index]

    operators = [longest(each.program) for each in machine.operators]
    rules = sum(longest(rule.program)[0] for rule in machine.rules)
    # What requirements say and what the rest says are two texts.
    bodies = [after[each.body] for each, after in zip(machine.operators, operators, strict=True)]
    needs = [after[0] for after in operators] + [body + rules for body in bodies]
    return SAID_BY_ENGINES + 2 + max(needs, default=rules)
