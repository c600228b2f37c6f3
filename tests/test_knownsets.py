"""Known sets of a batch are those of each player alone."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.batch.test_env import typed
from tests.worlds import lamp
from worldengine import resources
from worldengine.batch import BatchEnv
from worldengine.compiler import compile
from worldengine.knownsets import KnownSets
from worldengine.machine import Machine
from worldengine.matching.forms import argument_name
from worldengine.rollout.showing import first_knowledge, learnt
from worldengine.runtime import Knowledge, known, runtime_of


def shipped(name: str) -> Machine:
    path = resources.shipped_world(name)
    assert path is not None
    return compile(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_each_slot_knows_what_its_player_was_shown(autoreset: str) -> None:
    machines = [lamp(), shipped("tide_clock"), shipped("unix_intern")]
    env = BatchEnv(machines, size=9, autoreset=autoreset)
    sets = KnownSets(env)
    sets.reset(env.reset(seed=5))
    chance = random.Random(2)
    alone: list[Knowledge] = [opened(env, row) for row in range(env.size)]
    for _ in range(40):
        before = [state_of(env, row) for row in range(env.size)]
        worlds = [machines[world] for world in env.worlds.tolist()]
        commands = [
            typed(machine, state, chance) for machine, state in zip(worlds, before, strict=True)
        ]
        turn = env.step_texts(commands)
        sets.step(turn)
        for row, machine in enumerate(worlds):
            if turn.began[row]:
                alone[row] = opened(env, row)
            else:
                made = runtime_of(machine).step(before[row], commands[row])
                alone[row] = learnt(machine, alone[row], made)
            assert sets.knowledge(row).names == alone[row].names
            assert sets.commands(row) == known(machine, alone[row])
    mask = sets.mask()
    for row, machine in enumerate(machines):
        told = set(known(machine, alone[row]))
        assert [said(machine, at, alone[row]) in told for at in range(len(machine.operators))] == [
            bool(value) for value in mask[row, : len(machine.operators)]
        ]
        assert mask[row].sum() > 0 and not mask[row, len(machine.operators) :].any()
    assert not np.all(mask[1, : len(machines[1].operators)])


def state_of(env: BatchEnv, row: int) -> tuple[int, ...]:
    machine = env.tables.machines[env.worlds[row]]
    return tuple(env.states[row, : len(machine.variables)].tolist())


def opened(env: BatchEnv, row: int) -> Knowledge:
    machine = env.tables.machines[env.worlds[row]]
    return first_knowledge(machine, runtime_of(machine).opening(state_of(env, row)))


def said(machine: Machine, operator: int, knowledge: Knowledge) -> str:
    """An operator's command under the names shown; names never shown stand as "?"."""
    ground = machine.operators[operator]
    schema = machine.schemas[ground.schema]
    words = ""
    for piece in schema.forms[0].template:
        if isinstance(piece, str):
            words += piece
            continue
        parameter, value = schema.parameters[piece], ground.arguments[piece]
        if parameter.type == "number":
            low, high = parameter.low, parameter.high
            words += str(low) if low == high else f"{low}..{high}"
        elif parameter.type == "object":
            concept = machine.objects[value].role == "concept"
            name = machine.objects[value].name if concept else knowledge.name(machine, value)
            words += name or "?"
        else:
            words += argument_name(machine, parameter, value, 0)
    return words
