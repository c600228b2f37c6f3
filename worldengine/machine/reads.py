"""What programs read and write: the facts that validation and the engines both need.

In: a Machine (or its blocks). Out: tuples of slots in ascending order. Calls are followed,
so a program's reads and writes include those of the blocks it runs. Nothing is refused
here; a call that names no block is left to validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.machine.schema import (
    CONST,
    COPY,
    DIV,
    MOD,
    MUL,
    SELECT,
    Assign,
    Machine,
    Program,
    Step,
)

ONE_OPERAND = (COPY, MUL, DIV, MOD, SELECT)
"""Operators that read `left` only."""


def assign_reads(assign: Assign, machine: Machine) -> Iterator[int]:
    """The slots one assignment reads, every row of a SELECT table among them."""
    if assign.op == CONST:
        return
    yield assign.left
    if assign.op == SELECT:
        yield from (row.slot for row in machine.tables[assign.constant] if row.slot >= 0)
    elif assign.op not in ONE_OPERAND:
        yield assign.right


def step_reads(step: Step, machine: Machine) -> Iterator[int]:
    """The slots one step reads, calls not followed."""
    for test in step.tests:
        yield test.left
        if test.right >= 0:
            yield test.right
    for assign in step.assigns:
        yield from assign_reads(assign, machine)
    for argument in step.arguments:
        if argument.slot >= 0:
            yield argument.slot


def with_blocks(program: Program, machine: Machine) -> Iterator[Step]:
    """The steps of a program and of every block it may run, each block once."""
    waiting: list[Program] = [program]
    met = bytearray(len(machine.blocks))
    while waiting:
        for step in waiting.pop():
            yield step
            if step.call >= 0 and not met[step.call]:
                met[step.call] = 1
                waiting.append(machine.blocks[step.call].program)


def reads(program: Program, machine: Machine) -> tuple[int, ...]:
    """Every slot a program may read."""
    found = {slot for step in with_blocks(program, machine) for slot in step_reads(step, machine)}
    return tuple(sorted(found))


def writes(program: Program, machine: Machine) -> tuple[int, ...]:
    """Every slot a program may write."""
    steps = with_blocks(program, machine)
    return tuple(sorted({assign.target for step in steps for assign in step.assigns}))
