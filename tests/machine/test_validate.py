"""A Machine of any origin is sound or refused with a sentence that names the part."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.build_machine import Builder, copy, eq, form, lamp_world, program, put, step
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import Block, Machine, Row, Step, Variant
from worldengine.machine.validate import validate


def refused(machine: Machine) -> str:
    with pytest.raises(MachineError) as caught:
        validate(machine)
    return str(caught.value)


def with_rule(machine: Machine, *steps: Step) -> Machine:
    first = replace(machine.rules[0], program=program(*steps))
    return replace(machine, rules=(first, *machine.rules[1:]))


def test_the_lamp_world_is_sound() -> None:
    validate(lamp_world())


def test_another_format_is_named() -> None:
    assert "format 7" in refused(replace(lamp_world(), format=7))


def test_jumps_go_ahead() -> None:
    looping = Step((), (), -1, (), -1, 0, 0, 1)
    assert "not ahead" in refused(with_rule(lamp_world(), looping))


def test_only_requirements_refuse() -> None:
    assert "only requirements may" in refused(with_rule(lamp_world(), step(refuse=3)))


def test_registers_are_written_first() -> None:
    machine = lamp_world()
    register = machine.register_base
    assert "before it is written" in refused(with_rule(machine, step(do=(copy(0, register),))))
    half = (step(eq(0, 1), do=(put(register, 1),)), step(do=(copy(0, register),)))
    assert "before it is written" in refused(with_rule(machine, *half))
    validate(with_rule(machine, step(do=(put(register, 1), copy(8, register)))))


def test_prior_and_number_are_never_written() -> None:
    machine = lamp_world()
    for slot in (len(machine.variables), machine.number_slot):
        assert "prior or the number" in refused(with_rule(machine, step(do=(put(slot, 1),))))


def test_texts_get_their_arguments() -> None:
    assert "too few arguments" in refused(with_rule(lamp_world(), step(say=0)))


def test_initial_values_fit() -> None:
    machine = lamp_world()
    dial = replace(machine.variables[8], initial=12)
    variables = (*machine.variables[:8], dial, *machine.variables[9:])
    assert "starts at 12" in refused(replace(machine, variables=variables))
    variant = Variant((), ((0, 9),))
    assert "variant 0 starts" in refused(replace(machine, variants=(variant,)))


def test_requirements_change_nothing() -> None:
    machine = lamp_world()
    operator = machine.operators[10]
    first = operator.program[0]._replace(assigns=(put(0, 1),))
    changed = replace(operator, program=(first, *operator.program[1:]))
    operators = (*machine.operators[:10], changed, *machine.operators[11:])
    assert "changes the state" in refused(replace(machine, operators=operators))


def test_blocks_do_not_call_in_a_circle() -> None:
    machine = lamp_world()
    blocks = (Block("one", program(step(call=1))), Block("two", program(step(call=0))))
    assert "in a circle: one, two" in refused(replace(machine, blocks=blocks, opening=0))


def test_circles_of_derived_variables_need_a_group() -> None:
    def two(group: int) -> Machine:
        b = Builder()
        status = b.integer("status", 0, 2, 0, role="status")
        first, second = b.derived_slot(0), b.derived_slot(1)
        b.derive("one", program(step(eq(second, 1), do=(put(first, 1),))), group)
        b.derive("two", program(step(eq(first, 1), do=(put(second, 1),))), group)
        return b.machine(status)

    assert "outside a group: one, two" in refused(two(-1))
    validate(two(0))


def test_forms_hold_every_parameter() -> None:
    machine = lamp_world()
    schema = replace(machine.schemas[0], forms=(form("take"),))
    assert "every parameter once" in refused(
        replace(machine, schemas=(schema, *machine.schemas[1:]))
    )


def test_constants_have_32_bits() -> None:
    assert "32 bits" in refused(with_rule(lamp_world(), step(do=(put(8, 2**31),))))
    assert "32 bits" in refused(replace(lamp_world(), tables=((Row(1, -1, -(2**40)),),)))


def test_tables_name_each_value_once() -> None:
    machine = replace(lamp_world(), tables=((Row(1, -1, 2), Row(1, -1, 3)),))
    assert "two rows" in refused(machine)
