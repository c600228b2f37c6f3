"""The part of validation that reads programs, step by step.

In: a Machine whose tables, texts and calls between blocks are known to be sound. Out:
nothing. Refused with MachineError: slots that do not exist, jumps that do not go ahead,
writes where the program's place in a turn forbids them, registers read before they are
written, refusals outside requirements, derived variables in an undeclared circle.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldengine.machine.errors import MachineError
from worldengine.machine.graph import circle
from worldengine.machine.reads import assign_reads, reads, with_blocks, writes
from worldengine.machine.schema import (
    DIV,
    IS_UNDEFINED,
    MAX,
    MOD,
    SATURATION,
    SELECT,
    UNDEFINED,
    Assign,
    Insert,
    Machine,
    Operator,
    Program,
    Step,
)


def check_programs(machine: Machine) -> None:
    """Check every program of the Machine; see the module."""
    for block in machine.blocks:
        _check_program(block.program, f"block {block.name}", machine)
    for rule in machine.rules:
        _check_program(rule.program, f"{rule.kind} {rule.name}", machine)
    for index, operator in enumerate(machine.operators):
        name = f"operator {index} of action {machine.schemas[operator.schema].name}"
        _check_operator(operator, name, machine)
    _check_derived(machine)


def _check_program(program: Program, name: str, machine: Machine, refusals: int = 0) -> None:
    """One program; its first `refusals` steps may refuse."""
    for index, step in enumerate(program):
        where = f"step {index} of {name}"
        for target in (step.then, step.other):
            if not index < target <= len(program):
                raise MachineError(f"{where} goes to {target}, which is not ahead")
        _check_step(step, where, machine)
        if step.refuse not in (0, 1, 2, 3) or (step.refuse and index >= refusals):
            raise MachineError(f"{where} refuses, which only requirements may")
    _check_registers(program, name, machine)
    for target in writes(program, machine):
        if len(machine.variables) <= target < machine.register_base:
            raise MachineError(f"{name} writes slot {target}, which is prior or the number")


def _check_step(step: Step, where: str, machine: Machine) -> None:
    for test in step.tests:
        if not 0 <= test.op <= IS_UNDEFINED:
            raise MachineError(f"{where} has a test with the operator {test.op}")
        _check_constant(test.offset, where)
        _check_slot(test.left, where, machine)
        if test.right != -1:
            _check_slot(test.right, where, machine)
    for assign in step.assigns:
        _check_assign(assign, where, machine)
    for argument in step.arguments:
        _check_constant(argument.constant, where)
        if argument.slot != -1:
            _check_slot(argument.slot, where, machine)
    if not -1 <= step.text < len(machine.texts):
        raise MachineError(f"{where} says text {step.text}, but there are {len(machine.texts)}")
    if step.text >= 0:
        gaps = [part.index for part in machine.texts[step.text].parts if isinstance(part, Insert)]
        if gaps and max(gaps) >= len(step.arguments):
            raise MachineError(f"{where} gives text {step.text} too few arguments")
    if not -1 <= step.call < len(machine.blocks):
        raise MachineError(f"{where} calls block {step.call}, of {len(machine.blocks)}")


def _check_assign(assign: Assign, where: str, machine: Machine) -> None:
    if not 0 <= assign.op <= MAX:
        raise MachineError(f"{where} has an assignment with the operator {assign.op}")
    if assign.op == SELECT and not 0 <= assign.constant < len(machine.tables):
        raise MachineError(f"{where} selects from table {assign.constant}, which is not there")
    if assign.op in (DIV, MOD) and assign.constant == 0:
        raise MachineError(f"{where} divides by zero")
    _check_constant(assign.constant, where)
    _check_slot(assign.target, where, machine)
    for slot in assign_reads(assign, machine):
        _check_slot(slot, where, machine)


def _check_constant(constant: int, where: str) -> None:
    if not UNDEFINED <= constant <= SATURATION:
        raise MachineError(f"{where} has the constant {constant}, which 32 bits cannot hold")


def _check_slot(slot: int, where: str, machine: Machine) -> None:
    if not 0 <= slot < machine.slots:
        raise MachineError(f"{where} uses slot {slot}, but there are {machine.slots}")


def _check_registers(program: Program, name: str, machine: Machine) -> None:
    """Registers are written before they are read, on every way through the program. Called
    blocks may read what their caller wrote, so those are taken at their word."""
    if name.startswith("block "):
        return
    registers = range(machine.register_base, machine.derived_base)
    everything = (1 << len(registers)) - 1
    arriving = [everything] * (len(program) + 1)
    arriving[0] = 0
    for index, step in enumerate(program):
        written = arriving[index]
        for test in step.tests:
            _check_written((test.left, test.right), written, registers, name, index)
        if step.tests:  # a step without tests never goes to `other`
            arriving[step.other] &= written
        for assign in step.assigns:
            _check_written(tuple(assign_reads(assign, machine)), written, registers, name, index)
            if assign.target in registers:
                written |= 1 << (assign.target - registers.start)
        slots = tuple(argument.slot for argument in step.arguments)
        _check_written(slots, written, registers, name, index)
        if step.call >= 0:
            for slot in writes(machine.blocks[step.call].program, machine):
                if slot in registers:  # whether it was written is the block's affair
                    written |= 1 << (slot - registers.start)
        arriving[step.then] &= written


def _check_written(
    slots: Sequence[int], written: int, registers: range, name: str, index: int
) -> None:
    for slot in slots:
        if slot in registers and not written >> (slot - registers.start) & 1:
            raise MachineError(
                f"step {index} of {name} reads register {slot - registers.start}"
                " before it is written"
            )


def _check_operator(operator: Operator, name: str, machine: Machine) -> None:
    program, body = operator.program, operator.body
    if not 0 <= body <= len(program):
        raise MachineError(f"{name} has its body at {body} of {len(program)} steps")
    _check_program(program, name, machine, refusals=body)
    for index, step in enumerate(program[:body]):
        if max(step.then, step.other) > body:
            raise MachineError(f"step {index} of {name} jumps over the beginning of the body")
    registers = range(machine.register_base, machine.derived_base)
    if any(target not in registers for target in writes(program[:body], machine)):
        raise MachineError(f"a requirement of {name} changes the state")
    entries = [requirement.entry for requirement in operator.requirements]
    if entries != sorted(set(entries)) or not all(0 <= entry < body for entry in entries):
        raise MachineError(f"the requirements of {name} are not in order")
    for index, step in enumerate(program[:body]):
        if step.refuse:
            number = sum(entry <= index for entry in entries) - 1
            if number < 0 or operator.requirements[number].refusal != step.refuse:
                raise MachineError(f"step {index} of {name} refuses for no requirement")


def _check_derived(machine: Machine) -> None:
    base = machine.derived_base
    allowed = range(machine.register_base, base)
    uses: list[tuple[int, ...]] = []
    for index, derived in enumerate(machine.derived):
        name = f"derived variable {derived.name}"
        if derived.kind in ("bool", "int") and derived.low > derived.high:
            raise MachineError(f"{name} has the impossible range {derived.low}..{derived.high}")
        _check_program(derived.program, name, machine)
        for target in writes(derived.program, machine):
            if target not in allowed and target != base + index:
                raise MachineError(f"{name} writes slot {target}, which is not its own")
        if any(step.text >= 0 for step in with_blocks(derived.program, machine)):
            raise MachineError(f"{name} says something")
        slots = reads(derived.program, machine)
        uses.append(tuple(slot - base for slot in slots if slot >= base))
    _check_circles(machine, uses)


def _check_circles(machine: Machine, uses: Sequence[Sequence[int]]) -> None:
    """Apart from groups, which are one node each here, nothing depends on itself."""
    units: dict[tuple[int, int], int] = {}
    unit_of = [
        units.setdefault((derived.group, -1 if derived.group >= 0 else index), len(units))
        for index, derived in enumerate(machine.derived)
    ]
    between: list[set[int]] = [set() for _ in units]
    for index, used in enumerate(uses):
        between[unit_of[index]].update(unit_of[other] for other in used)
    graph = [tuple(sorted(targets - {unit})) for unit, targets in enumerate(between)]
    looping = circle(graph)
    if looping:
        names = [
            derived.name
            for index, derived in enumerate(machine.derived)
            if unit_of[index] in looping
        ]
        raise MachineError(
            f"derived variables depend on one another outside a group: {', '.join(names[:5])}"
        )
